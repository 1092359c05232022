// WriteKernelDifference: shows how a kernel differs between two builds, `base`
// and `run`. Reads the schedule, the loop IR and the assembly of the kernel
// from the dump folders of both builds (driver::CompileOptions::dump_dir) and
// writes these files:
//
//   <folder>/base.schedule.txt  run.schedule.txt  schedule.diff
//            base.tir.txt       run.tir.txt       tir.diff
//            base.s             run.s             s.diff
//
// The .diff files are unified diffs, written by /usr/bin/diff. A base.* file
// contains the text of all kernels in KernelChange::base_kernels. A run.* file
// contains the text of all kernels in KernelChange::run_kernels. If a list has
// no kernels, its files are empty.
#ifndef ASSAY_SUITES_CAUSE_KERNEL_FILES_H_
#define ASSAY_SUITES_CAUSE_KERNEL_FILES_H_

#include <string>

#include "absl/status/status.h"
#include "reports/result/run_result.h"

namespace assay::suites {

// Creates `folder` if it does not exist. Returns NotFound, with the name of the
// file, if a kernel was not dumped.
absl::Status WriteKernelDifference(const std::string& base_dump,
                                   const std::string& run_dump,
                                   const reports::KernelChange& change,
                                   const std::string& folder);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CAUSE_KERNEL_FILES_H_
