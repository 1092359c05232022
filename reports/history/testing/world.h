// World: a synthetic machine and its cells, which are measured once a night,
// for tests and for the program `simulate`. Things happen to it between two
// nights: code, layout, method and machine change, with or without an effect on
// times.
//
// The logarithm of a time is the level of the cell, plus the level of the
// machine, plus noise of the cell: an AR(1) process over the nights.
#ifndef ASSAY_REPORTS_HISTORY_TESTING_WORLD_H_
#define ASSAY_REPORTS_HISTORY_TESTING_WORLD_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reports/history/series.h"
#include "reports/result/run_result.h"
#include "runtime/base/random.h"

namespace assay::reports {

// An AR(1) process with variance 1. Its innovations are normally distributed
// or, with heavy tails, have Student's t distribution with 4 degrees of
// freedom.
class Autocorrelated {
 public:
  Autocorrelated(double correlation, bool heavy_tails, uint64_t seed);
  double Next();

 private:
  double Uniform();
  double Normal();
  double Innovation();

  const double correlation_;
  const bool heavy_tails_;
  Rng rng_;
  double state_;
};

struct WorldOptions {
  int cells = 30;
  double noise = 0.01;     // standard deviation of a night of a cell
  double correlation = 0;  // lag-1 autocorrelation of the noise
  bool heavy_tails = false;
  // Standard deviation of the change of the machine's level from one night to
  // the next.
  double drift = 0;
  uint64_t seed = 1;
};

class World {
 public:
  // Returns the outcome of a comparison of a new program with the old one,
  // whose times differ by exp(change).
  using Judge = std::function<SideBySide(double change)>;

  // `judge` compares the programs that have changed in the night of the change.
  World(const WorldOptions& options, Judge judge);

  // These functions change the world before the next night. `change` is the
  // difference of the logarithms of the times.
  void ChangeCode(int cell, double change);
  void ChangeLayout(int cell, double change);
  // The time of loading changes, for a reason that nobody records.
  void ChangeLoad(int cell, double change);
  // A new kernel of the operating system, or, if it is not recorded, other
  // programs on the machine.
  void ChangeMachine(bool recorded, double change);
  void ChangeRuntime(double change);
  void ChangePolicy(double change);

  // Measures all cells and appends the run.
  void MeasureNight();

  const std::vector<RunResult>& history() const { return history_; }

 private:
  struct CellState {
    std::vector<int> kernels;  // versions of the code
    int layout = 0;
    double level = 0;
    double load = 0;
    double changed_by = 0;      // since the last night
    std::string last_artifact;  // of the last night
    Autocorrelated latency_noise, load_noise;
  };

  Row RowOf(int index, CellState& cell);

  const WorldOptions options_;
  const Judge judge_;
  Autocorrelated drift_;
  std::vector<CellState> cells_;
  int kernel_ = 0, runtime_ = 0, policy_ = 0;
  double machine_ = 0;
  std::vector<RunResult> history_;
};

// Returns series of the time of loading, without rows, in which nothing happens
// but noise and the drift of the machine. It is the fast form of a World for
// many nights.
std::vector<Series> LoadSeries(const WorldOptions& options, size_t nights);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_HISTORY_TESTING_WORLD_H_
