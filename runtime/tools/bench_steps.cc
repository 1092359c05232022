#include "runtime/tools/bench_steps.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/local_measurer.h"

namespace assay::runtime {
namespace {

absl::StatusOr<std::string> Run(Executor* executor, absl::string_view text) {
  int64_t number = 0;
  if (!absl::SimpleAtoi(text, &number) || number < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", text, "` is no number of runs"));
  }
  MeasureOptions options;
  options.warmup = 0;
  options.number = number;
  options.repeat = 1;
  ASSAY_ASSIGN_OR_RETURN(const MeasureResult result,
                         MeasureExecutor(executor, options));
  // Runs that take no time by the clock are repeated, more of them.
  return absl::StrCat(
      static_cast<int64_t>(result.samples_ns[0] * static_cast<double>(number)));
}

absl::StatusOr<std::string> Answer(Executor* executor,
                                   const std::string& line) {
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(line, absl::MaxSplits(' ', 1));
  if (parts.first == "run") return Run(executor, parts.second);
  if (parts.first == "inputs") {
    ASSAY_ASSIGN_OR_RETURN(const NamedTensors inputs,
                           ReadTensors(parts.second));
    ASSAY_RETURN_IF_ERROR(executor->SetInputs(inputs));
    return std::string();
  }
  if (parts.first == "outputs") {
    ASSAY_ASSIGN_OR_RETURN(const NamedTensors outputs, executor->GetOutputs());
    ASSAY_RETURN_IF_ERROR(WriteTensors(parts.second, outputs));
    return std::string();
  }
  if (line == "calls") {
    std::vector<int64_t> nanos;
    ASSAY_RETURN_IF_ERROR(executor->RunTimed(&nanos));
    return absl::StrJoin(nanos, " ");
  }
  return absl::InvalidArgumentError(absl::StrCat("`", line, "` is no step"));
}

}  // namespace

void ServeSteps(Executor* executor, int threads, std::istream& in,
                std::ostream& out) {
  out << "ready " << threads << std::endl;
  for (std::string line; std::getline(in, line);) {
    const absl::StatusOr<std::string> answer = Answer(executor, line);
    if (answer.ok()) {
      out << "ok" << (answer->empty() ? "" : " ") << *answer << std::endl;
    } else {
      out << "error "
          << absl::StrReplaceAll(answer.status().message(), {{"\n", " "}})
          << std::endl;
    }
  }
}

}  // namespace assay::runtime
