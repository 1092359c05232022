// bench_artifact as a function, so that a test can call it.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_MAIN_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_MAIN_H_

#include <ostream>

namespace assay::runtime {

// Does what --help says and returns the exit code. The report, or the help,
// goes to `out`, errors to `err`, and, if `show_progress`, a line that tells
// how far it is, too.
int BenchMain(int argc, const char* const* argv, bool show_progress,
              std::ostream& out, std::ostream& err);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_MAIN_H_
