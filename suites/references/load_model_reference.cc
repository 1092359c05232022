#include "suites/references/load_model_reference.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "suites/references/onnxruntime.h"
#include "suites/references/openvino.h"

namespace assay::suites {

absl::StatusOr<std::unique_ptr<ModelReference>> LoadModelReference(
    absl::string_view program, absl::string_view name) {
  if (name == "onnxruntime") return LoadOnnxRuntime(program);
  if (name == "openvino") return LoadOpenVino(program);
  return absl::InvalidArgumentError(
      absl::StrCat("no reference `", name, "` runs models; there are `",
                   absl::StrJoin(ModelReferenceNames(), "`, `"), "`"));
}

}  // namespace assay::suites
