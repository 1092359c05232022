#include "suites/models/onnx_builder.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

onnx::AttributeProto* NewAttribute(onnx::NodeProto* node,
                                   absl::string_view name,
                                   onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto* attribute = node->add_attribute();
  attribute->set_name(std::string(name));
  attribute->set_type(type);
  return attribute;
}

void SetType(onnx::ValueInfoProto* info, const Shape& shape, DType dtype) {
  onnx::TypeProto::Tensor* tensor = info->mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(OnnxType(dtype));
  onnx::TensorShapeProto* dims = tensor->mutable_shape();
  for (int64_t extent : shape) dims->add_dim()->set_dim_value(extent);
}

}  // namespace

onnx::TensorProto::DataType OnnxType(DType dtype) {
  if (dtype == DType::Float32()) return onnx::TensorProto::FLOAT;
  if (dtype == DType::Float64()) return onnx::TensorProto::DOUBLE;
  if (dtype == DType::Float16()) return onnx::TensorProto::FLOAT16;
  if (dtype == DType::BFloat16()) return onnx::TensorProto::BFLOAT16;
  if (dtype == DType::Bool()) return onnx::TensorProto::BOOL;
  if (dtype == DType::Int(8)) return onnx::TensorProto::INT8;
  if (dtype == DType::Int(16)) return onnx::TensorProto::INT16;
  if (dtype == DType::Int32()) return onnx::TensorProto::INT32;
  if (dtype == DType::Int64()) return onnx::TensorProto::INT64;
  if (dtype == DType::UInt(8)) return onnx::TensorProto::UINT8;
  if (dtype == DType::UInt(16)) return onnx::TensorProto::UINT16;
  if (dtype == DType::UInt(32)) return onnx::TensorProto::UINT32;
  if (dtype == DType::UInt(64)) return onnx::TensorProto::UINT64;
  CHECK(false) << "no ONNX type for " << dtype;
  return onnx::TensorProto::UNDEFINED;
}

void SetInt(onnx::NodeProto* node, absl::string_view name, int64_t value) {
  NewAttribute(node, name, onnx::AttributeProto::INT)->set_i(value);
}

void SetInts(onnx::NodeProto* node, absl::string_view name,
             absl::Span<const int64_t> values) {
  onnx::AttributeProto* attribute =
      NewAttribute(node, name, onnx::AttributeProto::INTS);
  for (int64_t value : values) attribute->add_ints(value);
}

void SetFloat(onnx::NodeProto* node, absl::string_view name, float value) {
  NewAttribute(node, name, onnx::AttributeProto::FLOAT)->set_f(value);
}

void SetString(onnx::NodeProto* node, absl::string_view name,
               absl::string_view value) {
  NewAttribute(node, name, onnx::AttributeProto::STRING)
      ->set_s(std::string(value));
}

Window SameWindow(int64_t kernel, int64_t stride, int64_t extent) {
  const int64_t outputs = (extent + stride - 1) / stride;
  const int64_t total =
      std::max<int64_t>(0, (outputs - 1) * stride + kernel - extent);
  return {kernel, stride, total / 2, total % 2};
}

int64_t OutputExtent(const Window& w, int64_t extent) {
  const int64_t reach = (w.kernel - 1) * w.dilation + 1;
  int64_t room = extent + 2 * w.padding + w.extra - reach;
  if (w.ceil) room += w.stride - 1;
  return room / w.stride + 1;
}

int64_t IrVersionFor(int opset) {
  // The last opset of each format from version 3 on, from the table in ONNX's
  // document on versioning.
  constexpr int kLastOpsets[] = {8, 9, 10, 11, 14, 18, 20, 22, 23, 24, 27};
  int64_t version = 3;
  for (const int last : kLastOpsets) version += opset > last;
  return version;
}

onnx::TensorProto ToTensorProto(absl::string_view name, const NDArray& value) {
  onnx::TensorProto tensor;
  tensor.set_name(std::string(name));
  tensor.set_data_type(OnnxType(value.dtype()));
  for (int64_t extent : value.shape()) tensor.add_dims(extent);
  // ONNX is little-endian, and so are all supported hosts.
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "");
  tensor.set_raw_data(value.raw(), value.num_bytes());
  return tensor;
}

