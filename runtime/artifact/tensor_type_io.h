// Encodes and decodes the type of a tensor (element type and shape) for the
// file formats in this folder.
#ifndef ASSAY_RUNTIME_ARTIFACT_TENSOR_TYPE_IO_H_
#define ASSAY_RUNTIME_ARTIFACT_TENSOR_TYPE_IO_H_

#include "absl/types/span.h"
#include "runtime/base/byte_io.h"
#include "runtime/base/dtype.h"
#include "runtime/base/shape.h"

namespace assay::runtime {

// Minimum number of bytes that WriteTensorType() writes.
constexpr size_t kMinTensorTypeBytes = 10;

// CHECK-fails if `dtype` has more than one lane.
void WriteTensorType(DType dtype, absl::Span<const int64_t> shape,
                     ByteWriter& writer);

// Calls reader.Fail() if DType::Parse() rejects the element type or
// CheckedNumElements() rejects the shape.
void ReadTensorType(ByteReader& reader, DType* dtype, Shape* shape);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_TENSOR_TYPE_IO_H_
