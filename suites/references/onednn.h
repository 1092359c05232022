// LoadOneDnn: loads oneDNN as a Reference. It computes matrix products of
// float32 and of 8-bit integers with the matmul primitive, and convolutions
// with the convolution primitive.
//
// The operands and the result of a matrix product have the plain layout. A
// convolution runs in the layouts that oneDNN prefers, and its time includes no
// reordering (onednn_primitive.h). Bias and ReLU are part of the primitive: the
// bias is an operand, and ReLU is a post-operation.
#ifndef ASSAY_SUITES_REFERENCES_ONEDNN_H_
#define ASSAY_SUITES_REFERENCES_ONEDNN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "suites/references/reference.h"

namespace assay::suites {

// Opens the library in the runfiles of `program`, which is argv[0]. Returns
// NotFound if it could not be downloaded when the program was built.
absl::StatusOr<std::unique_ptr<Reference>> LoadOneDnn(
    absl::string_view program);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONEDNN_H_
