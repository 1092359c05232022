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

namespace assay::runtime {
namespace {

class StepServer {
 public:
  explicit StepServer(Session& session) : session_(session) {}

  absl::StatusOr<std::string> Answer(const std::string& line) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(' ', 1));
    if (parts.first == "run") return Run(parts.second);
    if (parts.first == "inputs") {
      ASSAY_ASSIGN_OR_RETURN(const NamedTensors inputs,
                             ReadTensors(parts.second));
      ASSAY_RETURN_IF_ERROR(session_.SetInputs(inputs));
      return std::string();
    }
    if (parts.first == "outputs") {
      if (outputs_.empty()) {
        return absl::FailedPreconditionError("there was no `run` yet");
      }
      ASSAY_RETURN_IF_ERROR(WriteTensors(parts.second, outputs_));
      return std::string();
    }
    if (line == "timed") return Timed();
    if (line == "calls") {
      ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> nanos,
                             session_.TimeCalls(/*program=*/0));
      return absl::StrJoin(nanos, " ");
    }
    return absl::InvalidArgumentError(absl::StrCat("`", line, "` is no step"));
  }

 private:
  absl::StatusOr<std::string> Timed() {
    Block block;
    block.samples = {{/*program=*/0, /*number=*/1}};
    block.read_outputs = true;
    block.time_calls = true;
    ASSAY_ASSIGN_OR_RETURN(std::vector<Sample> samples,
                           session_.RunBlock(block));
    outputs_ = std::move(samples.at(0).outputs);
    return absl::StrCat(samples[0].nanos,
                        samples[0].call_nanos.empty() ? "" : " ",
                        absl::StrJoin(samples[0].call_nanos, " "));
  }

  absl::StatusOr<std::string> Run(absl::string_view text) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(text, &number) || number < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", text, "` is no number of runs"));
    }
    Block block;
    block.samples = {{/*program=*/0, number}};
    block.read_outputs = true;
    ASSAY_ASSIGN_OR_RETURN(std::vector<Sample> samples,
                           session_.RunBlock(block));
    outputs_ = std::move(samples.at(0).outputs);
    // The session increases the number of runs if the clock does not advance.
    return absl::StrCat(static_cast<int64_t>(samples[0].NanosPerRun() *
                                             static_cast<double>(number)));
  }

  Session& session_;
  NamedTensors outputs_;  // of the last run
};

}  // namespace

void ServeSteps(Session& session, std::istream& in, std::ostream& out) {
  StepServer server(session);
  out << "ready " << session.threads() << std::endl;
  for (std::string line; std::getline(in, line);) {
    const absl::StatusOr<std::string> answer = server.Answer(line);
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