OnnxBuilder::OnnxBuilder(absl::string_view graph_name, ExportStyle style)
    : style_(std::move(style)), graph_(model_.mutable_graph()) {
  model_.set_ir_version(IrVersionFor(style_.opset));
  model_.set_producer_name("assay");
  onnx::OperatorSetIdProto* opset = model_.add_opset_import();
  opset->set_domain("");
  opset->set_version(style_.opset);
  graph_->set_name(Name(graph_name));
}

std::string OnnxBuilder::Name(absl::string_view name) const {
  return absl::StrCat(style_.prefix, name);
}

void OnnxBuilder::SetBatchType(onnx::ValueInfoProto* info, const Shape& shape,
                               DType dtype) const {
  SetType(info, shape, dtype);
  if (style_.symbolic_batch.empty()) return;
  info->mutable_type()
      ->mutable_tensor_type()
      ->mutable_shape()
      ->mutable_dim(0)
      ->set_dim_param(style_.symbolic_batch);
}

std::string OnnxBuilder::Input(absl::string_view name, const Shape& shape,
                               DType dtype) {
  onnx::ValueInfoProto* info = graph_->add_input();
  info->set_name(Name(name));
  SetBatchType(info, shape, dtype);
  return info->name();
}

onnx::ValueInfoProto* OnnxBuilder::NewOutput(absl::string_view name,
                                             const std::string& value) {
  // A graph output has the name of its value, so the value is renamed.
  for (onnx::NodeProto& node : *graph_->mutable_node()) {
    for (std::string& text : *node.mutable_input()) {
      if (text == value) text = Name(name);
    }
    for (std::string& text : *node.mutable_output()) {
      if (text == value) text = Name(name);
    }
  }
  onnx::ValueInfoProto* info = graph_->add_output();
  info->set_name(Name(name));
  return info;
}

void OnnxBuilder::Output(absl::string_view name, const std::string& value,
                         const Shape& shape, DType dtype) {
  SetBatchType(NewOutput(name, value), shape, dtype);
}

void OnnxBuilder::OutputOfRank(absl::string_view name, const std::string& value,
                               int rank, DType dtype) {
  onnx::TypeProto::Tensor* tensor =
      NewOutput(name, value)->mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(OnnxType(dtype));
  for (int i = 0; i < rank; ++i) tensor->mutable_shape()->add_dim();
}

std::string OnnxBuilder::Weight(absl::string_view name, const NDArray& value) {
  onnx::TensorProto* tensor = graph_->add_initializer();
  *tensor = ToTensorProto(Name(name), value);
  if (model_.ir_version() < 4) {
    // Before format version 4, an initializer was the default of an input.
    onnx::ValueInfoProto* info = graph_->add_input();
    info->set_name(tensor->name());
    SetType(info, value.shape(), value.dtype());
  }
  return tensor->name();
}

onnx::NodeProto* OnnxBuilder::AddNode(absl::string_view op_type,
                                      absl::string_view name,
                                      absl::Span<const std::string> inputs) {
  onnx::NodeProto* node = graph_->add_node();
  node->set_op_type(std::string(op_type));
  node->set_name(Name(name));
  for (const std::string& input : inputs) node->add_input(input);
  node->add_output(Name(absl::StrCat(name, "_output")));
  return node;
}

void OnnxBuilder::SetWindow(onnx::NodeProto* node, Window w) {
  SetInts(node, "kernel_shape", {w.kernel, w.kernel});
  SetInts(node, "strides", {w.stride, w.stride});
  const bool plain = w.extra == 0 && w.dilation == 1 && !w.ceil;
  if (style_.auto_pad && plain && w.padding == 0) {
    SetString(node, "auto_pad", "VALID");
  } else if (style_.auto_pad && plain && w.stride == 1 &&
             2 * w.padding == w.kernel - 1) {
    // The padding is symmetric, so both modes are equivalent; alternate them.
    const bool upper = graph_->node_size() % 2 == 0;
    SetString(node, "auto_pad", upper ? "SAME_UPPER" : "SAME_LOWER");
  } else {
    const int64_t end = w.padding + w.extra;
    SetInts(node, "pads", {w.padding, w.padding, end, end});
  }
}

