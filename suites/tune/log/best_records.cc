#include "suites/tune/log/best_records.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "reports/stats/summary.h"

namespace assay::suites {
namespace {

using PointName = std::pair<std::string, std::string>;

PointName NameOf(const driver::TunedKernel& point) {
  return {point.implementation, point.config.ToString()};
}

bool IsAccepted(const JudgedPoint& judged) {
  return judged.verdict.verdict == stats::Verdict::kImproved;
}

// Returns true if `a` is better than `b`.
bool IsBetter(const JudgedPoint& a, const JudgedPoint& b) {
  const auto rank = [](const JudgedPoint& p) {
    return std::tuple(!IsAccepted(p), p.verdict.high, p.verdict.ratio,
                      p.median_ns, p.default_median_ns, NameOf(p.point));
  };
  return rank(a) < rank(b);
}

// Returns 0 without samples.
double MedianOf(const std::vector<double>& samples) {
  return samples.empty() ? 0 : stats::Percentile(samples, 50);
}

double FastestOf(const std::vector<double>& samples) {
  return *std::min_element(samples.begin(), samples.end());
}

// The records of a task.
class Evidence {
 public:
  void Add(const TuningRecord& record) {
    if (!lines_.insert(record.ToJson()).second) return;
    best_.workload = std::max(best_.workload, record.workload);
    best_.anchor = std::max(best_.anchor, record.anchor);
    best_.flops = std::max(best_.flops, record.flops);
    const driver::TunedKernel point = {record.implementation, record.config};
    Point& known = points_[NameOf(point)];
    known.point = point;
    known.wrong |= record.status == TrialStatus::kWrong;
    if (record.status != TrialStatus::kOk) return;
    known.samples_ns.insert(known.samples_ns.end(), record.samples_ns.begin(),
                            record.samples_ns.end());
    double usual = 0;
    if (!record.default_ns.empty()) {
      usual = FastestOf(record.default_ns);
      next_to_others_.push_back(usual);
    }
    known.trials.push_back({FastestOf(record.samples_ns), usual,
                            record.loads > 0 ? RelativeTime(record) : 0});
    if (!record.verdict.has_value()) return;
    known.slower |= record.verdict->verdict == stats::Verdict::kRegressed;
    judged_.push_back({point, MedianOf(record.samples_ns),
                       MedianOf(record.default_ns), *record.verdict});
  }

  void Drop(const DroppedPoint& point) {
    points_[NameOf({point.implementation, point.config})].dropped = true;
  }

  BestOfTask Judge(const driver::TunedKernel& default_point) && {
    FindDefault(default_point);
    for (const auto& [name, known] : points_) {
      if (known.wrong || known.trials.empty()) continue;
      const bool is_default = name == NameOf(default_point);
      const MeasuredPoint measured = Measured(known, is_default);
      if (is_default) best_.default_point = measured;
      // Points with equal times are in the order of their names.
      if (!best_.fastest.has_value() ||
          measured.relative < best_.fastest->relative) {
        best_.fastest = measured;
      }
    }
    for (const JudgedPoint& judged : judged_) {
      const Point& known = points_.at(NameOf(judged.point));
      if (known.wrong || known.dropped) continue;
      if (known.slower && IsAccepted(judged)) continue;
      if (!best_.judged.has_value() || IsBetter(judged, *best_.judged)) {
        best_.judged = judged;
      }
    }
    return std::move(best_);
  }

 private:
  // The fastest samples of a point and of the default point; 0 if the default
  // point was not measured next to it.
  struct Trial {
    double point_ns = 0;
    double default_ns = 0;
    double relative = 0;  // of a record with loads, otherwise 0
  };
  struct Point {
    driver::TunedKernel point;
    std::vector<double> samples_ns;
    std::vector<Trial> trials;
    bool wrong = false;
    bool slower = false;  // a comparison says so
    bool dropped = false;
  };

  void FindDefault(const driver::TunedKernel& default_point) {
    std::vector<double> times = next_to_others_;
    const auto own = points_.find(NameOf(default_point));
    if (own != points_.end()) {
      if (own->second.wrong || own->second.dropped) return;
      for (const Trial& trial : own->second.trials) {
        times.push_back(trial.point_ns);
      }
    }
    if (!times.empty()) best_.default_ns = FastestOf(times);
  }

