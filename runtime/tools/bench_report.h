// The report of bench_artifact in JSON: the samples and everything needed to
// interpret them later.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_REPORT_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_REPORT_H_

#include <string>

#include "runtime/artifact/artifact.h"
#include "runtime/device/cpu/host_facts.h"
#include "runtime/tools/bench_timing.h"

namespace assay::runtime {

// Increases when a field changes its meaning or is removed.
constexpr int kBenchSchemaVersion = 1;

struct BenchReport {
  const Artifact* artifact = nullptr;
  HostFacts host;
  int threads = 0;
  BenchTiming timing;
  std::string inputs;  // `seed 7`, or `file` and its name
  std::string inputs_digest;
  BenchResult result;
};

// Returns indented JSON that ends in a newline.
std::string ToJson(const BenchReport& report);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_REPORT_H_
