// BenchMain: implements the main() of bench_artifact, as a function that tests
// can call.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_MAIN_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_MAIN_H_

#include <ostream>

namespace assay::runtime {

// Runs bench_artifact (see --help) and returns the exit code. Writes
//   - to `out`: the help, the answers of --steps, and the report. If --json
//     names a file, the report is written to this file instead;
//   - to `err`: errors and, if `show_progress` is true, a line that shows the
//     progress.
int BenchMain(int argc, const char* const* argv, bool show_progress,
              std::ostream& out, std::ostream& err);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_MAIN_H_
