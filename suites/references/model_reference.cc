#include "suites/references/model_reference.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "suites/references/libraries.h"

namespace assay::suites {
namespace {

constexpr const char* kNames[] = {"onnxruntime", "openvino"};

}  // namespace

absl::Span<const char* const> ModelReferenceNames() { return kNames; }

absl::StatusOr<std::unique_ptr<Reference>> LoadModelReference(
    absl::string_view program, absl::string_view name) {
  if (name == "onnxruntime") return LoadOnnxRuntime(program);
  if (name == "openvino") return LoadOpenVino(program);
  return absl::InvalidArgumentError(
      absl::StrCat("no reference `", name, "` runs models; there are `",
                   absl::StrJoin(kNames, "`, `"), "`"));
}

}  // namespace assay::suites
