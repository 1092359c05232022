// The flags of a suite that change how models are compiled. They set some of
// the fields of driver::CompileOptions. The field `fusion` is set by --fusion
// (matrix_flags.h).
#ifndef ASSAY_SUITES_HARNESS_FLAGS_COMPILE_FLAGS_H_
#define ASSAY_SUITES_HARNESS_FLAGS_COMPILE_FLAGS_H_

#include "compiler/driver/compile_options.h"
#include "suites/harness/flags/flag_group.h"

namespace assay::suites {

// Adds the flags to `app`. `options` must outlive `app` and the returned
// function.
FinishFlags AddCompileFlags(CLI::App& app, driver::CompileOptions* options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_COMPILE_FLAGS_H_
