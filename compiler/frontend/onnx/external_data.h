// Reads tensor data that a model keeps in files of its own.
//
// Only regular files inside the model's folder are read, links resolved: a
// model file from somewhere else cannot make the compiler read /etc/passwd.
// What is asked for is compared with the file's size before anything is
// allocated.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_EXTERNAL_DATA_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_EXTERNAL_DATA_H_

#include <string>

#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/dtype.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/shape.h"

namespace assay::frontend {

// The array of this type and shape whose bytes lie where the entries of
// `tensor.external_data()` say. The shape has a known number of elements. An
// error where `folder` is empty, where an entry is missing or malformed, or
// where the stated length is not the one needed. A checksum is not checked.
absl::StatusOr<NDArray> ReadExternalData(const onnx::TensorProto& tensor,
                                         const std::string& folder, DType dtype,
                                         const Shape& shape);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_EXTERNAL_DATA_H_
