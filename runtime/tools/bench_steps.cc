#include "runtime/tools/bench_steps.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/status_macros.h"
#include "runtime/process/peak_memory.h"

namespace assay::runtime {
namespace {

class StepServer {
 public:
  StepServer(Session& session, int programs, std::ostream& out,
             const StepsOptions& options)
      : session_(session),
        programs_(programs),
        out_(out),
        read_nanos_(options.read_nanos),
        set_default_inputs_(options.set_default_inputs) {}

  // Writes the answer to a request.
  void Answer(const std::string& line) {
    const absl::StatusOr<std::string> answer = Perform(line);
    if (answer.ok()) {
      out_ << "ok" << (answer->empty() ? "" : " ") << *answer << std::endl;
    } else {
      out_ << SerializeFailure(answer.status()) << std::endl;
    }
  }

 private:
  // Returns the text after `ok`.
  absl::StatusOr<std::string> Perform(const std::string& line) {
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(' ', 1));
    const auto& [verb, argument] = parts;
    if (verb == "block") return TakeBlock(argument);
    if (verb == "inputs") {
      ASSAY_ASSIGN_OR_RETURN(const NamedTensors inputs, ReadTensors(argument));
      ASSAY_RETURN_IF_ERROR(session_.SetInputs(inputs));
      set_default_inputs_ = nullptr;
      return std::string();
    }
    if (verb == "replace") {
      ASSAY_ASSIGN_OR_RETURN(const Artifact artifact, ReadArtifact(argument));
      ASSAY_RETURN_IF_ERROR(session_.Replace(artifact));
      return std::string();
    }
    if (line == "loaded") {
      ASSAY_ASSIGN_OR_RETURN(const int64_t nanos, session_.LoadNanos());
      return absl::StrCat(read_nanos_ + nanos);
    }
    if (line == "memory") {
      ASSAY_ASSIGN_OR_RETURN(const int64_t bytes, PeakResidentBytes());
      return absl::StrCat(bytes);
    }
    return absl::InvalidArgumentError(absl::StrCat("`", line, "` is no step"));
  }

  // Writes the lines of the samples.
  absl::StatusOr<std::string> TakeBlock(const std::string& text) {
    ASSAY_ASSIGN_OR_RETURN(const BlockRequest request,
                           ParseBlock(text, programs_));
    if (request.block.samples.empty()) return std::string();
    if (set_default_inputs_ != nullptr) {
      ASSAY_RETURN_IF_ERROR(set_default_inputs_());
      set_default_inputs_ = nullptr;
    }
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

  Session& session_;
  const int programs_;
  std::ostream& out_;
  const int64_t read_nanos_;
  std::function<absl::Status()> set_default_inputs_;  // null once they are set
};

}  // namespace

void ServeSteps(Session& session, int programs, std::istream& in,
                std::ostream& out, const StepsOptions& options) {
  if (options.version > 1) out << "protocol " << kProtocolVersion << std::endl;
  out << "ready " << session.threads() << std::endl;
  StepServer server(session, programs, out, options);
  for (std::string line; std::getline(in, line);) server.Answer(line);
}

}  // namespace assay::runtime
