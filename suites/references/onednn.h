// oneDNN: matrix products by `dnnl_sgemm`, convolutions by its primitive.
//
// A convolution is the primitive alone, in the layouts that it prefers: data
// and weights are reordered beforehand and the result afterwards, and bias and
// clipping are part of the primitive (a bias operand and a post-operation).
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
