// The report of bench_artifact: everything needed to read the samples years
// later, as JSON.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_REPORT_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_REPORT_H_

#include <string>

#include "runtime/artifact/artifact.h"
#include "runtime/device/cpu/host_facts.h"
#include "runtime/measure/measurer.h"

namespace assay::runtime {

// Grows when a field changes its meaning or goes; new fields do not count.
constexpr int kBenchSchemaVersion = 1;

struct BenchReport {
  const Artifact* artifact = nullptr;
  HostFacts host;
  int threads = 0;
  MeasureOptions options;
  std::string inputs;  // `seed 7`, or `file` and its name
  std::string inputs_digest;
  MeasureResult result;
};

// Indented, ending in a newline.
std::string ToJson(const BenchReport& report);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_REPORT_H_
