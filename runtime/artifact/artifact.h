// Artifact: a compiled model, the output of the compiler and the input of the
// runtime. One file holds the code of the kernels, the plan that says in which
// order to call them on which tensors, the parameters, and metadata about the
// compilation.
//
// The file is self-contained: it starts with a magic number, the format
// version, the kernel ABI version (runtime/abi) and a SHA-256 over everything
// else. The encoding (artifact.cc) is little-endian and canonical: Parse()
// accepts only bytes that Serialize() can produce, so equal digests mean equal
// artifacts. Every size and count is validated against the remaining bytes
// before it is used; a truncated or modified file is an InvalidArgument error.
//
// Parse() checks the integrity of the bytes. Validate() in validate.h, which
// the executor calls, checks the consistency of the plan. The code is trusted
// if the digest is correct; a device may check more when it loads the code.
//
//   Artifact artifact;
//   artifact.metadata[kMetaModel] = "resnet18";
//   artifact.tensors = {{"x", DType::Float32(), {4}, Location::kInput, 0},
//                       {"y", DType::Float32(), {4}, Location::kOutput, 0}};
//   artifact.calls = {{"fused_relu", {0}, {1}, {"Relu_3"}, "relu", 4, 32, ""}};
//   artifact.code_kind = ASSAY_CODE_KIND_ELF;
//   artifact.code = shared_object_bytes;
//   ASSAY_RETURN_IF_ERROR(WriteArtifact("resnet18.assay", artifact));
#ifndef ASSAY_RUNTIME_ARTIFACT_ARTIFACT_H_
#define ASSAY_RUNTIME_ARTIFACT_ARTIFACT_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/dtype.h"
#include "runtime/base/shape.h"

namespace assay::runtime {

// Increased by every change of the encoding. Readers accept only this version.
constexpr uint32_t kArtifactFormatVersion = 4;

// Metadata keys that are read by programs. Other keys are for humans.
inline constexpr char kMetaModel[] = "model";
inline constexpr char kMetaTargetTriple[] = "target.triple";
inline constexpr char kMetaTargetCpu[] = "target.cpu";
inline constexpr char kMetaTargetFeatures[] = "target.features";
inline constexpr char kMetaFusion[] = "options.fusion";
// Sum of the sizes of all intermediates, and the largest sum of those that are
// live at the same time, which is a lower bound of the arena.
inline constexpr char kMetaActivationBytes[] = "memory.activation_bytes";
inline constexpr char kMetaLiveBytes[] = "memory.live_bytes";

// The storage of a tensor while the plan runs. The values are part of the file
// format; do not renumber them.
enum class Location : uint8_t {
  kInput = 0,   // position = index of the model input, each used once
  kOutput = 1,  // position = index of the model output, each used once
  kParam = 2,   // position = byte offset in `params`; read only
  kArena = 3,   // position = byte offset in the arena of intermediates
};

// A dense row-major tensor. Tensors in the arena or in the parameters may
// overlap (reshaped views, or memory that is reused later). Offsets are
// multiples of ASSAY_BUFFER_ALIGNMENT.
struct TensorInfo {
  std::string name;
  DType dtype;
  Shape shape;
  Location location = Location::kArena;
  int64_t position = 0;
  // For a model output with a bounded dynamic dimension: the dimension, and the
  // number of the tensor whose single int64 element holds its extent after the
  // run. -1 for all other tensors.
  int32_t axis = -1;
  int32_t extent = -1;
};

// One call of a kernel. Its buffers are `inputs` followed by `outputs`, indices
// into Artifact::tensors. An output is never a parameter or a model input.
// Later calls may read a model output.
struct KernelCall {
  std::string symbol;
  std::vector<int32_t> inputs;
  std::vector<int32_t> outputs;
  // For reports only: the nodes of the source model that it computes, a name
  // (`conv2d+relu`), the number of arithmetic operations, and a lower bound of
  // the number of bytes that it reads and writes.
  std::vector<std::string> sources;
  std::string kind;
  int64_t flops = 0;
  int64_t bytes = 0;
  // Equal for kernels with the same code, also in different artifacts; empty if
  // not known.
  std::string code_digest;
};

struct Artifact {
  std::map<std::string, std::string> metadata;
  std::vector<TensorInfo> tensors;
  int64_t arena_bytes = 0;
  std::vector<KernelCall> calls;
  std::string params;
  // Kind of the code, set by the code generator. A device loads only code of
  // its own kind (runtime/devices).
  std::string code_kind;
  // Empty if there are no calls.
  std::string code;
};

bool operator==(const TensorInfo& a, const TensorInfo& b);
bool operator==(const KernelCall& a, const KernelCall& b);
bool operator==(const Artifact& a, const Artifact& b);

// Size of a tensor in bytes. Requires a valid artifact, else CHECK-fails.
int64_t NumBytes(const TensorInfo& tensor);

// Indices into `tensors` of the model's inputs and outputs, in order. Requires
// a valid artifact, else CHECK-fails.
std::vector<int32_t> InputTensors(const Artifact& artifact);
std::vector<int32_t> OutputTensors(const Artifact& artifact);

std::string Serialize(const Artifact& artifact);
absl::StatusOr<Artifact> Parse(absl::string_view bytes);

// The SHA-256 in the header of the artifact's file, in lower-case hexadecimal.
std::string Digest(const Artifact& artifact);

// Errors name `path`. Writing is atomic.
absl::Status WriteArtifact(const std::string& path, const Artifact& artifact);
absl::StatusOr<Artifact> ReadArtifact(const std::string& path);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_ARTIFACT_H_
