#include "tests/onnx_conformance/case.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/proto/tensor.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "tests/onnx_conformance/value.pb.h"

namespace assay::conformance {
namespace {

std::vector<std::string> FoldersIn(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    if (entry.is_directory()) names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

template <typename Message>
absl::Status Decode(const std::string& bytes, const std::string& name,
                    Message* message) {
  if (message->ParseFromString(bytes)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("`", name, "` cannot be parsed"));
}

absl::Status AddTensor(const std::string& name, const onnx::TensorProto& proto,
                       CaseValue* value) {
  ASSAY_ASSIGN_OR_RETURN(
      NDArray array,
      frontend::ReadTensor(proto, "", std::numeric_limits<int32_t>::max()));
  value->tensors.push_back({name, std::move(array)});
  return absl::OkStatus();
}

absl::Status AddElements(const std::string& name, const SequenceValue& proto,
                         CaseValue* value) {
  for (int i = 0; i < proto.tensor_values_size(); ++i) {
    ASSAY_RETURN_IF_ERROR(AddTensor(absl::StrCat(name, "[", i, "]"),
                                    proto.tensor_values(i), value));
  }
  return absl::OkStatus();
}

absl::Status DecodeTensor(const std::string& bytes,
                          const onnx::ValueInfoProto& info, CaseValue* value) {
  onnx::TensorProto proto;
  ASSAY_RETURN_IF_ERROR(Decode(bytes, info.name(), &proto));
  // The cases of ONNX 1.12 were generated with numpy, which has no bfloat16,
  // and store it as UINT16.
  if (info.type().tensor_type().elem_type() == onnx::TensorProto::BFLOAT16 &&
      proto.data_type() == onnx::TensorProto::UINT16) {
    proto.set_data_type(onnx::TensorProto::BFLOAT16);
  }
  return AddTensor(info.name(), proto, value);
}

absl::Status DecodeOptional(const std::string& bytes,
                            const onnx::ValueInfoProto& info,
                            CaseValue* value) {
  OptionalValue proto;
  ASSAY_RETURN_IF_ERROR(Decode(bytes, info.name(), &proto));
  if (proto.has_tensor_value()) {
    return AddTensor(info.name(), proto.tensor_value(), value);
  }
  if (proto.has_sequence_value()) {
    return AddElements(info.name(), proto.sequence_value(), value);
  }
  value->present = false;
  return absl::OkStatus();
}

absl::StatusOr<CaseValue> ReadValue(const std::string& path,
                                    const onnx::ValueInfoProto& info) {
  ASSAY_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  return DecodeValue(bytes, info);
}

}  // namespace

std::vector<std::string> FindCases(const std::string& root) {
  std::vector<std::string> cases;
  for (const std::string& folder : FoldersIn(root)) {
    for (const std::string& name : FoldersIn(JoinPath(root, folder))) {
      const std::string path = JoinPath(folder, name);
      if (FileExists(absl::StrCat(root, "/", path, "/model.onnx"))) {
        cases.push_back(path);
      }
    }
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

absl::StatusOr<onnx::ModelProto> ReadModel(const std::string& root,
                                           const std::string& name) {
  onnx::ModelProto model;
  const std::string path = absl::StrCat(root, "/", name, "/model.onnx");
  ASSAY_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  ASSAY_RETURN_IF_ERROR(Decode(bytes, path, &model));
  return model;
}

std::vector<onnx::ValueInfoProto> ModelInputs(const onnx::ModelProto& model) {
  std::set<std::string> weights;
  for (const auto& tensor : model.graph().initializer()) {
    weights.insert(tensor.name());
  }
  std::vector<onnx::ValueInfoProto> inputs;
  for (const auto& input : model.graph().input()) {
    if (weights.count(input.name()) == 0) inputs.push_back(input);
  }
  return inputs;
}

runtime::NamedTensors TensorsOf(const std::vector<CaseValue>& values) {
  runtime::NamedTensors tensors;
  for (const CaseValue& value : values) {
    tensors.insert(tensors.end(), value.tensors.begin(), value.tensors.end());
  }
  return tensors;
}

absl::StatusOr<CaseValue> DecodeValue(const std::string& bytes,
                                      const onnx::ValueInfoProto& info) {
  CaseValue value;
  const onnx::TypeProto& type = info.type();
  if (type.has_tensor_type()) {
    ASSAY_RETURN_IF_ERROR(DecodeTensor(bytes, info, &value));
  } else if (type.has_sequence_type()) {
    SequenceValue proto;
    ASSAY_RETURN_IF_ERROR(Decode(bytes, info.name(), &proto));
    ASSAY_RETURN_IF_ERROR(AddElements(info.name(), proto, &value));
  } else if (type.has_optional_type()) {
    ASSAY_RETURN_IF_ERROR(DecodeOptional(bytes, info, &value));
  } else {
    return absl::UnimplementedError(absl::StrCat(
        "`", info.name(), "` is no tensor, sequence or optional value"));
  }
  return value;
}

absl::StatusOr<Case> ReadCase(const std::string& root,
                              const std::string& name) {
  Case result;
  ASSAY_ASSIGN_OR_RETURN(result.model, ReadModel(root, name));
  while (true) {
    const std::string folder =
        absl::StrCat(root, "/", name, "/test_data_set_", result.sets.size());
    if (!FileExists(folder)) break;
    DataSet set;
    int i = 0;
    for (const onnx::ValueInfoProto& input : ModelInputs(result.model)) {
      const std::string path = absl::StrCat(folder, "/input_", i++, ".pb");
      ASSAY_ASSIGN_OR_RETURN(auto value, ReadValue(path, input));
      set.inputs.push_back(std::move(value));
    }
    i = 0;
    for (const onnx::ValueInfoProto& output : result.model.graph().output()) {
      const std::string path = absl::StrCat(folder, "/output_", i++, ".pb");
      ASSAY_ASSIGN_OR_RETURN(auto value, ReadValue(path, output));
      set.outputs.push_back(std::move(value));
    }
    result.sets.push_back(std::move(set));
  }
  if (!result.sets.empty()) return result;
  return absl::NotFoundError(absl::StrCat("`", name, "` has no data"));
}

}  // namespace assay::conformance
