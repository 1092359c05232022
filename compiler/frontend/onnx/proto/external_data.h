// ReadExternalData: reads tensor data that a model stores in an external file.
//
// A file is read only if it is a regular file inside the model's folder.
// Symbolic links are resolved before this check. Therefore an untrusted model
// cannot make the compiler read a file such as /etc/passwd. Memory is allocated
// only after the requested size has been compared with the size of the file.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_PROTO_EXTERNAL_DATA_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_PROTO_EXTERNAL_DATA_H_

#include <string>

#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/dtype.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/shape.h"

namespace assay::frontend {

// Returns the path of the file `file` of a model in `folder`, after all links
// are resolved. Returns an error if it is not a regular file inside the folder.
absl::StatusOr<std::string> FindExternalFile(const std::string& folder,
                                             const std::string& file);

// Reads an array of type `dtype` and shape `shape` from the location that
// `tensor.external_data()` specifies. The caller must have checked that the
// number of elements of `shape` does not overflow. Returns an error if `folder`
// is empty, if an entry of external_data() is missing or malformed, if the
// entry `length` differs from the size of the array, or if the file is too
// short. The entry `checksum` is ignored.
absl::StatusOr<NDArray> ReadExternalData(const onnx::TensorProto& tensor,
                                         const std::string& folder, DType dtype,
                                         const Shape& shape);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_PROTO_EXTERNAL_DATA_H_
