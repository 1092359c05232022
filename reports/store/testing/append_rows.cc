// append_rows FOLDER ROWS: writes to a store like a run of a suite, for
// kill_test. Resumes or starts a run, appends each missing row, prints its
// number when it is on disk, and finishes the run.
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "reports/store/run_log.h"
#include "reports/store/testing/rows.h"

namespace assay::reports {
namespace {

absl::Status Run(const std::string& folder, int rows) {
  auto log = RunLog::Open(folder, "job", KillTestHeader(), /*resume=*/true);
  if (!log.ok()) return log.status();
  for (int i = 0; i < rows; ++i) {
    const std::string cell = absl::StrCat(i);
    if ((*log)->Find(cell) != nullptr) continue;
    const absl::Status status = (*log)->Append(cell, KillTestRow(i));
    if (!status.ok()) return status;
    const std::string line = cell + "\n";
    if (write(STDOUT_FILENO, line.data(), line.size()) < 0) return status;
  }
  return (*log)->Finish();
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const absl::Status status = assay::reports::Run(argv[1], std::atoi(argv[2]));
  if (status.ok()) return 0;
  std::cerr << status << "\n";
  return 1;
}
