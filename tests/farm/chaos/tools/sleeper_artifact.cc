#include "tests/farm/chaos/tools/sleeper_artifact.h"

#include "absl/strings/str_cat.h"

namespace assay {

runtime::Artifact SleeperArtifact(int64_t nanos) {
  runtime::Artifact artifact;
  artifact.metadata["sleeping.nanos"] = absl::StrCat(nanos);
  artifact.tensors = {
      {"x", DType::Float32(), {1}, runtime::Location::kInput, 0},
      {"y", DType::Int64(), {1}, runtime::Location::kOutput, 0}};
  artifact.calls = {{"sleep", {0}, {1}, {"sleep"}, "sleep", 1, 4, ""}};
  artifact.code_kind = "sleep";
  artifact.code = "none";
  return artifact;
}

}  // namespace assay
