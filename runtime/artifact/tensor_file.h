// Named tensors in a file: a model's inputs and outputs outside the compiler.
//
// The encoding is a magic number, a version, a count, then per tensor its
// name, type, shape and row-major little-endian elements. Parsing believes no
// size and accepts only what SerializeTensors() can give.
#ifndef ASSAY_RUNTIME_ARTIFACT_TENSOR_FILE_H_
#define ASSAY_RUNTIME_ARTIFACT_TENSOR_FILE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/ndarray.h"

namespace assay::runtime {

struct NamedTensor {
  std::string name;
  NDArray value;
};
using NamedTensors = std::vector<NamedTensor>;

std::string SerializeTensors(const NamedTensors& tensors);
absl::StatusOr<NamedTensors> ParseTensors(absl::string_view bytes);

// SHA-256 in hex of SerializeTensors(): equal for bitwise equal tensors.
std::string TensorsDigest(const NamedTensors& tensors);

absl::Status WriteTensors(const std::string& path, const NamedTensors& tensors);
absl::StatusOr<NamedTensors> ReadTensors(const std::string& path);

// The tensor of that name, or null.
const NDArray* FindTensor(const NamedTensors& tensors, absl::string_view name);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_TENSOR_FILE_H_