std::string OnnxBuilder::Conv(absl::string_view name, const std::string& x,
                              const std::string& weight,
                              const std::string& bias, Window window,
                              int64_t groups) {
  onnx::NodeProto* node = AddNode("Conv", name, {x, weight});
  if (!bias.empty()) node->add_input(bias);
  SetWindow(node, window);
  SetInts(node, "dilations", {window.dilation, window.dilation});
  SetInt(node, "group", groups);
  return node->output(0);
}

std::string OnnxBuilder::BatchNorm(absl::string_view name, const std::string& x,
                                   const std::string& scale,
                                   const std::string& bias,
                                   const std::string& mean,
                                   const std::string& variance, float epsilon) {
  onnx::NodeProto* node =
      AddNode("BatchNormalization", name, {x, scale, bias, mean, variance});
  SetFloat(node, "epsilon", epsilon);
  SetFloat(node, "momentum", 0.9f);
  if (style_.opset < 9) SetInt(node, "spatial", 1);
  if (style_.opset >= 14) SetInt(node, "training_mode", 0);
  return node->output(0);
}

std::string OnnxBuilder::Relu(absl::string_view name, const std::string& x) {
  return AddNode("Relu", name, {x})->output(0);
}

std::string OnnxBuilder::Clip(absl::string_view name, const std::string& x,
                              float low, float high) {
  if (style_.opset < 11) {
    onnx::NodeProto* node = AddNode("Clip", name, {x});
    SetFloat(node, "min", low);
    SetFloat(node, "max", high);
    return node->output(0);
  }
  const auto bound = [&](absl::string_view part, float value) {
    return Weight(absl::StrCat(name, "_", part),
                  NDArray::FromVector<float>({}, {value}));
  };
  return AddNode("Clip", name, {x, bound("min", low), bound("max", high)})
      ->output(0);
}

std::string OnnxBuilder::Add(absl::string_view name, const std::string& a,
                             const std::string& b) {
  return AddNode("Add", name, {a, b})->output(0);
}

std::string OnnxBuilder::MaxPool(absl::string_view name, const std::string& x,
                                 Window window) {
  onnx::NodeProto* node = AddNode("MaxPool", name, {x});
  SetWindow(node, window);
  if (style_.opset >= 8) SetInt(node, "storage_order", 0);
  if (style_.opset >= 10) {
    SetInt(node, "ceil_mode", window.ceil ? 1 : 0);
    SetInts(node, "dilations", {1, 1});
  }
  return node->output(0);
}

std::string OnnxBuilder::GlobalAveragePool(absl::string_view name,
                                           const std::string& x) {
  return AddNode("GlobalAveragePool", name, {x})->output(0);
}

std::string OnnxBuilder::ConstantInts(absl::string_view name,
                                      const Shape& shape,
                                      absl::Span<const int64_t> values) {
  const NDArray array = NDArray::FromVector(
      shape, std::vector<int64_t>(values.begin(), values.end()));
  // Before opset 9, a Constant could have floats only.
  if (style_.opset < 9) return Weight(name, array);
  onnx::NodeProto* node = AddNode("Constant", name, {});
  *NewAttribute(node, "value", onnx::AttributeProto::TENSOR)->mutable_t() =
      ToTensorProto(node->output(0), array);
  return node->output(0);
}

std::string OnnxBuilder::Slice(absl::string_view name, const std::string& x,
                               int64_t axis, int64_t begin, int64_t end) {
  if (style_.opset < 10) {
    onnx::NodeProto* node = AddNode("Slice", name, {x});
    SetInts(node, "axes", {axis});
    SetInts(node, "starts", {begin});
    SetInts(node, "ends", {end});
    return node->output(0);
  }
  const auto number = [&](absl::string_view part, int64_t value) {
    return ConstantInts(absl::StrCat(name, "_", part), {1}, {value});
  };
  const std::string starts = number("starts", begin);
  const std::string ends = number("ends", end);
  const std::string axes = number("axes", axis);
  return AddNode("Slice", name, {x, starts, ends, axes})->output(0);
}

