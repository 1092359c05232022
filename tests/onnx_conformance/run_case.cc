#include "tests/onnx_conformance/run_case.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/graph/reference/evaluate.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"
#include "runtime/devices/devices.h"
#include "runtime/executor/executor.h"
#include "tests/onnx_conformance/bound_inputs.h"
#include "tests/onnx_conformance/compare.h"

namespace assay::conformance {
namespace {

constexpr char kTarget[] = "llvm -mcpu=native";
constexpr int kThreads = 2;

// Binds the symbolic dimensions of an input to the extents of `shape`.
void BindExtents(const onnx::ValueInfoProto& input, const Shape& shape,
                 std::map<std::string, int64_t>* dims) {
  const auto& declared = input.type().tensor_type().shape();
  for (int i = 0; i < declared.dim_size(); ++i) {
    if (declared.dim(i).has_dim_value() ||
        i >= static_cast<int>(shape.size())) {
      continue;
    }
    const std::string& symbol = declared.dim(i).dim_param();
    const std::string name =
        symbol.empty() ? absl::StrCat(input.name(), "[", i, "]") : symbol;
    dims->emplace(name, shape[i]);
  }
}

// Adds the properties of an input that are not in the model: its extents, or
// the tensors in a sequence or an optional value.
void DescribeInput(const onnx::ValueInfoProto& input, const CaseValue& value,
                   frontend::ImportOptions* options) {
  if (input.type().has_tensor_type()) {
    BindExtents(input, value.tensors[0].value.shape(), &options->dims);
    return;
  }
  frontend::ValueParts& parts = options->input_parts[input.name()];
  parts.present = value.present;
  for (const runtime::NamedTensor& tensor : value.tensors) {
    parts.types.push_back({tensor.value.dtype(), tensor.value.shape()});
  }
}

// Declares every tensor among the inputs with the shape of its value, if the
// declared numbers differ. Some cases have a value of another shape than the
// model declares, where the operator reads only its element type.
void DeclareShapes(const DataSet& data, onnx::ModelProto* model) {
  std::map<std::string, const CaseValue*> values;
  const auto inputs = ModelInputs(*model);
  for (size_t i = 0; i < inputs.size(); ++i) {
    values[inputs[i].name()] = &data.inputs[i];
  }
  for (onnx::ValueInfoProto& input : *model->mutable_graph()->mutable_input()) {
    const auto found = values.find(input.name());
    if (found == values.end() || !input.type().has_tensor_type() ||
        !input.type().tensor_type().has_shape()) {
      continue;
    }
    const Shape& shape = found->second->tensors[0].value.shape();
    onnx::TensorShapeProto& declared =
        *input.mutable_type()->mutable_tensor_type()->mutable_shape();
    bool agrees = declared.dim_size() == static_cast<int>(shape.size());
    for (int i = 0; agrees && i < declared.dim_size(); ++i) {
      agrees = !declared.dim(i).has_dim_value() ||
               declared.dim(i).dim_value() == shape[static_cast<size_t>(i)];
    }
    if (agrees) continue;
    declared.clear_dim();
    for (const int64_t extent : shape) {
      declared.add_dim()->set_dim_value(extent);
    }
  }
}

absl::StatusOr<runtime::NamedTensors> RunCompiled(
    const graph::Graph& graph, const runtime::NamedTensors& inputs) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         driver::ResolveTarget(kTarget));
  ASSAY_ASSIGN_OR_RETURN(const runtime::Artifact artifact,
                         driver::Compile(graph, target));
  ASSAY_ASSIGN_OR_RETURN(auto device,
                         runtime::CreateDevice(artifact.code_kind, kThreads));
  ASSAY_ASSIGN_OR_RETURN(auto executor,
                         runtime::Executor::Create(artifact, device.get()));
  for (const runtime::TensorInfo& input : executor->inputs()) {
    const NDArray* value = runtime::FindTensor(inputs, input.name);
    CHECK(value != nullptr) << input.name;
    ASSAY_RETURN_IF_ERROR(executor->SetInput(input.name, *value));
  }
  ASSAY_RETURN_IF_ERROR(executor->Run());
  runtime::NamedTensors outputs;
  for (const runtime::TensorInfo& output : executor->outputs()) {
    ASSAY_ASSIGN_OR_RETURN(NDArray value, executor->GetOutput(output.name));
    outputs.push_back({output.name, std::move(value)});
  }
  return outputs;
}

