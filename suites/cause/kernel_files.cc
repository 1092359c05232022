#include "suites/cause/kernel_files.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/subprocess.h"

namespace assay::suites {
namespace {

struct Stage {
  const char* dumped;   // after the kernel's name
  const char* written;  // after `base` or `run`
  const char* diff;
};
constexpr Stage kStages[] = {
    {".1.schedule.txt", ".schedule.txt", "schedule.diff"},
    {".2.lowered.tir.txt", ".tir.txt", "tir.diff"},
    {".s", ".s", "s.diff"},
};

absl::StatusOr<std::string> ReadStage(const std::string& dump,
                                      const std::vector<std::string>& kernels,
                                      const Stage& stage) {
  std::string text;
  for (const std::string& kernel : kernels) {
    ASSAY_ASSIGN_OR_RETURN(
        const std::string part,
        ReadFile(
            JoinPath(dump, absl::StrCat("kernel.", kernel, stage.dumped))));
    text += part;
  }
  return text;
}

absl::Status WriteDiff(const std::string& base, const std::string& run,
                       const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(
      const runtime::ProcessResult diff,
      runtime::RunProcess(
          {"/usr/bin/diff", "-u", "--label=base", "--label=run", base, run},
          {}));
  // Exit code 1 means that there are differences.
  if (diff.signal != 0 || diff.exit_code > 1) {
    return absl::InternalError(
        absl::StrCat("`diff`: ", runtime::LastLines(diff.err)));
  }
  return WriteFileAtomic(path, diff.out);
}

}  // namespace

absl::Status WriteKernelDifference(const std::string& base_dump,
                                   const std::string& run_dump,
                                   const reports::KernelChange& change,
                                   const std::string& folder) {
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  for (const Stage& stage : kStages) {
    ASSAY_ASSIGN_OR_RETURN(const std::string base,
                           ReadStage(base_dump, change.base_kernels, stage));
    ASSAY_ASSIGN_OR_RETURN(const std::string run,
                           ReadStage(run_dump, change.run_kernels, stage));
    const std::string base_path =
        JoinPath(folder, absl::StrCat("base", stage.written));
    const std::string run_path =
        JoinPath(folder, absl::StrCat("run", stage.written));
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(base_path, base));
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(run_path, run));
    ASSAY_RETURN_IF_ERROR(
        WriteDiff(base_path, run_path, JoinPath(folder, stage.diff)));
  }
  return absl::OkStatus();
}

}  // namespace assay::suites
