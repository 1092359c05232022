// WriteKernelDifference: what became of a kernel between two builds, as files
// to read, from the dumps of both (driver::CompileOptions::dump_dir):
//
//   <folder>/base.schedule.txt  run.schedule.txt  schedule.diff
//            base.tir.txt       run.tir.txt       tir.diff
//            base.s             run.s             s.diff
//
// The differences are unified ones, by the machine's `diff`. A side that has
// several kernels has them one after the other; one that has none is empty.
#ifndef ASSAY_SUITES_HARNESS_KERNEL_FILES_H_
#define ASSAY_SUITES_HARNESS_KERNEL_FILES_H_

#include <string>

#include "absl/status/status.h"
#include "reports/result/run_result.h"

namespace assay::suites {

// NotFound, naming the file, where a kernel was not dumped. Makes `folder`.
absl::Status WriteKernelDifference(const std::string& base_dump,
                                   const std::string& run_dump,
                                   const reports::KernelChange& change,
                                   const std::string& folder);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_KERNEL_FILES_H_
