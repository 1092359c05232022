// A file format for named tensors, the inputs and outputs of a model.
//
// The encoding is a magic number, a version, a count, then for each tensor its
// name, type, shape and row-major little-endian elements. ParseTensors()
// validates every size before it is used and accepts only bytes that
// SerializeTensors() can produce.
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

// The SHA-256 of SerializeTensors() in hexadecimal.
std::string TensorsDigest(const NamedTensors& tensors);

absl::Status WriteTensors(const std::string& path, const NamedTensors& tensors);
absl::StatusOr<NamedTensors> ReadTensors(const std::string& path);

// Returns the tensor with that name, or null.
const NDArray* FindTensor(const NamedTensors& tensors, absl::string_view name);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_TENSOR_FILE_H_
