// The encoding of a tensor type, used by all file formats in this folder.
#ifndef ASSAY_RUNTIME_ARTIFACT_TENSOR_TYPE_IO_H_
#define ASSAY_RUNTIME_ARTIFACT_TENSOR_TYPE_IO_H_

#include "absl/types/span.h"
#include "runtime/base/byte_io.h"
#include "runtime/base/dtype.h"
#include "runtime/base/shape.h"

namespace assay::runtime {

// Minimum number of bytes that WriteTensorType() writes.
constexpr size_t kMinTensorTypeBytes = 10;

// Requires that `dtype` has one lane.
void WriteTensorType(DType dtype, absl::Span<const int64_t> shape,
                     ByteWriter& writer);

// Calls reader.Fail() unless DType::Parse() knows the type and
// CheckedNumElements() accepts the shape.
void ReadTensorType(ByteReader& reader, DType* dtype, Shape* shape);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_TENSOR_TYPE_IO_H_
