// The command line of bench_artifact.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_FLAGS_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_FLAGS_H_

#include <cstdint>
#include <string>
#include <variant>

#include "runtime/tools/bench_timing.h"

namespace assay::runtime {

struct BenchFlags {
  std::string artifact;
  std::string inputs;   // tensor file; if empty, generated from `seed`
  std::string outputs;  // file for the outputs; empty for none
  std::string json;     // file for the report; empty for standard output
  uint64_t seed = 0;
  int threads = 0;
  bool flush_cache = false;
  bool steps = false;  // runs ServeSteps() (bench_steps.h) instead of a report
  BenchTiming timing;  // flush_cache_bytes is not set here
};

// Text to print and exit code if nothing is to be run: the help (0) or a usage
// error (2).
struct FlagsExit {
  std::string text;
  int code = 0;
};

std::variant<BenchFlags, FlagsExit> ParseBenchFlags(int argc,
                                                    const char* const* argv);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_FLAGS_H_
