// TensorProto to NDArray: raw data, typed fields and external files, for every
// element type that NDArray has.
//
// Nothing is allocated before the amount of data has been found to agree with
// the extents. Errors say what is wrong; the caller adds which tensor it is.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_TENSOR_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_TENSOR_H_

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

// `folder` is where external data lies; empty if there is none. A MemoryError,
// and nothing allocated, where the tensor needs more than `max_bytes`.
absl::StatusOr<NDArray> ReadTensor(const onnx::TensorProto& tensor,
                                   const std::string& folder,
                                   int64_t max_bytes);

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_TENSOR_H_
