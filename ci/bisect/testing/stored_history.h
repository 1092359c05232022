// StoredHistory: a line of commits whose builds are taken from a pool of
// artifacts, so that a hundred bisections can be tried in the time of one. The
// artifacts are real, and so are the measurements.
//
// The pool has a build for each combination of
//   - the culprits that the commit contains, which make kernels do a part of
//     their work twice (make_history.sh), and
//   - a version of other code, which changes digests but not the time: none,
//     another layout of all kernels (--layout_seed), or a little more work in a
//     kernel that takes little time.
#ifndef ASSAY_CI_BISECT_TESTING_STORED_HISTORY_H_
#define ASSAY_CI_BISECT_TESTING_STORED_HISTORY_H_

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ci/bisect/search/build.h"
#include "ci/bisect/search/candidates.h"

namespace assay::ci {

struct StoredVariant {
  int culprits = 0;  // the first culprits of the history
  int placement = 0;

  bool operator<(const StoredVariant& other) const {
    return culprits != other.culprits ? culprits < other.culprits
                                      : placement < other.placement;
  }
};

struct HistoryShape {
  int commits = 64;
  int culprits = 1;
  int placements = 3;  // of the pool
  // Fractions of the commits that do not build, that change nothing which is
  // built, and of the others that change code.
  double broken = 0.1;
  double idle = 0.3;
  double changes_code = 0.25;
};

class StoredHistory : public Builder {
 public:
  // Draws a history. `pool` must outlive it, and has a build for each variant.
  StoredHistory(const HistoryShape& shape,
                const std::map<StoredVariant, Build>& pool, uint64_t seed);

  const std::vector<std::string>& commits() const { return names_; }
  const std::vector<Candidate>& candidates() const { return candidates_; }
  // The candidates that remain if a ledger knows the code of all commits that
  // can be built.
  std::vector<Candidate> CandidatesOfLedger() const;
  // CellOptions::kernel_weights for these candidates.
  std::vector<double> WeightsOf(const std::vector<Candidate>& candidates) const;

  // The commits at which the culprits are, ascending.
  const std::vector<int>& culprits() const { return culprits_; }
  bool IsBroken(int commit) const {
    return commits_[static_cast<size_t>(commit)].broken;
  }

  bool IsDone(const std::string& commit) const override {
    return built_.count(commit) > 0;
  }
  absl::StatusOr<const Build*> Get(const std::string& commit) override;

  // The number of commits that were built, with those that cannot be.
  int builds() const { return static_cast<int>(built_.size()); }

 private:
  struct StoredCommit {
    bool broken = false;
    StoredVariant variant;
    int inputs = 0;  // a number that is equal for equal inputs
    bool touches_compiler = false;
  };

  const std::map<StoredVariant, Build>& pool_;
  std::vector<StoredCommit> commits_;
  std::vector<std::string> names_;
  std::vector<Candidate> candidates_;
  std::vector<int> culprits_;
  std::map<std::string, Build> built_;
};

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_TESTING_STORED_HISTORY_H_
