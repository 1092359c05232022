// BenchReport: the report of bench_artifact. It contains the samples and all
// data that are needed to interpret them later.
#ifndef ASSAY_RUNTIME_TOOLS_BENCH_REPORT_H_
#define ASSAY_RUNTIME_TOOLS_BENCH_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/artifact/artifact.h"
#include "runtime/device/cpu/host_facts.h"
#include "runtime/tools/bench_timing.h"

namespace assay::runtime {

// Version of the JSON format. It must be increased if a field is removed or its
// meaning changes.
constexpr int kBenchSchemaVersion = 1;

struct BenchReport {
  const Artifact* artifact = nullptr;
  HostFacts host;
  int threads = 0;
  // Time in which the artifact was loaded, from its file to a program that is
  // ready to run (Session::LoadNanos).
  int64_t load_nanos = 0;
  // The peak of the memory of this process (Session::PeakResidentBytes), if the
  // system tells it.
  std::optional<int64_t> peak_resident_bytes;
  BenchTiming timing;
  std::string inputs;  // source of the inputs: `seed 7` or `file NAME`
  std::string inputs_digest;
  BenchResult result;
};

// Returns the report as indented JSON that ends in a newline.
std::string ToJson(const BenchReport& report);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_BENCH_REPORT_H_
