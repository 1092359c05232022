// ReadTensor: converts an onnx::TensorProto to an NDArray. The data may be in
// the field raw_data, in a typed field or in an external file.
//
// Memory is allocated only if the amount of data agrees with the extents of the
// tensor. Errors describe the problem; the caller must add the name of the
// tensor.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_PROTO_TENSOR_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_PROTO_TENSOR_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/dtype.h"
#include "runtime/base/ndarray.h"

namespace assay::frontend {

// Returns the name that ONNX gives the element type number `data_type`, such as
// `int4` with its backticks, or `number 77` if no version of the format that is
// supported defines it.
std::string ElementTypeName(int32_t data_type);

// Returns the element type whose number in ONNX is `data_type`
// (onnx::TensorProto::DataType). Returns Unimplemented, with the name of the
// type, for types that DType cannot represent: strings, complex numbers, and
// floats and integers of 8, 6, 4 and 2 bits that it does not have. Returns
// InvalidArgument for UNDEFINED.
absl::StatusOr<DType> ReadElementType(int32_t data_type);

// Reads the elements of `tensor`. `folder` is the folder with the files of
// external data; if it is empty, external data is an error. Returns a
// MemoryError (runtime/base/memory_limit.h) and allocates nothing if the tensor
// needs more than `max_bytes` bytes.
absl::StatusOr<NDArray> ReadTensor(const onnx::TensorProto& tensor,
                                   const std::string& folder,
                                   int64_t max_bytes);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_PROTO_TENSOR_H_
