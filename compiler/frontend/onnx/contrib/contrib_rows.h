// The rows of the table of operators of other domains (contrib_functions.h).
// Each function returns the rows whose builders are defined in the file of the
// same name; for example, ContribAttentionRows() is in attention.cc. There is
// one file per family of operators.
#ifndef ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_CONTRIB_ROWS_H_
#define ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_CONTRIB_ROWS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace assay::frontend {

class ContribOp;

// Names of domains. The empty string is `ai.onnx`.
constexpr char kMicrosoft[] = "com.microsoft";
constexpr char kOnnx[] = "";
constexpr char kTraining[] = "ai.onnx.preview.training";

// Value of ContribRow::max_inputs: any number of operands.
constexpr int kAnyInputs = -1;

struct ContribRow {
  const char* domain;
  const char* op_type;
  // The first min_inputs operands must be given. Operands after them may be
  // left out; ContribOp::Require() checks those that may not.
  int min_inputs;
  int max_inputs;
  // The builder, which expands one node (contrib_op.h).
  absl::Status (*build)(ContribOp& op);
};

// Returns all rows, sorted by domain and then by operator.
const std::vector<ContribRow>& ContribTable();

absl::Span<const ContribRow> ContribActivationRows();
absl::Span<const ContribRow> ContribAttentionRows();
absl::Span<const ContribRow> ContribFusedRows();
absl::Span<const ContribRow> ContribMatMulNBitsRows();
absl::Span<const ContribRow> ContribNormalizationRows();
absl::Span<const ContribRow> ContribQuantizedRows();
absl::Span<const ContribRow> ContribQuantizedProductsRows();
absl::Span<const ContribRow> ContribStandardRows();
absl::Span<const ContribRow> ContribTrainingRows();

}  // namespace assay::frontend

#endif  // ASSAY_COMPILER_FRONTEND_ONNX_CONTRIB_CONTRIB_ROWS_H_
