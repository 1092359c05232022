#include "rpc/client/block/block_reader.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "rpc/client/block/block_limit.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/measure/block_text.h"

namespace assay::rpc {
namespace {

// More than a tensor file has besides names and elements, for each tensor and
// for the file.
constexpr int64_t kTensorOverhead = 1024;

absl::Status Unexpected(absl::string_view what) {
  return absl::InternalError(
      absl::StrCat("the device gave an unexpected answer to a block: ", what));
}

}  // namespace

ProgramLimits LimitsOf(const runtime::Artifact& artifact) {
  ProgramLimits limits;
  limits.calls = static_cast<int64_t>(artifact.calls.size());
  limits.outputs_bytes = kTensorOverhead;
  for (const int32_t i : runtime::OutputTensors(artifact)) {
    const runtime::TensorInfo& tensor = artifact.tensors[i];
    limits.outputs_bytes += runtime::NumBytes(tensor) +
                            static_cast<int64_t>(tensor.name.size()) +
                            kTensorOverhead;
  }
  return limits;
}

BlockReader::BlockReader(runtime::Block block,
                         std::vector<ProgramLimits> programs)
    : block_(std::move(block)), programs_(std::move(programs)) {}

absl::Status BlockReader::Read(const RunBlockAnswer& answer) {
  switch (answer.answer_case()) {
    case RunBlockAnswer::kState:
      (result_.samples.empty() ? result_.before : result_.after) =
          answer.state();
      return absl::OkStatus();
    case RunBlockAnswer::kSample:
      return ReadSample(answer.sample());
    case RunBlockAnswer::kOutputs:
      return ReadOutputs(answer.outputs());
    case RunBlockAnswer::ANSWER_NOT_SET:
      break;
  }
  return Unexpected("a message without content");
}

absl::Status BlockReader::ReadSample(const RunBlockAnswer::Sample& sample) {
  if (outputs_left_ > 0) return Unexpected("outputs that are cut");
  const size_t i = result_.samples.size();
  if (i == block_.samples.size()) return Unexpected("too many samples");
  const runtime::SampleSpec& spec = block_.samples[i];
  const ProgramLimits& program = programs_.at(spec.program);
  if (sample.nanos() < 1 || sample.nanos() > kMaxBlockLimitNanos) {
    return Unexpected(absl::StrCat("a sample of ", sample.nanos(), " ns"));
  }
  if (sample.number() < spec.number ||
      sample.number() > runtime::kMaxSampleRuns) {
    return Unexpected(absl::StrCat("a sample of ", sample.number(), " runs"));
  }
  const int64_t calls = sample.call_nanos_size();
  if (calls != 0 && (!block_.time_calls || calls != program.calls)) {
    return Unexpected(absl::StrCat("the times of ", calls, " kernel calls"));
  }
  for (const int64_t nanos : sample.call_nanos()) {
    if (nanos >= 0 && nanos <= kMaxBlockLimitNanos) continue;
    return Unexpected(absl::StrCat("a kernel call of ", nanos, " ns"));
  }
  const int64_t size = sample.outputs_size();
  const int64_t limit = block_.read_outputs ? program.outputs_bytes : 0;
  if (size < 0 || size > limit || (size == 0 && block_.read_outputs)) {
    return Unexpected(absl::StrCat("outputs of ", size, " bytes"));
  }
  runtime::Sample read;
  read.nanos = sample.nanos();
  read.number = sample.number();
  read.call_nanos.assign(sample.call_nanos().begin(),
                         sample.call_nanos().end());
  result_.samples.push_back(std::move(read));
  outputs_left_ = size;
  outputs_.clear();
  return absl::OkStatus();
}

absl::Status BlockReader::ReadOutputs(const std::string& bytes) {
  if (bytes.empty() || static_cast<int64_t>(bytes.size()) > outputs_left_) {
    return Unexpected("outputs of another size");
  }
  outputs_ += bytes;
  outputs_left_ -= static_cast<int64_t>(bytes.size());
  if (outputs_left_ > 0) return absl::OkStatus();
  absl::StatusOr<runtime::NamedTensors> tensors =
      runtime::ParseTensors(outputs_);
  if (!tensors.ok()) return Unexpected(tensors.status().message());
  result_.samples.back().outputs = *std::move(tensors);
  outputs_.clear();
  return absl::OkStatus();
}

absl::StatusOr<BlockResult> BlockReader::Finish() {
  if (outputs_left_ > 0) return Unexpected("outputs that are cut");
  if (result_.samples.size() != block_.samples.size()) {
    return Unexpected(absl::StrCat(result_.samples.size(), " samples of ",
                                   block_.samples.size()));
  }
  return std::move(result_);
}

}  // namespace assay::rpc
