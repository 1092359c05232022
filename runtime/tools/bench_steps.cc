#include "runtime/tools/bench_steps.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/block_text.h"

namespace assay::runtime {
namespace {

class StepServer {
 public:
  StepServer(Session& session, int programs, std::ostream& out,
             std::function<absl::Status()> set_default_inputs,
             int64_t read_nanos)
      : session_(session),
        programs_(programs),
        out_(out),
        read_nanos_(read_nanos),
        set_default_inputs_(std::move(set_default_inputs)) {}

  // Writes the answer to a request.
  void Answer(const std::string& line) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(' ', 1));
    const std::string& verb = parts.first;
    const bool fails_with_code = verb == "block" || verb == "flush" ||
                                 verb == "replace" || line == "loaded" ||
                                 (verb == "calls" && line != verb);
    const absl::StatusOr<std::string> answer =
        fails_with_code ? NewStep(verb, parts.second)
                        : OldStep(line, verb, parts.second);
    if (answer.ok()) {
      out_ << "ok" << (answer->empty() ? "" : " ") << *answer << std::endl;
    } else if (fails_with_code) {
      out_ << SerializeFailure(answer.status()) << std::endl;
    } else {
      out_ << "error "
           << absl::StrReplaceAll(answer.status().message(), {{"\n", " "}})
           << std::endl;
    }
  }

 private:
  // These two functions return the text after `ok`. The first one performs the
  // requests whose failures are answered with `error`, and the second one those
  // whose failures are answered with `fail`.
  absl::StatusOr<std::string> OldStep(const std::string& line,
                                      const std::string& verb,
                                      const std::string& argument) {
    if (verb == "run") return Run(argument);
    if (verb == "inputs") {
      ASSAY_ASSIGN_OR_RETURN(const NamedTensors inputs, ReadTensors(argument));
      ASSAY_RETURN_IF_ERROR(session_.SetInputs(inputs));
      set_default_inputs_ = nullptr;
      return std::string();
    }
    if (verb == "outputs") {
      if (outputs_.empty()) {
        return absl::FailedPreconditionError("there was no `run` yet");
      }
      ASSAY_RETURN_IF_ERROR(WriteTensors(argument, outputs_));
      return std::string();
    }
    if (line == "timed") return Timed();
    if (line == "calls") return Calls(/*program=*/0);
    return absl::InvalidArgumentError(absl::StrCat("`", line, "` is no step"));
  }

  absl::StatusOr<std::string> NewStep(const std::string& verb,
                                      const std::string& argument) {
    if (verb == "block") return TakeBlock(argument);
    if (verb == "replace") {
      ASSAY_ASSIGN_OR_RETURN(const Artifact artifact, ReadArtifact(argument));
      ASSAY_RETURN_IF_ERROR(session_.Replace(artifact));
      return std::string();
    }
    if (verb == "loaded") {
      ASSAY_ASSIGN_OR_RETURN(const int64_t nanos, session_.LoadNanos());
      return absl::StrCat(read_nanos_ + nanos);
    }
    int64_t number = 0;
    const bool valid = absl::SimpleAtoi(argument, &number) && number >= 0;
    if (verb == "calls") {
      if (valid && number < programs_) return Calls(static_cast<int>(number));
      return absl::InvalidArgumentError(absl::StrCat(
          "`", argument, "` is no index of a program; there are ", programs_));
    }
    if (!valid || number > kMaxFlushBytes) {
      return absl::InvalidArgumentError(absl::StrCat(
          "`", argument, "` is no number of bytes from 0 to ", kMaxFlushBytes));
    }
    ASSAY_RETURN_IF_ERROR(session_.FlushCaches(number));
    return std::string();
  }

  absl::Status EnsureInputs() {
    if (set_default_inputs_ == nullptr) return absl::OkStatus();
    ASSAY_RETURN_IF_ERROR(set_default_inputs_());
    set_default_inputs_ = nullptr;
    return absl::OkStatus();
  }

  // Writes the lines of the samples.
  absl::StatusOr<std::string> TakeBlock(const std::string& text) {
    ASSAY_ASSIGN_OR_RETURN(const BlockRequest request,
                           ParseBlock(text, programs_));
    if (request.block.samples.empty()) return std::string();
    ASSAY_RETURN_IF_ERROR(EnsureInputs());
    ASSAY_ASSIGN_OR_RETURN(const std::vector<Sample> samples,
                           session_.RunBlock(request.block));
    if (request.block.read_outputs) {
      for (size_t i = 0; i < samples.size(); ++i) {
        ASSAY_RETURN_IF_ERROR(WriteTensors(
            OutputsPath(request.outputs_folder, i), samples[i].outputs));
      }
    }
    for (const Sample& sample : samples) {
      out_ << SerializeSample(sample) << "\n";
    }
    return std::string();
  }

  absl::StatusOr<std::string> Calls(int program) {
    ASSAY_RETURN_IF_ERROR(EnsureInputs());
    ASSAY_ASSIGN_OR_RETURN(const std::vector<int64_t> nanos,
                           session_.TimeCalls(program));
    return absl::StrJoin(nanos, " ");
  }

  absl::StatusOr<std::string> Timed() {
    ASSAY_RETURN_IF_ERROR(EnsureInputs());
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
    ASSAY_RETURN_IF_ERROR(EnsureInputs());
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
  const int programs_;
  std::ostream& out_;
  const int64_t read_nanos_;
  std::function<absl::Status()> set_default_inputs_;  // null once they are set
  NamedTensors outputs_;                              // of the last run
};

}  // namespace

void ServeSteps(Session& session, int programs, std::istream& in,
                std::ostream& out,
                std::function<absl::Status()> set_default_inputs,
                int64_t read_nanos) {
  StepServer server(session, programs, out, std::move(set_default_inputs),
                    read_nanos);
  out << "ready " << session.threads() << std::endl;
  for (std::string line; std::getline(in, line);) server.Answer(line);
}

}  // namespace assay::runtime
