#include "reports/store/acknowledgement_log.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "reports/store/checked_line.h"
#include "reports/store/store_files.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kSuffix[] = ".acks";

struct Lines {
  std::map<std::string, std::string> by_id;
  std::vector<std::string> skipped;
};

absl::StatusOr<Lines> ReadLines(const std::string& folder) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> files,
                         ListStoreFiles(folder, kSuffix));
  Lines lines;
  for (const std::string& file : files) {
    const absl::StatusOr<std::string> text = ReadFile(JoinPath(folder, file));
    if (absl::IsNotFound(text.status())) continue;
    // The store is damaged; the user's flags are not wrong.
    if (!text.ok()) return absl::InternalError(text.status().message());
    for (const absl::string_view line :
         absl::StrSplit(*text, '\n', absl::SkipEmpty())) {
      const absl::Status status = ParseAcknowledgement(line).status();
      if (status.ok()) {
        lines.by_id.emplace(IdOf(line), line);
      } else {
        lines.skipped.push_back(
            absl::StrCat("`", file, "`: a line ", status.message()));
      }
    }
  }
  return lines;
}

}  // namespace

absl::Status AppendAcknowledgement(const std::string& folder,
                                   const Acknowledgement& acknowledgement) {
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  ASSAY_ASSIGN_OR_RETURN(const std::string name, NewStoreFile(kSuffix));
  return WriteFileAtomic(JoinPath(folder, name),
                         FormatAcknowledgement(acknowledgement));
}

absl::StatusOr<AcknowledgementLog> ReadAcknowledgements(
    const std::string& folder) {
  ASSAY_ASSIGN_OR_RETURN(Lines lines, ReadLines(folder));
  AcknowledgementLog log;
  log.skipped = std::move(lines.skipped);
  // Those of the same time are in the order of their ids.
  std::multimap<std::string, Acknowledgement> by_time;
  for (const auto& [id, line] : lines.by_id) {
    Acknowledgement acknowledgement = *ParseAcknowledgement(line);
    std::string made_at = acknowledgement.made_at;
    by_time.emplace(std::move(made_at), std::move(acknowledgement));
  }
  for (auto& [made_at, acknowledgement] : by_time) {
    log.acknowledgements.push_back(std::move(acknowledgement));
  }
  return log;
}

absl::StatusOr<std::vector<std::string>> AcknowledgementLines(
    const std::string& folder) {
  ASSAY_ASSIGN_OR_RETURN(const Lines lines, ReadLines(folder));
  std::vector<std::string> all;
  for (const auto& [id, line] : lines.by_id) all.push_back(line);
  return all;
}

}  // namespace assay::reports
