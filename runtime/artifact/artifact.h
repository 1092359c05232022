// Artifact: a compiled model. It is the output of the compiler and the input of
// the runtime. An artifact is stored in one file, which contains
//   - the code of the kernels;
//   - the plan: the tensors, and the kernel calls in the order of execution.
//     Setup calls run once, when the artifact is loaded; the other calls run in
//     each inference (runtime/docs/setup_calls.md);
//   - the parameters (constant tensors) of the model;
//   - metadata about the compilation.
//
// The file starts with a magic number, the format version, the version of the
// kernel ABI (runtime/abi) and the SHA-256 of all other bytes of the file. The
// encoding is defined in artifact.cc. It is little-endian and canonical:
// Parse() accepts only bytes that Serialize() can produce. Hence two artifacts
// are equal if and only if their digests are equal. Parse() compares every size
// and count with the number of remaining bytes before it uses the value. It
// returns InvalidArgument if the file is truncated or modified.
//
// Parse() checks only the integrity of the bytes. The executor calls Validate()
// (validate.h), which checks the consistency of the plan. The code is trusted
// if the digest is correct. A device may perform additional checks when it
// loads the code.
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
#include "runtime/base/large/large_bytes.h"
#include "runtime/base/shape.h"

namespace assay::runtime {

// Version of the encoding. Every change of the encoding must increment it.
// Parse() accepts only this version.
constexpr uint32_t kArtifactFormatVersion = 5;

// Metadata keys that programs read. All other keys are only for humans.
inline constexpr char kMetaModel[] = "model";
inline constexpr char kMetaTargetTriple[] = "target.triple";
inline constexpr char kMetaTargetCpu[] = "target.cpu";
inline constexpr char kMetaTargetFeatures[] = "target.features";
inline constexpr char kMetaFusion[] = "options.fusion";
// Sum of the sizes of all intermediate tensors.
inline constexpr char kMetaActivationBytes[] = "memory.activation_bytes";
// Maximum total size of the intermediate tensors that are live at the same
// time. It is a lower bound of the size of the arena.
inline constexpr char kMetaLiveBytes[] = "memory.live_bytes";
// The algorithms of kernels that are equivalent to the definition of their
// operator only in exact arithmetic, in alphabetical order and separated by
// `, `: `bf16x3` for products of numbers that are split in two bfloat16 parts,
// `strassen`, or `winograd F(4x4)` for output tiles of 4x4 pixels. The key is
// missing if there are no such kernels.
inline constexpr char kMetaAlgorithms[] = "algorithms";
inline constexpr char kSplitAlgorithm[] = "bf16x3";
// For model inputs whose integers are used as indices: the number of elements
// that they select from, if it is known. For example, `0:30522 2:2` says that
// input 0 has indices below 30522, and input 2 below 2. Random inputs respect
// these limits (runtime/executor/seeded_inputs.h).
inline constexpr char kMetaIndexLimits[] = "inputs.index_limits";

// The memory in which a tensor is stored while the plan runs. The location
// determines the meaning of TensorInfo::position. The values of the enumerators
// are part of the file format and must not be changed.
enum class Location : uint8_t {
  // `position` is the index of the model input. Each index occurs once.
  kInput = 0,
  // `position` is the index of the model output. Each index occurs once.
  kOutput = 1,
  // `position` is the byte offset in Artifact::params. The tensor is read-only.
  kParam = 2,
  // `position` is the byte offset in the arena, i.e. in the memory for
  // intermediate tensors.
  kArena = 3,
  // `position` is the byte offset in the setup memory, i.e. in the memory for
  // results of setup calls. The tensor is read-only for all other calls, and is
  // not empty.
  kSetup = 4,
};

// A dense row-major tensor. Tensors in the arena may overlap, because memory is
// reused and because a tensor may be a reshaped view of another tensor. Tensors
// in the parameters may overlap as well. In the setup memory, results do not
// overlap, and every tensor lies inside one result. Byte offsets are multiples
// of ASSAY_BUFFER_ALIGNMENT.
struct TensorInfo {
  std::string name;
  DType dtype;
  Shape shape;
  Location location = Location::kArena;
  int64_t position = 0;
  // For a model output with a dynamic dimension: `axis` is the index of this
  // dimension, and `shape[axis]` is the upper bound of its extent. `extent` is
  // the index in Artifact::tensors of a tensor with a single int64 element,
  // which contains the actual extent after the run. `axis` and `extent` are -1
  // for all other tensors.
  int32_t axis = -1;
  int32_t extent = -1;
};

// One call of a kernel. The buffers of the call are the tensors `inputs`
// followed by the tensors `outputs`. Both are lists of indices into
// Artifact::tensors.
//   - A setup call reads parameters and results of earlier setup calls. Its
//     outputs are in the setup memory.
//   - The outputs of other calls are in the arena or are model outputs. Later
//     calls may read a model output.
struct KernelCall {
  std::string symbol;  // name of the kernel in the code
  std::vector<int32_t> inputs;
  std::vector<int32_t> outputs;
  // Reports use the following four fields; the runtime does not.
  //
  // Names of the nodes of the source model that the call computes.
  std::vector<std::string> sources;
  // Names of the fused operators: `conv2d+relu`.
  std::string kind;
  // Number of arithmetic operations.
  int64_t flops = 0;
  // Lower bound of the number of bytes that the call reads and writes.
  int64_t bytes = 0;
  // Digest of the code of the kernel; empty if unknown. Kernels with
  // the same code have equal digests, even in different artifacts.
  std::string code_digest;
};

struct Artifact {
  std::map<std::string, std::string> metadata;
  std::vector<TensorInfo> tensors;
  int64_t arena_bytes = 0;
  // Size of the setup memory. Its contents last as long as the program.
  int64_t setup_bytes = 0;
  // Parameters that only these calls read should be behind all others in
  // `params`: then they need no memory on the device after loading.
  std::vector<KernelCall> setup;
  std::vector<KernelCall> calls;
  LargeBytes params;
  // Kind of the code, set by the code generator. A device (runtime/devices)
  // loads only code of its own kind.
  std::string code_kind;
  // The code of all kernels, including those of setup calls; empty if there are
  // no calls.
  std::string code;
};

bool operator==(const TensorInfo& a, const TensorInfo& b);
bool operator==(const KernelCall& a, const KernelCall& b);
bool operator==(const Artifact& a, const Artifact& b);

// Returns the size of a tensor in bytes. CHECK-fails if the shape is invalid,
// which is impossible in a valid artifact (validate.h).
int64_t NumBytes(const TensorInfo& tensor);

// Returns the indices in Artifact::tensors of the model inputs, ordered by
// position. CHECK-fails if the positions are not 0, 1, 2, …, which is
// impossible in a valid artifact (validate.h).
std::vector<int32_t> InputTensors(const Artifact& artifact);
// Like InputTensors(), but for the model outputs.
std::vector<int32_t> OutputTensors(const Artifact& artifact);

// Returns the value of kMetaAlgorithms, or an empty string if all algorithms of
// `artifact` are exact.
std::string AlgorithmOf(const Artifact& artifact);

// Returns the contents of the artifact's file.
std::string Serialize(const Artifact& artifact);
// Returns the size of the artifact's file, without serializing the artifact.
int64_t FileBytes(const Artifact& artifact);
// Parses the contents of an artifact's file.
absl::StatusOr<Artifact> Parse(absl::string_view bytes);
// Like Parse(), but the memory of `bytes` becomes that of the parameters, which
// are by far the largest part.
absl::StatusOr<Artifact> ParseInPlace(LargeBytes bytes);

// Returns the SHA-256 in the header of the artifact's file, in lower-case
// hexadecimal digits.
std::string Digest(const Artifact& artifact);

// Writes the file `path` atomically. Errors contain `path`.
absl::Status WriteArtifact(const std::string& path, const Artifact& artifact);
// Reads the file `path`. Errors contain `path`.
absl::StatusOr<Artifact> ReadArtifact(const std::string& path);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_ARTIFACT_H_
