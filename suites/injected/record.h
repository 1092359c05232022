// InjectionRecord: the results of //suites:injection in a folder.
//
//   tries.csv   a line per try or control (injection.h), appended when it ends
//   report.txt  the machine, and InjectionReport()
//
// A run that was stopped continues in the same folder.
#ifndef ASSAY_SUITES_INJECTED_RECORD_H_
#define ASSAY_SUITES_INJECTED_RECORD_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/measure/device_facts.h"
#include "suites/injected/injection.h"
#include "suites/trials/record_file.h"

namespace assay::suites {

struct InjectionRecord {
  std::string folder;
  RecordFile<Injection> file;

  // Reads the files in `folder`, which is created if it does not exist. If
  // `folder` is empty, nothing is stored. Returns FailedPrecondition if the
  // folder has results of another method than `method`, because they must not
  // be mixed.
  static absl::StatusOr<InjectionRecord> Open(const std::string& folder,
                                              const std::string& method);

  // Writes report.txt and returns its contents.
  absl::StatusOr<std::string> WriteReport(
      const runtime::DeviceFacts& machine) const;
};

// Returns the tables of tries and controls as text:
//   - for each commit, method and budget, the number of injections;
//   - for each kind and number of threads, the rates of tries that were good
//     and that regressed, with 95 % bounds (Clopper and Pearson), how many were
//     attributed to the right node, and the medians of the measured changes, of
//     |SumError()| and of the times of the runs;
//   - for each suite and number of threads, the rate of good controls, their
//     verdicts, the largest change, and the median of the times of the runs.
std::string InjectionReport(const std::vector<Injection>& injections);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_INJECTED_RECORD_H_
