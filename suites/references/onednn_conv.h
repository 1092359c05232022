// PrepareOneDnnConv: prepares a convolution with oneDNN's convolution primitive
// (onednn.h).
#ifndef ASSAY_SUITES_REFERENCES_ONEDNN_CONV_H_
#define ASSAY_SUITES_REFERENCES_ONEDNN_CONV_H_

#include <memory>

#include "absl/status/statusor.h"
#include "suites/references/onednn_library.h"
#include "suites/references/reference.h"

namespace assay::suites {

// Returns a session that computes `problem`. `dnnl` must outlive the session.
absl::StatusOr<std::unique_ptr<runtime::Session>> PrepareOneDnnConv(
    const OneDnnLibrary& dnnl, const ConvProblem& problem,
    const ConvOperands& operands, int threads);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_REFERENCES_ONEDNN_CONV_H_
