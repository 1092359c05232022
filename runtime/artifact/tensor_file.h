// This header defines a file format for named tensors, such as the inputs and
// outputs of a model.
//
// The encoding consists of a magic number, a version and the number of tensors,
// followed by the name, type, shape and row-major little-endian elements of
// each tensor. ParseTensors() validates every size before using it. It accepts
// only bytes that SerializeTensors() can produce, and returns InvalidArgument
// for all others.
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

// Returns the SHA-256 of SerializeTensors(tensors) in hexadecimal.
std::string TensorsDigest(const NamedTensors& tensors);

// Writes the file `path` atomically. Errors name `path`.
absl::Status WriteTensors(const std::string& path, const NamedTensors& tensors);
// Reads the file `path`. Errors name `path`.
absl::StatusOr<NamedTensors> ReadTensors(const std::string& path);

// Returns the first tensor called `name`, or null if there is none.
const NDArray* FindTensor(const NamedTensors& tensors, absl::string_view name);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_TENSOR_FILE_H_