  MeasuredPoint Measured(const Point& known, bool is_default) const {
    MeasuredPoint measured;
    measured.point = known.point;
    measured.samples_ns = known.samples_ns;
    std::sort(measured.samples_ns.begin(), measured.samples_ns.end());
    measured.median_ns = MedianOf(measured.samples_ns);
    if (is_default) return measured;
    std::vector<double> relatives;
    for (const Trial& trial : known.trials) {
      if (trial.relative > 0) relatives.push_back(trial.relative);
    }
    // What was measured in several loads is worth more than trials.
    if (!relatives.empty()) {
      measured.relative = MedianOf(relatives);
      return measured;
    }
    for (const Trial& trial : known.trials) {
      const double usual =
          trial.default_ns > 0 ? trial.default_ns : best_.default_ns;
      relatives.push_back(trial.point_ns / (usual > 0 ? usual : 1));
    }
    measured.relative = MedianOf(relatives);
    return measured;
  }

  BestOfTask best_;
  absl::flat_hash_set<std::string> lines_;
  std::map<PointName, Point> points_;
  std::vector<double> next_to_others_;  // fastest samples of the default point
  std::vector<JudgedPoint> judged_;
};

}  // namespace

bool operator==(const TuningPlace& a, const TuningPlace& b) {
  return std::tie(a.target, a.device, a.threads) ==
         std::tie(b.target, b.device, b.threads);
}

bool operator<(const TuningPlace& a, const TuningPlace& b) {
  return std::tie(a.device, a.threads, a.target) <
         std::tie(b.device, b.threads, b.target);
}

TuningPlace PlaceOf(const TuningRecord& record) {
  return {record.target, record.device, record.threads};
}

TuningPlace PlaceOf(const NetworkRecord& record) {
  return {record.target, record.device, record.threads};
}

const JudgedPoint* BestOfTask::accepted() const {
  return judged.has_value() && IsAccepted(*judged) ? &*judged : nullptr;
}

std::vector<std::string> Describe(const UnusedRecords& unused) {
  std::vector<std::string> sentences;
  const auto add = [&](int64_t records, const char* which, const char* why) {
    if (records == 0) return;
    sentences.push_back(
        absl::StrCat(records, records == 1 ? " record" : " records", " ", which,
                     records == 1 ? " is" : " are", " not used", why));
  };
  add(unused.other_device, "of other devices", "");
  add(unused.other_target, "of other targets", "");
  add(unused.other_threads, "with other numbers of threads", "");
  add(unused.other_task, "of other kernels", "");
  add(unused.other_template, "of older templates",
      ": the kernels must be tuned again");
  return sentences;
}

BestRecords FindBestRecords(const std::vector<TuningRecord>& records,
                            const TuningPlace& place, const CurrentTasks& tasks,
                            const std::vector<NetworkRecord>& networks) {
  BestRecords best;
  std::map<std::string, Evidence> evidence;
  for (const TuningRecord& record : records) {
    const auto task = tasks.find(record.task);
    if (record.device != place.device) {
      ++best.unused.other_device;
    } else if (record.target != place.target) {
      ++best.unused.other_target;
    } else if (record.threads != place.threads) {
      ++best.unused.other_threads;
    } else if (task == tasks.end()) {
      ++best.unused.other_task;
    } else if (record.template_digest != task->second.template_digest) {
      ++best.unused.other_template;
    } else {
      evidence[record.task].Add(record);
    }
  }
  for (const NetworkRecord& network : networks) {
    if (!(PlaceOf(network) == place)) continue;
    for (const DroppedPoint& point : network.dropped) {
      const auto found = evidence.find(point.task);
      if (found != evidence.end() &&
          point.template_digest == tasks.at(point.task).template_digest) {
        found->second.Drop(point);
      }
    }
  }
  for (auto& [key, found] : evidence) {
    best.tasks[key] = std::move(found).Judge(tasks.at(key).default_point);
  }
  return best;
}

}  // namespace assay::suites
