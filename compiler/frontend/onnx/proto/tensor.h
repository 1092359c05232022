// TensorProto to NDArray: raw data, typed fields and external files, for every
// element type that NDArray has.
//
// Memory is allocated only after the amount of data was found to agree with the
// extents. Errors say what is wrong; the caller adds the name of the tensor.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_PROTO_TENSOR_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_PROTO_TENSOR_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/dtype.h"
#include "runtime/base/ndarray.h"

namespace assay::frontend {

// The element type with ONNX's number `data_type`. Unimplemented for strings,
// complex numbers and the formats below 16 bits that are not integers.
absl::StatusOr<DType> ReadElementType(int32_t data_type);

// `folder` contains external data; empty if there is none. Returns a
// MemoryError, and allocates nothing, if the tensor needs more than
// `max_bytes`.
absl::StatusOr<NDArray> ReadTensor(const onnx::TensorProto& tensor,
                                   const std::string& folder,
                                   int64_t max_bytes);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_PROTO_TENSOR_H_
