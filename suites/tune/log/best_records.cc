#include "suites/tune/log/best_records.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "reports/stats/summary.h"

namespace assay::suites {
namespace {

bool IsAccepted(const JudgedPoint& judged) {
  return judged.verdict.verdict == stats::Verdict::kImproved;
}

// Returns true if `a` is better than `b`.
bool IsBetter(const JudgedPoint& a, const JudgedPoint& b) {
  const auto rank = [](const JudgedPoint& p) {
    return std::tuple(!IsAccepted(p), p.verdict.high, p.verdict.ratio,
                      p.median_ns, p.default_median_ns, p.point.ToString());
  };
  return rank(a) < rank(b);
}

// Returns 0 without samples.
double MedianOf(const std::vector<double>& samples) {
  return samples.empty() ? 0 : stats::Median(samples);
}

double FastestOf(const std::vector<double>& samples) {
  return *std::min_element(samples.begin(), samples.end());
}

// The records of a task, which must outlive this object.
class Evidence {
 public:
  void Add(const TuningRecord& record) {
    if (!lines_.insert(record.ToJson()).second) return;
    best_.workload = std::max(best_.workload, record.workload);
    best_.anchor = std::max(best_.anchor, record.anchor);
    best_.flops = std::max(best_.flops, record.flops);
    const driver::TunedKernel point = PointOf(record);
    Point& known = points_[point.ToString()];
    known.point = point;
    known.wrong |= record.status == TrialStatus::kWrong;
    if (record.status != TrialStatus::kOk) return;
    known.trials.push_back(&record);
    if (!record.default_ns.empty()) {
      next_to_others_.push_back(FastestOf(record.default_ns));
    }
    if (!record.verdict.has_value()) return;
    known.slower |= record.verdict->verdict == stats::Verdict::kRegressed;
    judged_.push_back({point, MedianOf(record.samples_ns),
                       MedianOf(record.default_ns), *record.verdict});
  }

  void Drop(const DroppedPoint& point) {
    const driver::TunedKernel dropped = {point.implementation, point.config};
    points_[dropped.ToString()].dropped = true;
  }

  BestOfTask Judge(const driver::TunedKernel& default_point) && {
    FindDefault(default_point);
    for (const auto& [name, known] : points_) {
      if (known.wrong || known.trials.empty()) continue;
      const bool is_default = known.point == default_point;
      const MeasuredPoint measured = Measured(known, is_default);
      if (is_default) best_.default_point = measured;
      // Points with equal times are in the order of their names.
      if (!best_.fastest.has_value() ||
          measured.relative < best_.fastest->relative) {
        best_.fastest = measured;
      }
    }
    for (const JudgedPoint& judged : judged_) {
      const Point& known = points_.at(judged.point.ToString());
      if (known.wrong || known.dropped) continue;
      if (known.slower && IsAccepted(judged)) continue;
      if (!best_.judged.has_value() || IsBetter(judged, *best_.judged)) {
        best_.judged = judged;
      }
    }
    return std::move(best_);
  }

 private:
  struct Point {
    driver::TunedKernel point;
    std::vector<const TuningRecord*> trials;  // that succeeded
    bool wrong = false;
    bool slower = false;  // a comparison says so
    bool dropped = false;
  };

  void FindDefault(const driver::TunedKernel& default_point) {
    std::vector<double> times = next_to_others_;
    const auto own = points_.find(default_point.ToString());
    if (own != points_.end()) {
      if (own->second.wrong || own->second.dropped) return;
      for (const TuningRecord* trial : own->second.trials) {
        times.push_back(FastestOf(trial->samples_ns));
      }
    }
    if (!times.empty()) best_.default_ns = FastestOf(times);
  }

  MeasuredPoint Measured(const Point& known, bool is_default) const {
    MeasuredPoint measured;
    measured.point = known.point;
    std::vector<double> loads, trials;  // relative times
    for (const TuningRecord* trial : known.trials) {
      const std::vector<double>& samples = trial->samples_ns;
      measured.samples_ns.insert(measured.samples_ns.end(), samples.begin(),
                                 samples.end());
      if (trial->loads > 0) loads.push_back(RelativeTime(*trial));
      const double usual = trial->default_ns.empty()
                               ? best_.default_ns
                               : FastestOf(trial->default_ns);
      trials.push_back(FastestOf(samples) / (usual > 0 ? usual : 1));
    }
    std::sort(measured.samples_ns.begin(), measured.samples_ns.end());
    measured.median_ns = MedianOf(measured.samples_ns);
    // Times of several loads are worth more than trials.
    if (!is_default)
      measured.relative = MedianOf(loads.empty() ? trials : loads);
    return measured;
  }

  BestOfTask best_;
  absl::flat_hash_set<std::string> lines_;
  std::map<std::string, Point> points_;  // by TunedKernel::ToString()
  std::vector<double> next_to_others_;   // fastest samples of the default point
  std::vector<JudgedPoint> judged_;
};

}  // namespace

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
  add(unused.other_task, "of other kernels", "");
  add(unused.other_template, "of older templates",
      ": the kernels must be tuned again");
  return sentences;
}

BestRecords FindBestRecords(const std::vector<TuningRecord>& records,
                            const TuningPlace& place,
                            const tune::CurrentTasks& tasks,
                            const std::vector<NetworkRecord>& networks) {
  BestRecords best;
  std::map<std::string, Evidence> evidence;
  for (const TuningRecord& record : records) {
    if (!(PlaceOf(record) == place)) continue;
    const auto task = tasks.find(record.task);
    if (task == tasks.end()) {
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
