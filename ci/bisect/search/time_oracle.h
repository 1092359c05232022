// TimeOracle: answers the questions of a search for the commit that made a cell
// slower. See cell_bisection.h.
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
  absl::StatusOr<bool> Build(int candidate) override;
  absl::StatusOr<Decision> Compare(int base, int run) override;
  absl::StatusOr<Decision> Confirm(int base, int run) override;

  // Returns the measurement of two candidates, or null.
  const Comparison* Measured(int base, int run) const;

  int measurements() const { return measurements_; }
  double measuring_s() const { return measuring_s_; }

 private:
  absl::StatusOr<Comparison> Measure(int base, int run, bool runtimes);
  // A name of the two programs that are measured.
  std::string PairOf(int base, int run, bool runtimes) const;
  // The code of a candidate that was built, which determines its speed.
  std::string KeyOf(int candidate) const;
  const CellBuild* CellOf(int candidate) const;
  void KeepSlowParts(const reports::Attribution& attribution);

  Probes& probes_;
  Comparer& comparer_;
  const TimeOptions options_;
  // The parts of the model whose code tells candidates apart, and whether the
  // runtime does.
  std::vector<CodePart> parts_;
  bool runtimes_ = false;
  std::map<int, const ci::Build*> builds_;
  // Decisions by the keys of both candidates.
  std::map<std::pair<std::string, std::string>, Decision> decisions_;
  // Measurements by both programs.
  std::map<std::string, Comparison> comparisons_;
  int measurements_ = 0;
  double measuring_s_ = 0;
};

// Returns true if the suite of the commit compiled the cell, and its outputs
// are correct.
bool Works(const Build& build, const std::string& cell);

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_SEARCH_TIME_ORACLE_H_
