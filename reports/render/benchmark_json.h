// BenchmarkJson and ParseBenchmarkJson: write and read the JSON format of
// Google Benchmark. It is an interface to tools that read this format
// (compare.py, plotting and storage tools) and to other programs that write it.
//
// A row is written as one benchmark:
//   - The name is `<suite>/<model>/<device>/fusion:<on|off>/threads:<count>`,
//     for example `resnet18/resnet18/host/fusion:on/threads:2`. The name of a
//     tuned row has `/tuning:tuned` in front of `/threads`.
//   - Each sample is a repetition, in milliseconds of real time.
//   - mean, median, stddev and cv are aggregates.
//   - The label is the verdict.
//   - If the row has no samples, `error_message` is the reason of the verdict,
//     or the name of the verdict if there is no reason.
// All other fields of a row are lost, so the format is not suitable for storing
// results.
//
// Format: "User Guide", section "Output formats", of google/benchmark 1.8.
#ifndef ASSAY_REPORTS_RENDER_BENCHMARK_JSON_H_
#define ASSAY_REPORTS_RENDER_BENCHMARK_JSON_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "reports/result/run_result.h"

namespace assay::reports {

std::string BenchmarkJson(const RunResult& result);

// Parses a file in this format, written by any program. Returns one row per
// benchmark, in the order of the file. Aggregates are ignored.
//   - Names: if the name of a benchmark does not have the form above, `suite`
//     is the name of the program that the file mentions as `executable`,
//     `model` is the name of the benchmark, and `device` is `host`.
//   - Verdicts: if the label of a benchmark is not a verdict, the verdict is
//     `infrastructure` for a failed benchmark and otherwise `no_baseline`.
// Returns InvalidArgument, with the name of the member
// (`benchmarks[2].real_time`), if a member is missing or invalid.
absl::StatusOr<RunResult> ParseBenchmarkJson(absl::string_view text);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_BENCHMARK_JSON_H_
