// LoadReferences: loads the libraries that kernels are compared with.
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

// `openblas`, `onednn`, `onnxruntime`.
absl::Span<const char* const> ReferenceNames();

struct References {
  std::vector<std::unique_ptr<Reference>> loaded;
  // One sentence for each library that is not available.
  std::vector<std::string> notes;
};

// InvalidArgument for a name that is not in ReferenceNames(). A library that is
// not available adds a note and is not an error. `program` is argv[0].
absl::StatusOr<References> LoadReferences(absl::string_view program,
                                          absl::Span<const std::string> names);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ALL_REFERENCES_H_
