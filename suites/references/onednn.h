// oneDNN: matrix products by `dnnl_sgemm`, convolutions by its primitive.
//
// Only the convolution primitive is timed, in its preferred layouts: data and
// weights are reordered before and the result after, and bias and clipping are
// part of the primitive (a bias operand and a post-operation).
#ifndef ASSAY_SUITES_REFERENCES_ONEDNN_H_
#define ASSAY_SUITES_REFERENCES_ONEDNN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "suites/references/reference.h"

namespace assay::suites {

// `program` is argv[0].
absl::StatusOr<std::unique_ptr<Reference>> LoadOneDnn(
    absl::string_view program);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONEDNN_H_
