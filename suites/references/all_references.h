// LoadReferences: loads the reference libraries, with which kernels are
// compared.
#ifndef ASSAY_SUITES_REFERENCES_ALL_REFERENCES_H_
#define ASSAY_SUITES_REFERENCES_ALL_REFERENCES_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "suites/references/reference.h"

namespace assay::suites {

// Returns the names of all references: `openblas`, `onednn`, `onnxruntime`,
// `openvino`.
absl::Span<const char* const> ReferenceNames();

struct References {
  std::vector<std::unique_ptr<Reference>> loaded;
  // For each library that is not available: its name and the reason.
  std::vector<std::string> notes;
};

// Loads the libraries `names`. Returns InvalidArgument if a name is not in
// ReferenceNames(). If a library is not available, adds a note to the result
// and returns no error. `program` is argv[0].
absl::StatusOr<References> LoadReferences(absl::string_view program,
                                          absl::Span<const std::string> names);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ALL_REFERENCES_H_
