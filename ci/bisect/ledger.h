// Ledger: the code of cells at commits, from stores of results.
//
// Rows in a store say which machine code their kernels have and which runtime
// ran them (reports/result/build_facts.h). The nightly run records them, and
// the gate does with --ledger. If two commits have the same code and the same
// runtime for a cell, the cell cannot have become slower between them, and
// neither has to be built.
#ifndef ASSAY_CI_BISECT_LEDGER_H_
#define ASSAY_CI_BISECT_LEDGER_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::ci {

class Ledger {
 public:
  // Reads what the stores in `folders` have of these commits.
  static absl::StatusOr<Ledger> Read(const std::vector<std::string>& folders,
                                     const std::vector<std::string>& commits);

  // Returns a digest of the code, the runtime and the outcome of a cell, or an
  // empty string if it is unknown. Equal digests mean that the programs are
  // equally fast, and equally correct.
  std::string Find(const std::string& commit, const std::string& cell) const;

  // Returns the names of the cells that are known at both commits.
  std::vector<std::string> CellsAt(const std::string& good,
                                   const std::string& bad) const;

 private:
  // The digests by commit and cell.
  std::map<std::string, std::map<std::string, std::string>> digests_;
};

}  // namespace assay::ci

#endif  // ASSAY_CI_BISECT_LEDGER_H_
