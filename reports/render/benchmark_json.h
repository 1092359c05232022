// The JSON format of Google Benchmark: writes samples for tools that read it
// (compare.py, plotting and storage tools), and reads files of other programs.
//
// A cell is a benchmark named `resnet18/resnet18/host/fusion:on/threads:2`
// (suite, model, device and so on). Its samples are its repetitions, in
// milliseconds of real time, and mean, median, stddev and cv its aggregates.
// The verdict is the label; a cell without samples has its reason as
// `error_message`. The format holds nothing else of a row, so it is not
// suitable for storing results.
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

// Reads the samples of any file of the format, one row per benchmark, in the
// order of the file. If the name is not like the one above, the suite is the
// program and the model is the whole name. A failed benchmark has the verdict
// `infrastructure`, one without a verdict `no_baseline`. An error names the
// member (`benchmarks[2].real_time`).
absl::StatusOr<RunResult> ParseBenchmarkJson(absl::string_view text);

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RENDER_BENCHMARK_JSON_H_
