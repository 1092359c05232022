// MachineLevels: how fast a machine was in each night, estimated from the
// programs that did not change.
//
// The model of the logarithm of a time of the cell i in the night t is
//   y(i, t) = a(i, p) + m(t) + noise
// where p is the program of the cell: a(i, p) changes only in nights in which
// the artifact changed (Causes::same_program). m(t) is what all programs have
// in common: clock rate, neighbours on a shared machine, an update of the
// kernel, another timing policy. It is estimated by median polish (Tukey,
// "Exploratory Data Analysis", 1977): a is the median of y - m over the nights
// of a program, m is the median of y - a over the cells of a night, in turns
// until nothing changes. Medians ignore cells that have changed for a reason of
// their own, if they are the minority.
//
// Times of different kinds react differently, so each machine has levels of
// each metric. A night is linked to the night before by the series that have
// both, with the same program. If these are fewer than `min_unchanged`, the
// movement between both nights is unknown, and the level stays the same.
#ifndef ASSAY_REPORTS_HISTORY_MACHINE_LEVELS_H_
#define ASSAY_REPORTS_HISTORY_MACHINE_LEVELS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "reports/history/series.h"

namespace assay::reports {

// Smallest number of unchanged series from which a movement is estimated. The
// 99 % sign interval of a median needs 8.
constexpr int64_t kMinUnchanged = 8;

// The common movement of the unchanged series from one night to the next.
struct Movement {
  // Median over the series of the difference of the logarithms, and the bounds
  // of its 99 % sign interval (stats/sign_interval.h), which assumes that the
  // noise of the series is independent.
  double change = 0;
  double lower = 0;
  double upper = 0;
};

struct MachineNight {
  size_t run = 0;
  int64_t unchanged =
      0;  // number of series with the program of the night before
  std::optional<Movement> movement;
  // m(t); 0 in the first night.
  double level = 0;
};

class MachineLevels {
 public:
  MachineLevels() = default;
  // Estimates the levels of all machines and metrics. Programs without a digest
  // may have changed in any night, so they do not contribute.
  MachineLevels(absl::Span<const Series> series, int64_t min_unchanged);

  // Returns the nights of a machine in which there was a time of this metric,
  // in ascending order of the run.
  const std::vector<MachineNight>& NightsOf(Metric metric,
                                            const std::string& machine) const;
  // Returns the night of a run; nullptr if there is none.
  const MachineNight* Find(Metric metric, const std::string& machine,
                           size_t run) const;
  // The same, if the nights of the machine are known.
  static const MachineNight* Find(absl::Span<const MachineNight> nights,
                                  size_t run);

  // Returns the values of the series without the levels of its machines.
  std::vector<double> Corrected(const Series& series) const;

 private:
  std::map<std::pair<Metric, std::string>, std::vector<MachineNight>> nights_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_HISTORY_MACHINE_LEVELS_H_
