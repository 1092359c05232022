// Reads tensor data that a model stores in external files.
//
// Only regular files inside the model's folder are read, after links are
// resolved: an untrusted model cannot make the compiler read /etc/passwd. The
// requested size is compared with the size of the file before memory is
// allocated.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_PROTO_EXTERNAL_DATA_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_PROTO_EXTERNAL_DATA_H_

#include <string>

#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/dtype.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/shape.h"

namespace assay::frontend {

// Reads the array of this type and shape from the location in
// `tensor.external_data()`. The shape has a known number of elements. It is an
// error if `folder` is empty, if an entry is missing or malformed, or if the
// given length is not that of the array. A checksum is not checked.
absl::StatusOr<NDArray> ReadExternalData(const onnx::TensorProto& tensor,
                                         const std::string& folder, DType dtype,
                                         const Shape& shape);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_PROTO_EXTERNAL_DATA_H_
