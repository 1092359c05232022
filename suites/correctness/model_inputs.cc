#include "suites/correctness/model_inputs.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/graph/op/tensor_type.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

using Dims = std::map<std::string, int64_t>;
using frontend::Escape;
using frontend::Malformed;
using frontend::Quote;

// Returns the symbol of an extent, or an empty string if it is a number.
std::string SymbolOf(const onnx::ValueInfoProto& input, int axis) {
  const auto& dim = input.type().tensor_type().shape().dim(axis);
  // Some exporters write -1 for an extent that is not specified.
  if (dim.has_dim_value() && dim.dim_value() != -1) return "";
  if (!dim.dim_param().empty()) return dim.dim_param();
  return absl::StrCat(input.name(), "[", axis, "]");
}

// Returns the declared shape, for example `[N,3,224,224]`.
std::string DeclaredShape(const onnx::ValueInfoProto& input) {
  const auto& shape = input.type().tensor_type().shape();
  std::vector<std::string> extents;
  for (int axis = 0; axis < shape.dim_size(); ++axis) {
    const std::string symbol = SymbolOf(input, axis);
    extents.push_back(symbol.empty() ? absl::StrCat(shape.dim(axis).dim_value())
                                     : Escape(symbol));
  }
  return absl::StrCat("[", absl::StrJoin(extents, ","), "]");
}

// Binds the extents of an input for which the model declares no shape, unless
// `dims` has some of them.
absl::Status BindShape(const std::string& input, const UnreadTensor& tensor,
                       const Dims& dims, Dims* bound) {
  const std::string first = absl::StrCat(input, "[0]");
  const std::string scalar = absl::StrCat(input, "[]");
  if (dims.count(first) > 0 || dims.count(scalar) > 0) return absl::OkStatus();
  if (tensor.type.rank() == 0) bound->emplace(scalar, 1);
  for (int axis = 0; axis < tensor.type.rank(); ++axis) {
    bound->emplace(absl::StrCat(input, "[", axis, "]"),
                   tensor.type.shape[static_cast<size_t>(axis)]);
  }
  return absl::OkStatus();
}

// Binds the symbols of one input, except those in `dims`. `sources` has the
// label of the tensor from which each symbol in `bound` was taken.
absl::Status BindInput(const onnx::ValueInfoProto& input,
                       const UnreadTensor& tensor, const Dims& dims,
                       Dims* bound,
                       std::map<std::string, std::string>* sources) {
  if (!input.type().has_tensor_type()) {
    return absl::OkStatus();  // the importer rejects the input
  }
  if (!input.type().tensor_type().has_shape()) {
    return BindShape(input.name(), tensor, dims, bound);
  }
  if (input.type().tensor_type().shape().dim_size() != tensor.type.rank()) {
    return Malformed(tensor.label, " is ", tensor.type.ToString(),
                     ", but the shape of the model's input is ",
                     DeclaredShape(input));
  }
  for (int axis = 0; axis < tensor.type.rank(); ++axis) {
    const std::string symbol = SymbolOf(input, axis);
    if (symbol.empty() || dims.count(symbol) > 0) continue;
    const int64_t extent = tensor.type.shape[static_cast<size_t>(axis)];
    if (extent < 1) {
      return Malformed(tensor.label, " is ", tensor.type.ToString(),
                       ", but every extent must be at least 1");
    }
    const auto [known, is_new] = bound->emplace(symbol, extent);
    if (is_new) {
      sources->emplace(symbol, tensor.label);
    } else if (known->second != extent) {
      return Malformed("the extent ", Quote(symbol), " is ", known->second,
                       " in ", sources->at(symbol), ", but ", extent, " in ",
                       tensor.label);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Dims> BindDims(const InputFile& inputs, const std::string& model,
                              const Dims& dims, int64_t max_memory) {
  ASSAY_ASSIGN_OR_RETURN(const std::string bytes,
                         ReadFile(model, std::min(kMaxFileBytes, max_memory)));
  onnx::ModelProto proto;
  if (bytes.size() > std::numeric_limits<int>::max() ||
      !proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return dims;
  }
  std::set<absl::string_view> weights;
  for (const onnx::TensorProto& tensor : proto.graph().initializer()) {
    weights.insert(tensor.name());
  }
  std::vector<const onnx::ValueInfoProto*> infos;
  std::vector<std::string> names;
  for (const onnx::ValueInfoProto& info : proto.graph().input()) {
    if (weights.count(info.name()) > 0) continue;
    infos.push_back(&info);
    names.push_back(info.name());
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<const UnreadTensor*> tensors,
                         MatchInputs(inputs, names));
  Dims bound;
  std::map<std::string, std::string> sources;
  for (size_t i = 0; i < infos.size(); ++i) {
    ASSAY_RETURN_IF_ERROR(
        BindInput(*infos[i], *tensors[i], dims, &bound, &sources));
  }
  bound.insert(dims.begin(), dims.end());
  return bound;
}

absl::StatusOr<runtime::NamedTensors> ReadModelInputs(
    const InputFile& file, const graph::Graph& graph) {
  std::vector<std::string> names;
  for (const graph::Node* input : graph.inputs()) {
    names.push_back(input->name());
  }
  ASSAY_ASSIGN_OR_RETURN(const std::vector<const UnreadTensor*> tensors,
                         MatchInputs(file, names));
  for (size_t i = 0; i < tensors.size(); ++i) {
    const graph::TensorType& needed = graph.inputs()[i]->type();
    if (tensors[i]->type == needed) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(tensors[i]->label, " is ", tensors[i]->type.ToString(),
                     ", but the model needs ", needed.ToString()));
  }
  runtime::NamedTensors inputs;
  for (size_t i = 0; i < tensors.size(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(NDArray value, tensors[i]->read());
    inputs.push_back({names[i], std::move(value)});
  }
  return inputs;
}

}  // namespace assay::suites
