#include "suites/correctness/input_settings.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/graph/op/tensor_type.h"
#include "runtime/base/element.h"
#include "runtime/base/ndarray.h"

namespace assay::suites {
namespace {

using frontend::Malformed;
using frontend::Quote;
using frontend::QuoteList;

// Sets the only element of `*scalar` to the number `text`. Returns false if the
// element type has no such number.
bool ParseElement(absl::string_view text, NDArray* scalar) {
  const DType type = scalar->dtype();
  if (type.is_float()) {
    double number = 0;
    if (!absl::SimpleAtod(text, &number)) return false;
    StoreFloat(*scalar, 0, number);
    return std::isfinite(LoadFloat(*scalar, 0));
  }
  if (type == DType::UInt(64)) {
    uint64_t number = 0;
    if (!absl::SimpleAtoi(text, &number)) return false;
    StoreInt(*scalar, 0, static_cast<int64_t>(number));
    return true;
  }
  int64_t number = 0;
  if (!absl::SimpleAtoi(text, &number)) return false;
  // A number that is out of range is wrapped when it is stored.
  StoreInt(*scalar, 0, number);
  return LoadInt(*scalar, 0) == number;
}

// Returns null if there is no such input.
const graph::Node* FindInput(const graph::Graph& graph,
                             absl::string_view name) {
  for (const graph::Node* input : graph.inputs()) {
    if (input->name() == name) return input;
  }
  return nullptr;
}

absl::Status NoSuchInput(absl::string_view flag, absl::string_view name,
                         const graph::Graph& graph) {
  std::vector<std::string> names;
  for (const graph::Node* input : graph.inputs()) {
    names.push_back(input->name());
  }
  return Malformed("`", flag, "` is for ", Quote(name),
                   ", which is no input of the model; its inputs are ",
                   QuoteList(names));
}

}  // namespace

absl::StatusOr<runtime::NamedTensors> SettingsFromValues(
    const std::map<std::string, std::string>& values,
    const graph::Graph& graph) {
  runtime::NamedTensors settings;
  for (const auto& [name, text] : values) {
    const graph::Node* input = FindInput(graph, name);
    if (input == nullptr) return NoSuchInput("--input_value", name, graph);
    const graph::TensorType& type = input->type();
    NDArray scalar(type.dtype, {});
    if (!ParseElement(text, &scalar)) {
      return Malformed("`--input_value` for ", Quote(name), " is ", Quote(text),
                       ", which is not a value of ", type.dtype.ToString());
    }
    NDArray value(type.dtype, type.shape);
    for (int64_t i = 0; i < value.num_elements(); ++i) {
      CopyElements(scalar, 0, value, i, 1);
    }
    settings.push_back({name, std::move(value)});
  }
  return settings;
}

absl::Status CheckVaryingInputs(const std::vector<std::string>& names,
                                const graph::Graph& graph) {
  for (const std::string& name : names) {
    const graph::Node* input = FindInput(graph, name);
    if (input == nullptr) return NoSuchInput("--vary", name, graph);
  }
  return absl::OkStatus();
}

void ApplySettings(const runtime::NamedTensors& settings,
                   runtime::NamedTensors* inputs) {
  for (runtime::NamedTensor& input : *inputs) {
    const NDArray* value = runtime::FindTensor(settings, input.name);
    if (value != nullptr) input.value = *value;
  }
}

}  // namespace assay::suites
