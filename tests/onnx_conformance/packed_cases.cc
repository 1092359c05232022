#include "tests/onnx_conformance/packed_cases.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::conformance {
namespace {

absl::StatusOr<std::vector<CaseValue>> UnpackValues(
    const google::protobuf::RepeatedPtrField<std::string>& values,
    const std::vector<onnx::ValueInfoProto>& infos) {
  if (values.size() != static_cast<int>(infos.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("the case has ", values.size(), " values for ",
                     infos.size(), " inputs or outputs"));
  }
  std::vector<CaseValue> unpacked;
  for (size_t i = 0; i < infos.size(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(
        CaseValue value,
        DecodeValue(values.Get(static_cast<int>(i)), infos[i]));
    unpacked.push_back(std::move(value));
  }
  return unpacked;
}

}  // namespace

absl::StatusOr<PackedCases> ReadPackedCases(const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  PackedCases cases;
  if (cases.ParseFromString(bytes)) return cases;
  return absl::InvalidArgumentError(
      absl::StrCat("`", path, "` cannot be parsed"));
}

absl::StatusOr<Case> Unpack(const PackedCase& packed) {
  Case result;
  if (!result.model.ParseFromString(packed.model())) {
    return absl::InvalidArgumentError("the model cannot be parsed");
  }
  DataSet set;
  ASSAY_ASSIGN_OR_RETURN(
      set.inputs, UnpackValues(packed.input(), ModelInputs(result.model)));
  const auto& outputs = result.model.graph().output();
  ASSAY_ASSIGN_OR_RETURN(
      set.outputs,
      UnpackValues(packed.output(), {outputs.begin(), outputs.end()}));
  result.sets.push_back(std::move(set));
  return result;
}

}  // namespace assay::conformance
