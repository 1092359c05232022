#include "suites/references/all_references.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "suites/references/libraries.h"
#include "suites/references/model_reference.h"

namespace assay::suites {
namespace {

constexpr const char* kNames[] = {"openblas", "onednn", "onnxruntime",
                                  "openvino"};

absl::StatusOr<std::unique_ptr<Reference>> LoadReference(
    absl::string_view program, absl::string_view name) {
  if (std::find(std::begin(kNames), std::end(kNames), name) ==
      std::end(kNames)) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no reference `", name, "`; there are `",
                     absl::StrJoin(kNames, "`, `"), "`"));
  }
  if (name == "openblas") return LoadOpenBlas(program);
  if (name == "onednn") return LoadOneDnn(program);
  return LoadModelReference(program, name);
}

}  // namespace

absl::Span<const char* const> ReferenceNames() { return kNames; }

absl::StatusOr<References> LoadReferences(absl::string_view program,
                                          absl::Span<const std::string> names) {
  References references;
  for (const std::string& name : names) {
    absl::StatusOr<std::unique_ptr<Reference>> reference =
        LoadReference(program, name);
    if (reference.ok()) {
      references.loaded.push_back(*std::move(reference));
    } else if (absl::IsInvalidArgument(reference.status())) {
      return reference.status();
    } else {
      references.notes.push_back(
          absl::StrCat(name, ": ", reference.status().message()));
    }
  }
  return references;
}

}  // namespace assay::suites
