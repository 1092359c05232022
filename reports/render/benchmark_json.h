// Google Benchmark's JSON: samples for the tools that read it (its compare.py,
// and what plots and stores its files), and from the programs that write it.
//
// A cell is a benchmark of the name
// `resnet18/resnet18/host/fusion:on/threads:2` (suite, model,
// device and so on), its samples are its repetitions, in milliseconds of real
// time, and mean, median, stddev and cv its aggregates. The verdict is the
// label; a cell without samples has its reason as `error_message`. The file
// keeps no more of a row than that, so it is no place to store results.
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

// The samples of any file of the format, a row for each benchmark, in the order
// of the file. One of a name that is not as above has the program as its suite
// and the whole name as its model. What failed is `infrastructure`, what says
// no verdict `no_baseline`. The error names the member at fault
// (`benchmarks[2].real_time`).
absl::StatusOr<RunResult> ParseBenchmarkJson(absl::string_view text);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_BENCHMARK_JSON_H_
