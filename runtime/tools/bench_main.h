// BenchMain: implements the main() of bench_artifact, as a function that tests
// can call.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_MAIN_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_MAIN_H_

#include <ostream>

namespace assay::runtime {

// Runs bench_artifact (see --help) and returns the exit code. The report (if
// there is no flag --json), the help and the answers of --steps are written to
// `out`, and errors to `err`. If `show_progress` is true, a line that shows the
// progress is also written to `err`.
int BenchMain(int argc, const char* const* argv, bool show_progress,
              std::ostream& out, std::ostream& err);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_MAIN_H_
