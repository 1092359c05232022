// WriteKernelDifference: writes the stages of a kernel in two builds, and their
// differences, as files. Reads the dumps of both builds
// (driver::CompileOptions::dump_dir):
//
//   <folder>/base.schedule.txt  run.schedule.txt  schedule.diff
//            base.tir.txt       run.tir.txt       tir.diff
//            base.s             run.s             s.diff
//
// The differences are unified diffs by the machine's `diff`. If a side has
// several kernels, its file contains all of them; if it has none, its file is
// empty.
#ifndef ASSAY_SUITES_HARNESS_KERNEL_FILES_H_
#define ASSAY_SUITES_HARNESS_KERNEL_FILES_H_

#include <string>

#include "absl/status/status.h"
#include "reports/result/run_result.h"

namespace assay::suites {

// Creates `folder`. Returns NotFound, naming the file, if a kernel was not
// dumped.
absl::Status WriteKernelDifference(const std::string& base_dump,
                                   const std::string& run_dump,
                                   const reports::KernelChange& change,
                                   const std::string& folder);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_KERNEL_FILES_H_
