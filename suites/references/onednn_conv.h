// PrepareOneDnnConv: prepares a convolution with oneDNN's convolution primitive
// (onednn.h).
#ifndef ASSAY_SUITES_REFERENCES_ONEDNN_CONV_H_
#define ASSAY_SUITES_REFERENCES_ONEDNN_CONV_H_

#include "absl/status/statusor.h"
#include "suites/references/onednn_library.h"
#include "suites/references/reference.h"

namespace assay::suites {

// Loads `problem` as Reference::PrepareConv() does. `dnnl` must outlive the
// session.
absl::StatusOr<PreparedReference> PrepareOneDnnConv(
    const OneDnnLibrary& dnnl, const ConvProblem& problem,
    const ConvOperands& operands, int threads);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONEDNN_CONV_H_
