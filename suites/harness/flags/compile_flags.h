// The flags that change how models are compiled. They set the options of the
// driver, except for `fusion`, which is part of the matrix.
#ifndef ASSAY_SUITES_HARNESS_FLAGS_COMPILE_FLAGS_H_
#define ASSAY_SUITES_HARNESS_FLAGS_COMPILE_FLAGS_H_

#include "compiler/driver/compile_options.h"
#include "suites/harness/flags/flag_group.h"

namespace assay::suites {

// `options` outlives the result.
FinishFlags AddCompileFlags(CLI::App& app, driver::CompileOptions* options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_COMPILE_FLAGS_H_
