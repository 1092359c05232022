// TimeOracle: answers the questions of a search for the commit that made a cell
// slower. See cell_bisection.h.
//
// The ends, and a culprit beside its parent, are judged by all kernels whose
// code differs. If this gives no verdict within its usual time, as beside other
// programs, those that seem to be slower are judged alone (slow_kernels.h), and
// only if these are undecided, too, all again, for as long as it takes. Once
// the slow kernels are known, other probes are judged by these alone.
#ifndef ASSAY_CI_BISECT_SEARCH_TIME_ORACLE_H_
#define ASSAY_CI_BISECT_SEARCH_TIME_ORACLE_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ci/bisect/search/build.h"
#include "ci/bisect/search/cell_code.h"
#include "ci/bisect/search/comparison.h"
#include "ci/bisect/search/probes.h"
#include "ci/bisect/search/search.h"
#include "ci/bisect/search/slow_kernels.h"

namespace assay::ci {

struct TimeOptions {
  std::string cell;
  // Half of the smallest change that is searched for.
  double margin = 0.005;
};

class TimeOracle : public Oracle {
 public:
  // All references must outlive this object.
  TimeOracle(Probes& probes, Comparer& comparer, TimeOptions options)
      : probes_(probes), comparer_(comparer), options_(std::move(options)) {}

  // Compares the two ends, in which the cell works. Must be called first. If
  // the bad end is slower, finds out by which code the ends are told apart.
  enum class Ends { kSlower, kSameProgram, kNotSlower };
  absl::StatusOr<Ends> CompareEnds();

  bool IsKnown(int base, int run) override;
  bool IsBuilt(int candidate) override { return probes_.IsDone(candidate); }
  absl::StatusOr<bool> Build(int candidate) override;
  absl::StatusOr<Decision> Compare(int base, int run) override;
  absl::StatusOr<Decision> Confirm(int base, int run) override;

  // Returns the measurement of all kernels of two candidates, or null.
  const Comparison* Measured(int base, int run) const;
  // Returns the measurement of their slow kernels, or null.
  const Comparison* MeasuredKernels(int base, int run) const;

  // True if the kernels do not explain the change, so that each artifact is run
  // by the runtime of its commit.
  bool compares_runtimes() const { return runtimes_; }

  int measurements() const { return measurements_; }
  double measuring_s() const { return measuring_s_; }
  double side_by_side_s() const { return side_by_side_s_; }

 private:
  // A measurement of two candidates.
  struct Measurement {
    int base = 0;
    int run = 0;
    // The kernels that are judged alone; null stands for all.
    const SlowKernels* kernels = nullptr;
    bool patient = false;
  };
  absl::StatusOr<Comparison> Measure(const Measurement& measurement);
  // Measures two candidates until there is a verdict, as described above. Sets
  // `slow` to the kernels from which the verdict follows, if it does not follow
  // from all.
  absl::StatusOr<stats::Verdict> Judge(int base, int run,
                                       std::optional<SlowKernels>* slow);
  // A name of what is measured.
  std::string NameOf(const Measurement& measurement) const;
  const Comparison* Find(const Measurement& measurement) const;
  // The code of a candidate that was built, which determines its speed.
  std::string KeyOf(int candidate) const;
  const CellBuild* CellOf(int candidate) const;
  // Tells candidates apart by the slow kernels from now on, if the code of
  // these is known.
  void KeepSlowParts(SlowKernels slow);

  Probes& probes_;
  Comparer& comparer_;
  const TimeOptions options_;
  // The parts of the model whose code tells candidates apart, and whether the
  // runtime does.
  std::vector<CodePart> parts_;
  bool runtimes_ = false;
  // The kernels that are slower at the bad end, if they explain the change.
  std::optional<SlowKernels> slow_;
  std::map<int, const ci::Build*> builds_;
  // Decisions by the keys of both candidates.
  std::map<std::pair<std::string, std::string>, Decision> decisions_;
  // Measurements by their names.
  std::map<std::string, Comparison> comparisons_;
  int measurements_ = 0;
  double measuring_s_ = 0;
  double side_by_side_s_ = 0;
};

// Returns true if the suite of the commit compiled the cell, and its outputs
// are correct.
bool Works(const Build& build, const std::string& cell);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_SEARCH_TIME_ORACLE_H_
