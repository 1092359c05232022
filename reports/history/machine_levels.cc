#include "reports/history/machine_levels.h"

#include <algorithm>
#include <cmath>

#include "reports/stats/sign_interval.h"
#include "reports/stats/summary.h"
#include "runtime/base/check.h"
#include "runtime/base/parallel/for_all.h"

namespace assay::reports {
namespace {

constexpr double kIntervalLevel = 0.99;
constexpr int kMaxRounds = 50;
constexpr double kConverged = 1e-7;

// The nights of one program of one series: pairs of night and value, where the
// night is an index into the nights of the machine.
using Program = std::vector<std::pair<size_t, double>>;

class Polish {
 public:
  // `runs` are the runs of the nights, in ascending order.
  explicit Polish(std::vector<size_t> runs) : runs_(std::move(runs)) {}

  // Adds the part of a series that one program took on this machine.
  void Add(absl::Span<const Point> points) {
    Program program;
    for (const Point& point : points) {
      const auto at = std::lower_bound(runs_.begin(), runs_.end(), point.run);
      program.emplace_back(static_cast<size_t>(at - runs_.begin()),
                           point.value);
    }
    programs_.push_back(std::move(program));
  }

  std::vector<MachineNight> Estimate(int64_t min_unchanged) {
    nights_.resize(runs_.size());
    for (size_t i = 0; i < runs_.size(); ++i) nights_[i].run = runs_[i];
    EstimateMovements(min_unchanged);
    for (size_t first = 0; first < nights_.size();) {
      size_t end = first + 1;
      while (end < nights_.size() && nights_[end].movement.has_value()) ++end;
      PolishNights(first, end);
      first = end;
    }
    return std::move(nights_);
  }

 private:
  // Estimates the movements, and the levels as their sums.
  void EstimateMovements(int64_t min_unchanged) {
    std::vector<std::vector<double>> differences(nights_.size());
    for (const Program& program : programs_) {
      for (size_t i = 1; i < program.size(); ++i) {
        if (program[i - 1].first + 1 != program[i].first) continue;
        differences[program[i].first].push_back(program[i].second -
                                                program[i - 1].second);
      }
    }
    for (size_t night = 1; night < nights_.size(); ++night) {
      MachineNight& now = nights_[night];
      now.unchanged = static_cast<int64_t>(differences[night].size());
      now.level = nights_[night - 1].level;
      if (now.unchanged < min_unchanged) continue;
      const stats::MedianInterval interval =
          stats::SignInterval(differences[night], kIntervalLevel);
      now.movement = {interval.median, interval.lower, interval.upper};
      now.level += interval.median;
    }
  }

  // Improves the levels of the nights [first, end), which are linked. The level
  // of the first one stays.
  void PolishNights(size_t first, size_t end) {
    const size_t count = end - first;
    std::vector<Program> parts;
    for (const Program& program : programs_) {
      Program part;
      for (const auto& [night, value] : program) {
        if (night >= first && night < end) part.emplace_back(night, value);
      }
      // A single night says nothing about the machine.
      if (part.size() > 1) parts.push_back(std::move(part));
    }
    std::vector<double> levels(count);
    for (size_t i = 0; i < count; ++i) levels[i] = nights_[first + i].level;
    std::vector<double> rest;
    std::vector<std::vector<double>> rests(count);
    for (int round = 0; round < kMaxRounds; ++round) {
      for (std::vector<double>& of_night : rests) of_night.clear();
      for (const Program& part : parts) {
        rest.clear();
        for (const auto& [night, value] : part) {
          rest.push_back(value - levels[night - first]);
        }
        const double program = stats::Median(rest);
        for (const auto& [night, value] : part) {
          rests[night - first].push_back(value - program);
        }
      }
      double largest = 0;
      for (size_t i = 0; i < count; ++i) {
        if (rests[i].empty()) continue;
        const double level = stats::Median(rests[i]);
        largest = std::max(largest, std::abs(level - levels[i]));
        levels[i] = level;
      }
      if (largest < kConverged) break;
    }
    const double shift = nights_[first].level - levels[0];
    for (size_t i = 0; i < count; ++i) {
      nights_[first + i].level = levels[i] + shift;
    }
    // Later nights follow at the level of the last one.
    if (end == nights_.size()) return;
    const double step = nights_[end - 1].level - nights_[end].level;
    for (size_t i = end; i < nights_.size(); ++i) nights_[i].level += step;
  }

