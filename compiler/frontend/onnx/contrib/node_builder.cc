#include "compiler/frontend/onnx/contrib/node_builder.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/element.h"

namespace assay::frontend {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

// ONNX data is little-endian, and so are all supported hosts.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "");

}  // namespace

TensorProto::DataType OnnxElementType(DType dtype) {
  if (dtype == DType::Float32()) return TensorProto::FLOAT;
  if (dtype == DType::Float64()) return TensorProto::DOUBLE;
  if (dtype == DType::Float16()) return TensorProto::FLOAT16;
  if (dtype == DType::BFloat16()) return TensorProto::BFLOAT16;
  if (dtype == DType::Int(8)) return TensorProto::INT8;
  if (dtype == DType::Int(16)) return TensorProto::INT16;
  if (dtype == DType::Int32()) return TensorProto::INT32;
  if (dtype == DType::Int64()) return TensorProto::INT64;
  if (dtype == DType::UInt(8)) return TensorProto::UINT8;
  if (dtype == DType::UInt(16)) return TensorProto::UINT16;
  if (dtype == DType::UInt(32)) return TensorProto::UINT32;
  if (dtype == DType::UInt(64)) return TensorProto::UINT64;
  CHECK(dtype == DType::Bool()) << "no ONNX type for " << dtype;
  return TensorProto::BOOL;
}

AttributeProto& NodeBuilder::Added::NewAttribute(
    absl::string_view name, AttributeProto::AttributeType type) {
  AttributeProto* attribute = node_->add_attribute();
  attribute->set_name(std::string(name));
  attribute->set_type(type);
  return *attribute;
}

NodeBuilder::Added& NodeBuilder::Added::Int(absl::string_view name,
                                            int64_t value) {
  NewAttribute(name, AttributeProto::INT).set_i(value);
  return *this;
}

NodeBuilder::Added& NodeBuilder::Added::Ints(absl::string_view name,
                                             absl::Span<const int64_t> values) {
  AttributeProto& attribute = NewAttribute(name, AttributeProto::INTS);
  for (const int64_t value : values) attribute.add_ints(value);
  return *this;
}

NodeBuilder::Added& NodeBuilder::Added::Float(absl::string_view name,
                                              float value) {
  NewAttribute(name, AttributeProto::FLOAT).set_f(value);
  return *this;
}

NodeBuilder::Added& NodeBuilder::Added::String(absl::string_view name,
                                               absl::string_view value) {
  NewAttribute(name, AttributeProto::STRING).set_s(std::string(value));
  return *this;
}

NodeBuilder::Added& NodeBuilder::Added::Copy(const AttributeProto& attribute) {
  *node_->add_attribute() = attribute;
  return *this;
}

NodeBuilder::Added NodeBuilder::Node(absl::string_view op_type,
                                     absl::Span<const std::string> inputs,
                                     int results) {
  onnx::NodeProto* node = nodes_.Add();
  node->set_op_type(std::string(op_type));
  for (const std::string& input : inputs) node->add_input(input);
  for (int i = 0; i < results; ++i) {
    node->add_output(absl::StrCat("%", next_++));
  }
  return Added(node);
}

std::string NodeBuilder::Add(const std::string& a, const std::string& b) {
  return Node("Add", {a, b});
}

std::string NodeBuilder::Sub(const std::string& a, const std::string& b) {
  return Node("Sub", {a, b});
}

std::string NodeBuilder::Mul(const std::string& a, const std::string& b) {
  return Node("Mul", {a, b});
}

std::string NodeBuilder::Div(const std::string& a, const std::string& b) {
  return Node("Div", {a, b});
}

std::string NodeBuilder::MatMul(const std::string& a, const std::string& b) {
  return Node("MatMul", {a, b});
}

std::string NodeBuilder::Sqrt(const std::string& x) {
  return Node("Sqrt", {x});
}

std::string NodeBuilder::Where(const std::string& condition,
                               const std::string& a, const std::string& b) {
  return Node("Where", {condition, a, b});
}

std::string NodeBuilder::Reshape(const std::string& x,
                                 absl::Span<const int64_t> shape) {
  const std::string extents = Int64s(shape);
  return Node("Reshape", {x, extents}).Int("allowzero", 1);
}

std::string NodeBuilder::Transpose(const std::string& x,
                                   absl::Span<const int64_t> perm) {
  return Node("Transpose", {x}).Ints("perm", perm);
}

std::string NodeBuilder::Cast(const std::string& x, DType from, DType to) {
  if (from == to) return x;
  return Node("Cast", {x}).Int("to", OnnxElementType(to));
}

std::string NodeBuilder::Constant(const NDArray& value) {
  Added node = Node("Constant", {});
  TensorProto* tensor =
      node.NewAttribute("value", AttributeProto::TENSOR).mutable_t();
  tensor->set_data_type(OnnxElementType(value.dtype()));
  for (const int64_t extent : value.shape()) tensor->add_dims(extent);
  tensor->set_raw_data(value.raw(), value.num_bytes());
  return node;
}

std::string NodeBuilder::Scalar(DType dtype, double value) {
  NDArray scalar(dtype, {});
  if (dtype.is_float()) {
    StoreFloat(scalar, 0, value);
  } else {
    StoreInt(scalar, 0, static_cast<int64_t>(value));
  }
  return Constant(scalar);
}

std::string NodeBuilder::Int64s(absl::Span<const int64_t> values) {
  NDArray array(DType::Int64(), {static_cast<int64_t>(values.size())});
  const auto elements = array.data<int64_t>();
  for (size_t i = 0; i < values.size(); ++i) elements[i] = values[i];
  return Constant(array);
}

}  // namespace assay::frontend
