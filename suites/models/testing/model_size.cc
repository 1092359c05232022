#include "suites/models/testing/model_size.h"

#include "absl/strings/match.h"
#include "runtime/base/check.h"
#include "suites/models/onnx_builder.h"

namespace assay::suites {
namespace {

int64_t Elements(const onnx::TensorProto& tensor) {
  int64_t n = 1;
  for (const int64_t extent : tensor.dims()) n *= extent;
  return n;
}

int64_t FirstInt(const onnx::NodeProto& node, const std::string& name,
                 int64_t otherwise) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.name() != name) continue;
    return attribute.ints_size() > 0 ? attribute.ints(0) : attribute.i();
  }
  return otherwise;
}

// The window of a Conv or MaxPool whose paddings are given by `pads`.
Window WindowOf(const onnx::NodeProto& node) {
  Window window;
  window.kernel = FirstInt(node, "kernel_shape", 1);
  window.stride = FirstInt(node, "strides", 1);
  window.dilation = FirstInt(node, "dilations", 1);
  window.ceil = FirstInt(node, "ceil_mode", 0) != 0;
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    CHECK(attribute.name() != "auto_pad") << node.name();
    if (attribute.name() != "pads") continue;
    window.padding = attribute.ints(0);
    window.extra = attribute.ints(2) - attribute.ints(0);
  }
  return window;
}

}  // namespace

std::map<std::string, const onnx::TensorProto*> Weights(
    const onnx::ModelProto& model) {
  std::map<std::string, const onnx::TensorProto*> weights;
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    weights[tensor.name()] = &tensor;
  }
  return weights;
}

std::map<std::string, int> CountOperators(const onnx::ModelProto& model) {
  std::map<std::string, int> count;
  for (const onnx::NodeProto& node : model.graph().node()) {
    ++count[node.op_type()];
  }
  return count;
}

int64_t CountParameters(const onnx::ModelProto& model) {
  int64_t n = 0;
  for (const auto& [name, tensor] : Weights(model)) {
    if (absl::EndsWith(name, ".weight") || absl::EndsWith(name, ".bias")) {
      n += Elements(*tensor);
    }
  }
  return n;
}

int64_t CountMultiplyAdds(const onnx::ModelProto& model) {
  const auto weights = Weights(model);
  const auto& image = model.graph().input(0);
  // Extents of feature maps; not valid after the last convolution.
  std::map<std::string, int64_t> extent = {
      {image.name(), image.type().tensor_type().shape().dim(2).dim_value()}};
  int64_t total = 0;
  for (const onnx::NodeProto& node : model.graph().node()) {
    if (node.input_size() == 0) continue;
    int64_t out = extent[node.input(0)];
    if (node.op_type() == "Conv" || node.op_type() == "MaxPool") {
      out = OutputExtent(WindowOf(node), out);
    }
    if (node.op_type() == "Conv") {
      total += out * out * Elements(*weights.at(node.input(1)));
    }
    if (node.op_type() == "Gemm") {
      total += Elements(*weights.at(node.input(1)));
    }
    extent[node.output(0)] = out;
  }
  return total;
}

}  // namespace assay::suites
