// Build: what a bisection keeps of a commit that was built. Builder makes it.
#ifndef ASSAY_CI_BISECT_SEARCH_BUILD_H_
#define ASSAY_CI_BISECT_SEARCH_BUILD_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "reports/result/run_result.h"
#include "runtime/artifact/artifact.h"

namespace assay::ci {

// One cell, compiled, checked and run by the suite of its own commit.
struct CellBuild {
  std::string name;  // suites::CellName
  reports::Row row;
  // The kernel calls of the artifact; empty if the cell was not compiled.
  std::vector<runtime::KernelCall> calls;
};

struct Build {
  std::string commit;
  // One sentence on why the commit cannot be built; empty if it was built.
  std::string problem;
  // Where the suite wrote its results and artifacts (--out), and the stages of
  // the compilation, in the subfolder `dump`.
  std::string folder;
  // The `bench_artifact` of the commit, and the digest of its file.
  std::string runtime;
  std::string runtime_digest;
  std::vector<CellBuild> cells;

  bool ok() const { return problem.empty(); }
  // Returns null if the suite of the commit does not have the cell.
  const CellBuild* Find(const std::string& cell) const {
    for (const CellBuild& one : cells) {
      if (one.name == cell) return &one;
    }
    return nullptr;
  }
};

class Builder {
 public:
  virtual ~Builder() = default;

  // Returns true if Get() has the result already.
  virtual bool IsDone(const std::string& commit) const = 0;
  // Builds a commit and compiles its cells, or returns the earlier result. The
  // pointer is valid as long as the builder. Returns an error if the machine
  // fails; a commit that cannot be built is a result.
  virtual absl::StatusOr<const Build*> Get(const std::string& commit) = 0;
};

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_SEARCH_BUILD_H_
