#include "reports/history/events.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/check.h"
#include "runtime/base/parallel/for_all.h"

namespace assay::reports {
namespace {

// Returns the relative change of a difference of logarithms.
double Relative(double difference) { return std::expm1(difference); }

std::string Joined(const std::string& a, const std::string& b) {
  return absl::StrCat(a, a.empty() || b.empty() ? "" : "; ", b);
}

// Returns the movement of the machine into the night of a point; nullptr if it
// is unknown or too small to be shown.
// `nights` has the nights of each machine of the series.
const Movement* VisibleMovement(
    const Series& series, size_t point,
    absl::Span<const std::vector<MachineNight>* const> nights) {
  const Point& now = series.points[point];
  if (now.machine != series.points[point - 1].machine) return nullptr;
  const MachineNight* night =
      MachineLevels::Find(*nights[now.machine], now.run);
  if (night == nullptr || !night->movement.has_value()) return nullptr;
  const Movement& movement = *night->movement;
  const bool is_visible = Relative(movement.lower) >= kVisibleMovement ||
                          Relative(movement.upper) <= -kVisibleMovement;
  return is_visible ? &movement : nullptr;
}

std::string MovementText(const Movement& movement) {
  return absl::StrFormat(
      "unchanged programs took %+.1f %% [%+.1f %%, %+.1f %%]",
      100 * Relative(movement.change), 100 * Relative(movement.lower),
      100 * Relative(movement.upper));
}

// Decides whether the step of a latency is published.
void Judge(Event& event) {
  if (event.causes.same_program()) {
    event.reason = "the program is the same";
    return;
  }
  if (!event.side_by_side.has_value()) {
    event.reason = "not compared side by side with the night before";
    return;
  }
  const SideBySide& compared = *event.side_by_side;
  if (!compared.with_night_before) {
    event.reason =
        "compared side by side with another artifact than that of "
        "the night before";
    return;
  }
  event.change = compared.change;
  event.published = compared.verdict == stats::Verdict::kRegressed;
  event.reason = absl::StrCat(
      "side by side: ", std::string(stats::VerdictName(compared.verdict)));
}

class Finder {
 public:
  Finder(const std::vector<Series>& series, const MachineLevels& levels,
         const NewEvents& wanted)
      : series_(series), levels_(levels), wanted_(wanted) {}

  void Add(size_t index) {
    const Series& series = series_[index];
    const size_t first = events_.size();
    nights_.clear();
    for (const std::string& machine : series.machines) {
      nights_.push_back(&levels_.NightsOf(series.metric, machine));
    }
    // A shift may be explained by a step that is known.
    const size_t from =
        series.has_digest ? PointOf(series, wanted_.first_run) : 0;
    for (size_t point = std::max<size_t>(from, 1); point < series.points.size();
         ++point) {
      AddStep(index, point);
    }
    if (!series.has_digest) {
      AddShifts(index, first);
      events_.erase(
          std::remove_if(events_.begin() + static_cast<std::ptrdiff_t>(first),
                         events_.end(),
                         [&](const Event& event) {
                           return !event.shift.has_value() &&
                                  series.points[event.point].run <
                                      wanted_.first_run;
                         }),
          events_.end());
    }
    // A shift follows the step of its night.
    std::sort(events_.begin() + static_cast<std::ptrdiff_t>(first),
              events_.end(), [](const Event& a, const Event& b) {
                return std::make_pair(a.point, a.shift.has_value()) <
                       std::make_pair(b.point, b.shift.has_value());
              });
  }

  std::vector<Event> Finish() { return std::move(events_); }

 private:
  // Returns the first point of a series in this run or later.
  static size_t PointOf(const Series& series, size_t run) {
    return static_cast<size_t>(
        std::lower_bound(
            series.points.begin(), series.points.end(), run,
            [](const Point& point, size_t r) { return point.run < r; }) -
        series.points.begin());
  }

  void AddStep(size_t index, size_t point) {
    const Series& series = series_[index];
    const Step* step = StepAt(series, point);
    const Movement* movement = VisibleMovement(series, point, nights_);
    if (step == nullptr && movement == nullptr) return;
    Event event;
    event.series = index;
    event.point = point;
    if (step != nullptr) {
      event.causes = step->change.causes;
      event.other_machine = step->change.other_machine;
      event.what = Joined(step->change.program, step->change.machine);
      event.side_by_side = step->side_by_side;
    }
    if (movement != nullptr) {
      // A change of the method moves all programs, too, and explains it.
      if (!event.causes.Has(Cause::kMethod)) event.causes.Add(Cause::kMachine);
      event.what = Joined(event.what, MovementText(*movement));
    }
    if (series.metric == Metric::kLatency) {
      Judge(event);
    } else {
      event.reason = "the latency of the cell is compared side by side";
    }
    events_.push_back(std::move(event));
  }

