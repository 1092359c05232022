// Summarizer: makes the summaries of records, and the texts of summaries.
#ifndef ASSAY_REPORTS_STORE_SUMMARY_SUMMARIZE_H_
#define ASSAY_REPORTS_STORE_SUMMARY_SUMMARIZE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"
#include "reports/store/record.h"
#include "reports/store/summary/row_summary.h"
#include "reports/store/summary/texts.h"

namespace assay::reports {

class Summarizer {
 public:
  // Adds a record with a row, which begins at `offset` in its segment. The
  // final record of a run has no row and is ignored.
  void Add(const Record& record, int64_t offset);

  // The summaries so far, a run once. RowSummary::segment and run are 0; all
  // texts are numbers of texts().
  std::vector<RunSummary>& runs() { return runs_; }
  const Texts& texts() const { return texts_; }

 private:
  RunSummary& RunOf(const Record& record);
  void AddKernels(const Row& row, uint32_t index, RunSummary& run);

  Texts texts_;
  std::vector<RunSummary> runs_;
};

// The meaning of the texts of a row (row_summary.h). The functions return
// DataLoss if the text is not of this form.
struct CellText {
  std::string suite;
  CellKey key;
};
absl::StatusOr<CellText> ParseCellText(absl::string_view text);
// Sets the members of the row that the texts of program, method and machine
// have.
absl::Status ParseProgramText(absl::string_view text, Row* row);
absl::Status ParseMethodText(absl::string_view text, Row* row);
absl::Status ParseMachineText(absl::string_view text, Row* row);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_SUMMARY_SUMMARIZE_H_