absl::StatusOr<runtime::NamedTensors> RunInterpreter(
    const graph::Graph& graph, const runtime::NamedTensors& inputs) {
  std::vector<NDArray> values;
  for (const graph::Node* input : graph.inputs()) {
    const NDArray* value = runtime::FindTensor(inputs, input->name());
    CHECK(value != nullptr) << input->name();
    values.push_back(*value);
  }
  ASSAY_ASSIGN_OR_RETURN(std::vector<NDArray> results,
                         graph::Evaluate(graph, values));
  runtime::NamedTensors outputs;
  for (size_t i = 0; i < results.size(); ++i) {
    outputs.push_back({graph.data_outputs()[i].name, std::move(results[i])});
  }
  return outputs;
}

absl::Status RunDataSet(const graph::Graph& graph, const DataSet& data,
                        Engine engine, Tolerance tolerance) {
  const runtime::NamedTensors inputs = TensorsOf(data.inputs);
  ASSAY_ASSIGN_OR_RETURN(const runtime::NamedTensors results,
                         engine == Engine::kCompiled
                             ? RunCompiled(graph, inputs)
                             : RunInterpreter(graph, inputs));
  const runtime::NamedTensors outputs = TensorsOf(data.outputs);
  if (results.size() != outputs.size()) {
    return absl::DataLossError(absl::StrCat("the graph has ", results.size(),
                                            " outputs instead of ",
                                            outputs.size()));
  }
  for (const runtime::NamedTensor& wanted : outputs) {
    const NDArray* actual = runtime::FindTensor(results, wanted.name);
    if (actual == nullptr) {
      return absl::DataLossError(
          absl::StrCat("the graph has no output `", wanted.name, "`"));
    }
    const absl::Status same = CompareTensors(*actual, wanted.value, tolerance);
    if (!same.ok()) {
      return absl::DataLossError(absl::StrCat("output `", wanted.name, "` ",
                                              std::string(same.message())));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ImportedCase> ImportCase(const onnx::ModelProto& original,
                                        const DataSet& data) {
  onnx::ModelProto model = original;
  DeclareShapes(data, &model);
  frontend::ImportOptions options;
  const auto inputs = ModelInputs(model);
  for (size_t i = 0; i < inputs.size(); ++i) {
    DescribeInput(inputs[i], data.inputs[i], &options);
  }
  ImportedCase imported;
  auto graph = frontend::ImportOnnxModel(model, options);
  if (!graph.ok()) {
    imported.bound = InputsToBind(model);
    if (imported.bound.empty()) return graph.status();
    options = frontend::ImportOptions();
    for (size_t i = 0; i < inputs.size(); ++i) {
      const std::string& name = inputs[i].name();
      const CaseValue& value = data.inputs[i];
      if (std::count(imported.bound.begin(), imported.bound.end(), name) > 0) {
        options.bound_inputs[name] = value.tensors[0].value;
      } else {
        DescribeInput(inputs[i], value, &options);
      }
    }
    graph = frontend::ImportOnnxModel(model, options);
  }
  ASSAY_ASSIGN_OR_RETURN(imported.graph, std::move(graph));
  return imported;
}

absl::Status RunCase(const Case& test_case, Engine engine,
                     Tolerance tolerance) {
  for (const DataSet& data : test_case.sets) {
    ASSAY_ASSIGN_OR_RETURN(const ImportedCase imported,
                           ImportCase(test_case.model, data));
    ASSAY_RETURN_IF_ERROR(RunDataSet(*imported.graph, data, engine, tolerance));
  }
  return absl::OkStatus();
}

}  // namespace assay::conformance
