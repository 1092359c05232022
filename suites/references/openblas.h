// LoadOpenBlas: loads OpenBLAS as a Reference: a build with pthreads and 32-bit
// integers. It computes float32 matrix products with `cblas_sgemm` and supports
// no other problems.
#ifndef ASSAY_SUITES_REFERENCES_OPENBLAS_H_
#define ASSAY_SUITES_REFERENCES_OPENBLAS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "suites/references/reference.h"

namespace assay::suites {

// Opens the library in the runfiles of `program`, which is argv[0]. Returns
// NotFound if it could not be downloaded when the program was built.
absl::StatusOr<std::unique_ptr<Reference>> LoadOpenBlas(
    absl::string_view program);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_OPENBLAS_H_