  const std::vector<size_t> runs_;
  std::vector<Program> programs_;
  std::vector<MachineNight> nights_;
};

// Returns true if the programs of the series are known.
bool IsUsable(const Series& series) {
  return series.has_digest || !IsOfProgram(series.metric);
}

bool BeginsProgram(const Series& series, size_t point) {
  if (series.points[point].machine != series.points[point - 1].machine) {
    return true;
  }
  const Step* step = StepAt(series, point);
  return step != nullptr && !step->change.causes.same_program();
}

}  // namespace

MachineLevels::MachineLevels(absl::Span<const Series> series,
                             int64_t min_unchanged) {
  CHECK(min_unchanged >= kMinUnchanged) << min_unchanged;
  std::map<std::pair<Metric, std::string>, std::vector<size_t>> runs;
  for (const Series& s : series) {
    if (!IsUsable(s)) continue;
    std::vector<std::vector<size_t>*> of_machine;
    for (const std::string& machine : s.machines) {
      of_machine.push_back(&runs[{s.metric, machine}]);
    }
    for (const Point& point : s.points) {
      of_machine[point.machine]->push_back(point.run);
    }
  }
  std::map<std::pair<Metric, std::string>, Polish> machines;
  for (auto& [key, of_machine] : runs) {
    std::sort(of_machine.begin(), of_machine.end());
    of_machine.erase(std::unique(of_machine.begin(), of_machine.end()),
                     of_machine.end());
    machines.emplace(key, Polish(std::move(of_machine)));
  }
  for (const Series& s : series) {
    if (!IsUsable(s)) continue;
    const absl::Span<const Point> points = s.points;
    std::vector<Polish*> of_machine;
    for (const std::string& machine : s.machines) {
      of_machine.push_back(&machines.at({s.metric, machine}));
    }
    for (size_t first = 0; first < points.size();) {
      size_t end = first + 1;
      while (end < points.size() && !BeginsProgram(s, end)) ++end;
      of_machine[points[first].machine]->Add(
          points.subspan(first, end - first));
      first = end;
    }
  }
  std::vector<std::pair<Polish*, std::vector<MachineNight>*>> work;
  for (auto& [key, machine] : machines) {
    work.emplace_back(&machine, &nights_[key]);
  }
  ForAll(work.size(), [&](size_t i) {
    *work[i].second = work[i].first->Estimate(min_unchanged);
  });
}

const std::vector<MachineNight>& MachineLevels::NightsOf(
    Metric metric, const std::string& machine) const {
  static const auto* const kNone = new std::vector<MachineNight>();
  const auto at = nights_.find({metric, machine});
  return at == nights_.end() ? *kNone : at->second;
}

const MachineNight* MachineLevels::Find(Metric metric,
                                        const std::string& machine,
                                        size_t run) const {
  return Find(NightsOf(metric, machine), run);
}

const MachineNight* MachineLevels::Find(absl::Span<const MachineNight> nights,
                                        size_t run) {
  const auto at = std::lower_bound(
      nights.begin(), nights.end(), run,
      [](const MachineNight& night, size_t r) { return night.run < r; });
  return at == nights.end() || at->run != run ? nullptr : &*at;
}

std::vector<double> MachineLevels::Corrected(const Series& series) const {
  std::vector<double> values;
  values.reserve(series.points.size());
  const Point* before = nullptr;
  std::vector<MachineNight>::const_iterator night, end;
  for (const Point& point : series.points) {
    // Points are in the order of their runs, and so are nights.
    if (before == nullptr || before->machine != point.machine) {
      const std::vector<MachineNight>& nights =
          NightsOf(series.metric, series.MachineAt(point));
      night = nights.begin();
      end = nights.end();
    }
    before = &point;
    while (night != end && night->run < point.run) ++night;
    const bool known = night != end && night->run == point.run;
    values.push_back(point.value - (known ? night->level : 0));
  }
  return values;
}

}  // namespace assay::reports
