#include "suites/injected/record.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/injected/report.h"
#include "suites/trials/report_text.h"

namespace assay::suites {

absl::StatusOr<InjectionRecord> InjectionRecord::Open(
    const std::string& folder, const std::string& method) {
  InjectionRecord record(folder);
  if (folder.empty()) return record;
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  ASSAY_ASSIGN_OR_RETURN(
      record.file_,
      LineFile::Open(JoinPath(folder, "tries.csv"), InjectionHeader()));
  ASSAY_ASSIGN_OR_RETURN(record.injections_,
                         record.file_.Items(ParseInjections));
  for (const Injection& injection : record.injections_) {
    if (injection.method == method) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "`", folder, "` has results of the method ", injection.method, ", not ",
        method, "; choose another folder"));
  }
  return record;
}

bool InjectionRecord::Has(const Injection& planned) const {
  return absl::c_any_of(injections_, [&planned](const Injection& injection) {
    return SameParameters(injection, planned);
  });
}

absl::Status InjectionRecord::Append(const Injection& injection) {
  // Numbers are rounded in the file. The report must match the file.
  const std::string line = InjectionLine(injection);
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Injection> rounded,
                         ParseInjections(line));
  injections_.insert(injections_.end(), rounded.begin(), rounded.end());
  return file_.Append(line);
}

absl::StatusOr<std::string> InjectionRecord::WriteReport(
    const runtime::DeviceFacts& machine) const {
  const std::string report =
      absl::StrCat(MachineText(machine), "\n", InjectionReport(injections_));
  if (!folder_.empty()) {
    ASSAY_RETURN_IF_ERROR(
        WriteFileAtomic(JoinPath(folder_, "report.txt"), report));
  }
  return report;
}

}  // namespace assay::suites