  // Adds the shifts of a series. Its steps are the events from `first_event`.
  void AddShifts(size_t index, size_t first_event) {
    const Series& series = series_[index];
    const size_t end_event = events_.size();
    const std::vector<double> values = levels_.Corrected(series);
    const size_t tested = PointOf(series, wanted_.first_run);
    const size_t level =
        wanted_.shifted.empty() ? 0 : PointOf(series, wanted_.shifted[index]);
    // Values of different machines are not compared.
    for (size_t first = 0; first < values.size();) {
      size_t end = first + 1;
      while (end < values.size() &&
             series.points[end].machine == series.points[first].machine) {
        ++end;
      }
      stats::ShiftOptions options;
      options.first_tested = static_cast<int64_t>(std::max(tested, first)) -
                             static_cast<int64_t>(first);
      options.level_start = static_cast<int64_t>(std::max(level, first)) -
                            static_cast<int64_t>(first);
      for (stats::Shift shift : stats::FindPersistentShifts(
               absl::MakeSpan(values).subspan(first, end - first), options)) {
        shift.index += static_cast<int64_t>(first);
        shift.found += static_cast<int64_t>(first);
        AddShift(index, shift, first_event, end_event);
      }
      first = end;
    }
  }

  void AddShift(size_t index, const stats::Shift& shift, size_t first_event,
                size_t end_event) {
    Event event;
    event.series = index;
    event.point = static_cast<size_t>(shift.index);
    event.shift = shift;
    event.change = Relative(shift.after - shift.before);
    const Event* cause = nullptr;
    for (size_t i = first_event; i < end_event; ++i) {
      const Event& step = events_[i];
      const int64_t distance =
          std::abs(static_cast<int64_t>(step.point) - shift.index);
      if (distance == 0) event.causes = step.causes;
      if (distance <= kNearMachine && (step.causes.Has(Cause::kMachine) ||
                                       step.causes.Has(Cause::kMethod))) {
        cause = &step;
      }
    }
    event.what = absl::StrFormat("the level changed by %+.1f %%, %.0f errors",
                                 100 * *event.change, std::abs(shift.errors));
    if (cause != nullptr) {
      event.causes = cause->causes;
      event.reason = absl::StrCat("explained by: ", cause->what);
    } else if (shift.errors < 0) {
      event.reason = "faster";
    } else {
      event.published = true;
      event.reason = "no change of the machine or the method explains it";
    }
    events_.push_back(std::move(event));
  }

  const std::vector<Series>& series_;
  const MachineLevels& levels_;
  const NewEvents& wanted_;
  // The nights of each machine of the series that is added.
  std::vector<const std::vector<MachineNight>*> nights_;
  std::vector<Event> events_;
};

// The number of series that a thread takes at once.
constexpr size_t kPart = 256;

}  // namespace

AnalyzedHistory FindEvents(std::vector<Series> series) {
  MachineLevels levels(series, kMinUnchanged);
  return FindEvents(std::move(series), std::move(levels), {});
}

AnalyzedHistory FindEvents(std::vector<Series> series, MachineLevels levels,
                           const NewEvents& wanted) {
  CHECK(wanted.shifted.empty() || wanted.shifted.size() == series.size());
  AnalyzedHistory history;
  history.series = std::move(series);
  history.levels = std::move(levels);
  const size_t count = history.series.size();
  std::vector<std::vector<Event>> parts((count + kPart - 1) / kPart);
  ForAll(parts.size(), [&](size_t part) {
    Finder finder(history.series, history.levels, wanted);
    const size_t end = std::min(count, (part + 1) * kPart);
    for (size_t i = part * kPart; i < end; ++i) finder.Add(i);
    parts[part] = finder.Finish();
  });
  for (std::vector<Event>& part : parts) {
    history.events.insert(history.events.end(),
                          std::make_move_iterator(part.begin()),
                          std::make_move_iterator(part.end()));
  }
  return history;
}

AnalyzedHistory AnalyzeHistory(absl::Span<const RunResult> history) {
  return FindEvents(BuildSeries(history));
}

}  // namespace assay::reports
