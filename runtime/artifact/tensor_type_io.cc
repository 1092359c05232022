#include "runtime/artifact/tensor_type_io.h"

#include "runtime/base/check.h"

namespace assay::runtime {

void WriteTensorType(DType dtype, absl::Span<const int64_t> shape,
                     ByteWriter& writer) {
  CHECK(dtype.is_scalar()) << dtype;
  writer.U8(static_cast<uint8_t>(dtype.code()));
  writer.U8(static_cast<uint8_t>(dtype.bits()));
  writer.Count(shape.size());
  for (int64_t extent : shape) writer.I64(extent);
}

void ReadTensorType(ByteReader& reader, DType* dtype, Shape* shape) {
  const uint8_t code = reader.U8();
  const uint8_t bits = reader.U8();
  *dtype = DType(static_cast<DType::Code>(code), bits);
  // Parse() rejects the name of a type with an unknown code or width.
  const absl::StatusOr<DType> known = DType::Parse(dtype->ToString());
  if (!known.ok() || *known != *dtype) reader.Fail();
  shape->resize(reader.Count(sizeof(int64_t)));
  for (int64_t& extent : *shape) extent = reader.I64();
  if (!CheckedNumElements(*shape).ok()) reader.Fail();
}

}  // namespace assay::runtime
