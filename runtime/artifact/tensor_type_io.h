// The encoding of a tensor's type, shared by the file formats of this folder.
#ifndef ASSAY_RUNTIME_ARTIFACT_TENSOR_TYPE_IO_H_
#define ASSAY_RUNTIME_ARTIFACT_TENSOR_TYPE_IO_H_

#include "absl/types/span.h"
#include "runtime/base/byte_io.h"
#include "runtime/base/dtype.h"
#include "runtime/base/shape.h"

namespace assay::runtime {

// The fewest bytes WriteTensorType writes.
constexpr size_t kMinTensorTypeBytes = 10;

// `dtype` has one lane.
void WriteTensorType(DType dtype, absl::Span<const int64_t> shape,
                     ByteWriter& writer);

// Fails the reader on anything but a type DType::Parse knows and a shape that
// CheckedNumElements accepts.
void ReadTensorType(ByteReader& reader, DType* dtype, Shape* shape);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_ARTIFACT_TENSOR_TYPE_IO_H_
