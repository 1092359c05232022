// FakeStore: a synthetic store of a farm with three devices, for tests of the
// site and for its scale. Everything is determined by the seed.
//
// Each model has 8 cells: on `host` with one and two threads, without fusion
// and tuned; on `rpi4b`, a board of a farm that reports its temperature, and on
// `graviton`, with fusion and without. A night changes the code of some
// programs, which mostly takes the same time, sometimes less and sometimes
// more; programs that changed are compared side by side with those of the night
// before. Now and then the machine, the runtime or the policy changes. In the
// newest night one cell gives wrong outputs, one fails, and one is missing.
#ifndef ASSAY_REPORTS_SITE_TESTING_FAKE_STORE_H_
#define ASSAY_REPORTS_SITE_TESTING_FAKE_STORE_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "reports/result/run_result.h"
#include "runtime/base/random.h"

namespace assay::reports {

struct FakeStoreOptions {
  int cells = 48;
  int nights = 90;
  uint64_t seed = 1;
  int samples = 12;
  // The share of the models whose cells on `host` have times of kernels.
  double with_kernels = 1;
  // The probability that a night changes the code of a model.
  double code_changes = 0.04;
};

class FakeStore {
 public:
  explicit FakeStore(const FakeStoreOptions& options);

  // Measures the next night and appends a segment to the store in `folder`,
  // which must exist. The segment is not synced.
  absl::Status AppendNight(const std::string& folder);
  // Adds acknowledgements and the report of a bisection that fit the nights so
  // far.
  absl::Status AppendDecisions(const std::string& folder) const;

 private:
  struct CellState {
    Row row;  // what does not change
    size_t model = 0;
    int first_night = 0;
    double level = 0;  // logarithm of milliseconds
    double load = 0;
    double slow = 0;  // autocorrelated noise
    std::string artifact;
    double changed_by = 0;
  };
  struct Model {
    std::string name;
    std::vector<int> kernels;     // versions of the code
    std::vector<double> weights;  // shares of the time
  };

  void Evolve();
  void ChangeCode(size_t model, double change);
  RunResult Header() const;
  Row RowOf(size_t cell);
  void AddComparison(CellState& cell, Row& row);
  void AddTimes(CellState& cell, Row& row);

  const FakeStoreOptions options_;
  Rng rng_;
  int night_ = -1;
  std::string commit_;
  std::string last_commit_;
  std::vector<Model> models_;
  std::vector<CellState> cells_;
  std::map<std::string, double> machines_;  // levels by device
  std::map<std::string, int> systems_;      // versions by device
  int runtime_ = 1;
  int policy_ = 1;
  // The last published regression.
  std::string good_, bad_, slower_cell_;
  double slower_by_ = 0;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_TESTING_FAKE_STORE_H_