std::string OnnxBuilder::Concat(absl::string_view name,
                                absl::Span<const std::string> inputs,
                                int64_t axis) {
  onnx::NodeProto* node = AddNode("Concat", name, inputs);
  SetInt(node, "axis", axis);
  return node->output(0);
}

std::string OnnxBuilder::Transpose(absl::string_view name, const std::string& x,
                                   absl::Span<const int64_t> permutation) {
  onnx::NodeProto* node = AddNode("Transpose", name, {x});
  SetInts(node, "perm", permutation);
  return node->output(0);
}

std::string OnnxBuilder::Reshape(absl::string_view name, const std::string& x,
                                 absl::Span<const int64_t> shape) {
  const std::string to =
      ConstantInts(absl::StrCat(name, "_shape"),
                   {static_cast<int64_t>(shape.size())}, shape);
  return AddNode("Reshape", name, {x, to})->output(0);
}

std::string OnnxBuilder::Softmax(absl::string_view name, const std::string& x,
                                 int64_t axis) {
  onnx::NodeProto* node = AddNode("Softmax", name, {x});
  SetInt(node, "axis", axis);
  return node->output(0);
}

onnx::NodeProto* OnnxBuilder::AxesOperator(absl::string_view op_type,
                                           absl::string_view name,
                                           const std::string& x,
                                           absl::Span<const int64_t> axes,
                                           int since) {
  if (style_.opset < since) {
    onnx::NodeProto* node = AddNode(op_type, name, {x});
    SetInts(node, "axes", axes);
    return node;
  }
  const std::string input = ConstantInts(
      absl::StrCat(name, "_axes"), {static_cast<int64_t>(axes.size())}, axes);
  return AddNode(op_type, name, {x, input});
}

std::string OnnxBuilder::Squeeze(absl::string_view name, const std::string& x,
                                 absl::Span<const int64_t> axes) {
  return AxesOperator("Squeeze", name, x, axes, 13)->output(0);
}

std::string OnnxBuilder::Unsqueeze(absl::string_view name, const std::string& x,
                                   absl::Span<const int64_t> axes) {
  return AxesOperator("Unsqueeze", name, x, axes, 13)->output(0);
}

std::string OnnxBuilder::ReduceL2(absl::string_view name, const std::string& x,
                                  absl::Span<const int64_t> axes) {
  onnx::NodeProto* node = AxesOperator("ReduceL2", name, x, axes, 18);
  SetInt(node, "keepdims", 1);
  return node->output(0);
}

std::string OnnxBuilder::Flatten(absl::string_view name, const std::string& x) {
  const auto sub = [&](absl::string_view part) {
    return absl::StrCat(name, "_", part);
  };
  switch (style_.flatten) {
    case FlattenStyle::kFlatten: {
      onnx::NodeProto* node = AddNode("Flatten", name, {x});
      SetInt(node, "axis", 1);
      return node->output(0);
    }
    case FlattenStyle::kReshape:
      return Reshape(name, x, {0, -1});
    case FlattenStyle::kShapeArithmetic: {
      const std::string shape = AddNode("Shape", sub("shape"), {x})->output(0);
      const std::string zero = ConstantInts(sub("zero"), {}, {0});
      onnx::NodeProto* gather = AddNode("Gather", sub("batch"), {shape, zero});
      SetInt(gather, "axis", 0);
      const std::string batch =
          Unsqueeze(sub("batch_row"), gather->output(0), {0});
      const std::string rest = ConstantInts(sub("rest"), {1}, {-1});
      const std::string target = Concat(sub("target"), {batch, rest}, 0);
      return AddNode("Reshape", name, {x, target})->output(0);
    }
    case FlattenStyle::kSqueeze:
      return Squeeze(name, x, {2, 3});
  }
  CHECK(false) << "flatten style";
  return "";
}

std::string OnnxBuilder::Dense(absl::string_view name, const std::string& x,
                               const std::string& weight,
                               const std::string& bias) {
  onnx::NodeProto* node = AddNode("Gemm", name, {x, weight, bias});
  SetFloat(node, "alpha", 1.0f);
  SetFloat(node, "beta", 1.0f);
  SetInt(node, "transB", 1);
  return node->output(0);
}

}  // namespace assay::suites
