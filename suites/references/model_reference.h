// The references that run whole models.
#ifndef ASSAY_SUITES_REFERENCES_MODEL_REFERENCE_H_
#define ASSAY_SUITES_REFERENCES_MODEL_REFERENCE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "suites/references/reference.h"

namespace assay::suites {

// Returns the names of all model references: `onnxruntime`, `openvino`.
absl::Span<const char* const> ModelReferenceNames();

// Opens the library `name` in the runfiles of `program`, which is argv[0].
// Returns InvalidArgument if `name` is not in ModelReferenceNames(), and
// another error, with the reason, if the library is not available.
absl::StatusOr<std::unique_ptr<Reference>> LoadModelReference(
    absl::string_view program, absl::string_view name);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_MODEL_REFERENCE_H_
