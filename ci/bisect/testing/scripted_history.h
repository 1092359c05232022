// ScriptedHistory: commits whose builds and times a test writes down.
#ifndef ASSAY_CI_BISECT_TESTING_SCRIPTED_HISTORY_H_
#define ASSAY_CI_BISECT_TESTING_SCRIPTED_HISTORY_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ci/bisect/search/build.h"
#include "ci/bisect/search/comparison.h"
#include "reports/stats/verdict.h"

namespace assay::ci {

inline constexpr char kScriptedCell[] = "net/host/fusion_on/threads_1";

struct ScriptedCommit {
  // The digest of each kernel; kernel i computes the node `n<i>`.
  std::vector<std::string> kernels = {"conv", "relu", "dense"};
  std::string runtime = "runtime";
  bool broken = false;
  stats::Verdict verdict = stats::Verdict::kNoBaseline;
  bool has_cell = true;
  int64_t artifact_bytes = 1000;
  int64_t arena_bytes = 100;
  double compile_ms = 100;
  double load_ms = 10;
};

// The commits are called `c0`, `c1`, ...
class ScriptedHistory : public Builder, public Comparer {
 public:
  // Makes `count` equal commits.
  explicit ScriptedHistory(int count) : commits_(static_cast<size_t>(count)) {}

  ScriptedCommit& operator[](int index) {
    return commits_[static_cast<size_t>(index)];
  }
  // Calls `change` for the commit and all later ones.
  template <typename Change>
  void From(int index, const Change& change) {
    for (int i = index; i < static_cast<int>(commits_.size()); ++i) {
      change((*this)[i]);
    }
  }
  // The times of kernels and runtimes that do not take 1 and 0 ms.
  std::map<std::string, double> ms;
  // Comparisons that do not come to a verdict, by the commits.
  std::map<std::pair<std::string, std::string>, bool> undecided;
  // If true, no comparison of all kernels comes to a verdict, but those of some
  // do.
  bool noisy = false;
  // If true, patient comparisons come to a verdict although `noisy` is true.
  bool patience_helps = false;
  // What kernels seem to take longer, by noise, in attributions.
  std::map<std::string, double> seeming_ms;

  std::vector<std::string> Hashes() const;

  bool IsDone(const std::string& commit) const override {
    return builds_.count(commit) > 0;
  }
  absl::StatusOr<const Build*> Get(const std::string& commit) override;
  absl::StatusOr<Comparison> Compare(const ComparisonRequest& request) override;
  bool HasMoreTime() const override { return patience_helps; }

  int builds() const { return static_cast<int>(builds_.size()); }
  int comparisons() const { return comparisons_; }

 private:
  double TimeOfKernel(const runtime::KernelCall& call) const;
  // `nodes` are as in ComparisonRequest.
  double TimeOf(const Build& build, bool runtime,
                const std::vector<std::string>& nodes) const;
  reports::Attribution Attribute(const Build& base, const Build& run) const;

  std::vector<ScriptedCommit> commits_;
  std::map<std::string, Build> builds_;
  int comparisons_ = 0;
};

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_TESTING_SCRIPTED_HISTORY_H_
