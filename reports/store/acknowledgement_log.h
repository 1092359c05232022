// AppendAcknowledgement and ReadAcknowledgements: the acknowledgements of a
// store in a folder (acknowledgement.h).
#ifndef ASSAY_REPORTS_STORE_ACKNOWLEDGEMENT_LOG_H_
#define ASSAY_REPORTS_STORE_ACKNOWLEDGEMENT_LOG_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "reports/store/acknowledgement.h"

namespace assay::reports {

// Adds an acknowledgement durably, and creates the folder if necessary.
absl::Status AppendAcknowledgement(const std::string& folder,
                                   const Acknowledgement& acknowledgement);

struct AcknowledgementLog {
  // Each once, ordered by the time at which they were made.
  std::vector<Acknowledgement> acknowledgements;
  // Sentences about lines that were skipped: `<file>: the line is truncated`.
  std::vector<std::string> skipped;
};

// Reads all acknowledgements. Returns NotFound if the folder does not exist.
absl::StatusOr<AcknowledgementLog> ReadAcknowledgements(
    const std::string& folder);

// Returns the lines of all valid acknowledgements, without line breaks.
absl::StatusOr<std::vector<std::string>> AcknowledgementLines(
    const std::string& folder);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_ACKNOWLEDGEMENT_LOG_H_
