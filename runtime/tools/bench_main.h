// bench_artifact as a function, so that a test can call it.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_MAIN_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_MAIN_H_

#include <ostream>

namespace assay::runtime {

// Runs bench_artifact (see --help) and returns the exit code. Writes the report
// or the help to `out`, and errors and, if `show_progress`, a progress line to
// `err`.
int BenchMain(int argc, const char* const* argv, bool show_progress,
              std::ostream& out, std::ostream& err);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_MAIN_H_
