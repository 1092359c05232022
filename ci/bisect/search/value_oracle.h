// ValueOracle: answers the questions of a search about a value that a build
// determines, such as the size of an artifact. Nothing is measured side by
// side.
#ifndef ASSAY_CI_BISECT_SEARCH_VALUE_ORACLE_H_
#define ASSAY_CI_BISECT_SEARCH_VALUE_ORACLE_H_

#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "ci/bisect/search/build.h"
#include "ci/bisect/search/probes.h"
#include "ci/bisect/search/search.h"

namespace assay::ci {

class ValueOracle : public Oracle {
 public:
  // Returns the value of a build, or nullopt if it has none and the candidate
  // cannot be used.
  using ValueOf = std::function<std::optional<double>(const ci::Build&)>;

  // A candidate is worse than another if its value is larger by more than the
  // fraction `tolerance`.
  ValueOracle(Probes& probes, ValueOf value_of, double tolerance)
      : probes_(probes),
        value_of_(std::move(value_of)),
        tolerance_(tolerance) {}

  // Says that values have noise: a relative change that is within `noise` of
  // `tolerance` is undecided, and other answers may be wrong.
  void SetNoise(double tolerance, double noise) {
    tolerance_ = tolerance;
    noise_ = noise;
  }

  bool IsKnown(int base, int run) override;
  bool IsBuilt(int candidate) override { return probes_.IsDone(candidate); }
  absl::StatusOr<bool> Build(int candidate) override;
  absl::StatusOr<Decision> Compare(int base, int run) override;
  absl::StatusOr<Decision> Confirm(int base, int run) override;

  // The value of a candidate for which Build() returned true.
  double ValueAt(int candidate) const { return values_.at(candidate); }

 private:
  Probes& probes_;
  const ValueOf value_of_;
  double tolerance_;
  double noise_ = 0;
  std::map<int, double> values_;
};

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_SEARCH_VALUE_ORACLE_H_
