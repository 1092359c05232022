// Fuzz test of the files that a worker reads and that a client has uploaded:
// artifacts (artifact.h, validate.h) and tensors (tensor_file.h). The bytes are
// arbitrary, or those of a small file with changes; the digest of an artifact
// is made right, because everyone can compute it.
//
//   - Each reader returns InvalidArgument, or something that is written as the
//     same bytes.
//   - The plan of a valid artifact accesses only the memory that it has, and
//     its inputs and outputs are numbered.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/artifact/validate.h"
#include "runtime/base/check.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/sha256.h"
#include "tests/farm/fuzz/input.h"

namespace assay::runtime {
namespace {

using fuzz::Input;

constexpr size_t kDigestOffset = 16;
constexpr size_t kPlanOffset = 48;

void CheckRefusal(const absl::Status& status) {
  CHECK(absl::IsInvalidArgument(status) && !status.message().empty()) << status;
}

// Changes some bytes.
void Change(Input& input, std::string* bytes) {
  const int changes = input.Of(5);
  for (int i = 0; i < changes; ++i) {
    const size_t at = static_cast<size_t>(input.Byte() << 8 | input.Byte());
    const std::string text = input.Text();
    const int removed = input.Byte();
    if (bytes->empty()) return;
    bytes->replace(at % bytes->size(), removed, text);
  }
}

std::vector<KernelCall> SomeCalls(Input& input, int most) {
  std::vector<KernelCall> calls(static_cast<size_t>(input.Of(most + 1)));
  for (size_t i = 0; i < calls.size(); ++i) {
    calls[i].symbol = absl::StrCat("k", i);
    const int arguments = input.Of(4);
    for (int k = 0; k < arguments; ++k) {
      calls[i].inputs.push_back(input.Of(9) - 1);
    }
    calls[i].outputs.push_back(input.Of(9) - 1);
  }
  return calls;
}

// A small artifact, most of whose parts fit together.
Artifact SomeArtifact(Input& input) {
  Artifact artifact;
  const int tensors = input.Of(8);
  for (int i = 0; i < tensors; ++i) {
    TensorInfo tensor;
    tensor.name = absl::StrCat("t", i);
    tensor.dtype = input.Of(4) == 0 ? DType::Int64() : DType::Float32();
    const int rank = input.Of(3);
    for (int k = 0; k < rank; ++k) tensor.shape.push_back(input.Of(20));
    if (input.Of(8) == 7) tensor.shape.push_back(input.Number());
    tensor.location = static_cast<Location>(input.Of(5));
    const int position = input.Of(8);
    tensor.position = tensor.location == Location::kInput ||
                              tensor.location == Location::kOutput
                          ? position
                          : position * 64;
    if (input.Of(8) == 7) tensor.position = input.Number();
    if (input.Of(8) == 7) tensor.axis = static_cast<int32_t>(input.Number());
    if (input.Of(8) == 7) tensor.extent = static_cast<int32_t>(input.Number());
    // Other shapes cannot be written.
    const bool valid = std::all_of(tensor.shape.begin(), tensor.shape.end(),
                                   [](int64_t n) { return n >= 0; });
    if (valid) artifact.tensors.push_back(std::move(tensor));
  }
  artifact.arena_bytes = input.Of(4) == 3 ? input.Number() : input.Of(10) * 64;
  artifact.calls = SomeCalls(input, /*most=*/5);
  artifact.params.assign(input.Byte(), 'p');
  artifact.code_kind = input.Of(8) == 0 ? "" : "elf";
  artifact.code = input.Of(8) == 0 ? "" : "code";
  artifact.metadata["model"] = input.Text();
  artifact.setup_bytes = input.Of(4) == 3 ? input.Number() : input.Of(10) * 64;
  artifact.setup = SomeCalls(input, /*most=*/3);
  return artifact;
}

void CheckArtifact(const std::string& bytes) {
  const absl::StatusOr<Artifact> artifact = Parse(bytes);
  if (!artifact.ok()) return CheckRefusal(artifact.status());
  CHECK(Serialize(*artifact) == bytes);
  const absl::Status valid = Validate(*artifact);
  if (!valid.ok()) return CheckRefusal(valid);
  const size_t inputs = InputTensors(*artifact).size();
  const size_t outputs = OutputTensors(*artifact).size();
  CHECK(inputs + outputs <= artifact->tensors.size());
  const auto location_of = [&](int32_t i) {
    CHECK(i >= 0 && i < static_cast<int32_t>(artifact->tensors.size()));
    return artifact->tensors[i].location;
  };
  for (const KernelCall& call : artifact->setup) {
    for (const int32_t i : call.inputs) {
      const Location location = location_of(i);
      CHECK(location == Location::kParam || location == Location::kSetup);
    }
    for (const int32_t i : call.outputs) {
      CHECK(location_of(i) == Location::kSetup);
    }
  }
  for (const KernelCall& call : artifact->calls) {
    for (const int32_t i : call.inputs) (void)location_of(i);
    for (const int32_t i : call.outputs) {
      const Location location = location_of(i);
      CHECK(location == Location::kOutput || location == Location::kArena);
    }
  }
  for (const TensorInfo& tensor : artifact->tensors) {
    const int64_t size = NumBytes(tensor);
    const auto params = static_cast<int64_t>(artifact->params.size());
    CHECK(size >= 0 && tensor.position >= 0);
    if (tensor.location == Location::kInput ||
        tensor.location == Location::kOutput) {
      continue;
    }
    const int64_t end = tensor.location == Location::kParam ? params
                        : tensor.location == Location::kArena
                            ? artifact->arena_bytes
                            : artifact->setup_bytes;
    CHECK(tensor.position <= end && size <= end - tensor.position);
  }
}

void ReadAsArtifact(Input& input) {
  std::string bytes;
  if (input.Of(4) == 0) {
    bytes = input.Rest();
  } else {
    bytes = Serialize(SomeArtifact(input));
    Change(input, &bytes);
  }
  if (bytes.size() >= kPlanOffset) {
    Sha256 hash;
    hash.Update(bytes.substr(0, kDigestOffset));
    hash.Update(bytes.substr(kPlanOffset));
    const Sha256Digest digest = hash.Finish();
    std::copy(digest.begin(), digest.end(), bytes.begin() + kDigestOffset);
  }
  CheckArtifact(bytes);
}

void ReadAsTensors(Input& input) {
  std::string bytes;
  if (input.Of(4) == 0) {
    bytes = input.Rest();
  } else {
    NamedTensors tensors;
    const int count = input.Of(4);
    for (int i = 0; i < count; ++i) {
      const int64_t size = input.Of(6);
      tensors.push_back(
          {input.Text(),
           NDArray::FromVector<float>(
               {size}, std::vector<float>(static_cast<size_t>(size), 1.5F))});
    }
    bytes = SerializeTensors(tensors);
    Change(input, &bytes);
  }
  const absl::StatusOr<NamedTensors> tensors = ParseTensors(bytes);
  if (!tensors.ok()) return CheckRefusal(tensors.status());
  CHECK(SerializeTensors(*tensors) == bytes);
}

}  // namespace
}  // namespace assay::runtime

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  assay::fuzz::Input input(data, size);
  if (input.Of(3) == 0) {
    assay::runtime::ReadAsTensors(input);
  } else {
    assay::runtime::ReadAsArtifact(input);
  }
  return 0;
}
