// InjectionRecord: the results of //suites:injection in a folder.
//
//   tries.csv   a line per try or control (injection.h), appended when it ends
//   report.txt  the machine, and InjectionReport()
//
// A run that was stopped continues in the same folder.
#ifndef ASSAY_SUITES_INJECTED_RECORD_H_
#define ASSAY_SUITES_INJECTED_RECORD_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/measure/device_facts.h"
#include "suites/injected/injection.h"
#include "suites/trials/line_file.h"

namespace assay::suites {

class InjectionRecord {
 public:
  // Reads the files in `folder`, which is created if it does not exist. If
  // `folder` is empty, nothing is stored. Returns FailedPrecondition if the
  // folder has results of another method than `method`, because they must not
  // be mixed.
  static absl::StatusOr<InjectionRecord> Open(const std::string& folder,
                                              const std::string& method);

  // Returns true if the injection was already run (SameParameters()).
  bool Has(const Injection& planned) const;

  absl::Status Append(const Injection& injection);

  // Writes report.txt and returns its contents.
  absl::StatusOr<std::string> WriteReport(
      const runtime::DeviceFacts& machine) const;

  const std::vector<Injection>& injections() const { return injections_; }

 private:
  explicit InjectionRecord(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
  std::vector<Injection> injections_;
  LineFile file_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_INJECTED_RECORD_H_
