// ParseBenchFlags: parses the command line of bench_artifact.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_FLAGS_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_FLAGS_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "runtime/tools/bench_timing.h"

namespace assay::runtime {

struct BenchFlags {
  // One file or, if `steps` is not 0, one or two.
  std::vector<std::string> artifacts;
  // Tensor file of the inputs. If empty, the inputs are generated from `seed`.
  std::string inputs;
  // File to which the outputs are written. If empty, they are not written.
  std::string outputs;
  // File to which the report is written. If empty, it is written to standard
  // output.
  std::string json;
  uint64_t seed = 0;
  int threads = 0;
  uint64_t placement_seed = 0;  // as in LoadOptions
  std::string shared_memory;    // as in LoadOptions
  bool flush_cache = false;
  // If not 0, bench_artifact runs ServeSteps() (bench_steps.h) for a client of
  // this version, and writes no report.
  int steps = 0;
  // ParseBenchFlags() does not set BenchTiming::flush_cache_bytes.
  BenchTiming timing;
};

// A text to print and the exit code, for a command line with which
// bench_artifact measures nothing. The text is the help (exit code 0) or a
// usage error (exit code 2).
struct FlagsExit {
  std::string text;
  int code = 0;
};

std::variant<BenchFlags, FlagsExit> ParseBenchFlags(int argc,
                                                    const char* const* argv);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_FLAGS_H_
