// LoadOneDnn: loads oneDNN as a Reference. It computes float32 matrix products
// with `dnnl_sgemm`, 8-bit matrix products with `dnnl_gemm_u8s8s32`, and
// convolutions with the convolution primitive.
//
// The convolution primitive runs in the layouts that oneDNN prefers. Data and
// weights are reordered before the measurement, and the result is reordered
// after it, so the time of a convolution includes no reordering. Bias and ReLU
// are part of the primitive: the bias is an operand, and ReLU is a
// post-operation.
#ifndef ASSAY_SUITES_REFERENCES_ONEDNN_H_
#define ASSAY_SUITES_REFERENCES_ONEDNN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "suites/references/reference.h"

namespace assay::suites {

// Opens the library in the runfiles of `program`, which is argv[0].
absl::StatusOr<std::unique_ptr<Reference>> LoadOneDnn(
    absl::string_view program);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONEDNN_H_
