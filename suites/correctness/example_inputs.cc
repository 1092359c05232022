#include "suites/correctness/example_inputs.h"

#include <cmath>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/graph/op/tensor_type.h"
#include "runtime/base/element.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"

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

constexpr float kMaxShrinking = 1.0f / 64;

void Shrink(NDArray& array, Rng& rng) {
  for (int64_t i = 0; i < array.num_elements(); ++i) {
    const float shrinking = rng.UniformFloat(0, kMaxShrinking);
    StoreFloat(array, i, LoadFloat(array, i) * (1.0 - shrinking));
  }
}

// All permutations are equally likely (Fisher and Yates).
void ShuffleElements(NDArray& array, Rng& rng) {
  for (int64_t i = array.num_elements() - 1; i > 0; --i) {
    const int64_t other = rng.UniformInt(0, i);
    const int64_t value = LoadInt(array, i);
    StoreInt(array, i, LoadInt(array, other));
    StoreInt(array, other, value);
  }
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

runtime::NamedTensors PerturbedInputs(const runtime::NamedTensors& inputs,
                                      const std::set<std::string>& varying,
                                      uint64_t seed) {
  const bool any_float =
      absl::c_any_of(inputs, [](const runtime::NamedTensor& input) {
        return input.value.dtype().is_float();
      });
  runtime::NamedTensors perturbed;
  for (const runtime::NamedTensor& input : inputs) {
    NDArray value = input.value.Clone();
    Rng rng(SeedFor(seed, absl::StrCat("input ", perturbed.size())));
    if (value.dtype().is_float()) {
      Shrink(value, rng);
    } else if (varying.count(input.name) > 0 ||
               (!any_float && !value.dtype().is_bool() &&
                value.dtype().bits() == 8)) {
      ShuffleElements(value, rng);
    }
    perturbed.push_back({input.name, std::move(value)});
  }
  return perturbed;
}

}  // namespace assay::suites
