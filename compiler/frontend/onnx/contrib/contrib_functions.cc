#include "compiler/frontend/onnx/contrib/contrib_functions.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "compiler/frontend/onnx/contrib/contrib_op.h"
#include "compiler/frontend/onnx/contrib/contrib_rows.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

// The version of all supported domains, for error messages.
constexpr int kVersion = 1;

absl::string_view PlainDomain(absl::string_view domain) {
  return domain == "ai.onnx" ? kOnnx : domain;
}

// Returns null if there is no such row.
const ContribRow* FindRow(const onnx::NodeProto& node) {
  const absl::string_view domain = PlainDomain(node.domain());
  for (const ContribRow& row : ContribTable()) {
    if (domain == row.domain && node.op_type() == row.op_type) return &row;
  }
  return nullptr;
}

absl::Status NoSuchOperator(const onnx::NodeProto& node) {
  for (const ContribRow& row : ContribTable()) {
    if (PlainDomain(node.domain()) != row.domain) continue;
    return Unsupported("operator ", Quote(node.op_type()), " of the domain ",
                       Quote(node.domain()), " is not supported");
  }
  return Unsupported("operators of the domain ", Quote(node.domain()),
                     " are not supported");
}

absl::Status CheckOperands(const ContribOp& op, const ContribRow& row) {
  const int count = op.num_inputs();
  const bool any = row.max_inputs == kAnyInputs;
  if (count < row.min_inputs || (!any && count > row.max_inputs)) {
    const std::string most = any ? " or more"
                             : row.min_inputs == row.max_inputs
                                 ? ""
                                 : absl::StrCat(" to ", row.max_inputs);
    return Malformed("takes ", row.min_inputs, most,
                     " inputs but the node has ", count);
  }
  for (int i = 0; i < (any ? count : row.min_inputs); ++i) {
    ASSAY_RETURN_IF_ERROR(op.Require({i}));
  }
  return absl::OkStatus();
}

absl::Status CheckResults(const onnx::NodeProto& node,
                          const ContribBody& body) {
  const auto most = static_cast<int>(body.outputs.size());
  if (node.output_size() > most) {
    return Malformed("has ", node.output_size(),
                     " results but the operator has at most ", most);
  }
  const auto& names = node.output();
  if (std::all_of(names.begin(), names.end(),
                  [](const std::string& name) { return name.empty(); })) {
    return Malformed("has no result");
  }
  return absl::OkStatus();
}

}  // namespace

const std::vector<ContribRow>& ContribTable() {
  static const std::vector<ContribRow>& table = *[] {
    auto* rows = new std::vector<ContribRow>;
    for (const absl::Span<const ContribRow> family :
         {ContribActivationRows(), ContribAttentionRows(), ContribFusedRows(),
          ContribMatMulNBitsRows(), ContribNormalizationRows(),
          ContribQuantizedRows(), ContribQuantizedProductsRows(),
          ContribStandardRows(), ContribTrainingRows()}) {
      rows->insert(rows->end(), family.begin(), family.end());
    }
    const auto key = [](const ContribRow& row) {
      return std::make_pair(absl::string_view(row.domain),
                            absl::string_view(row.op_type));
    };
    std::sort(rows->begin(), rows->end(),
              [&](const ContribRow& a, const ContribRow& b) {
                return key(a) < key(b);
              });
    return rows;
  }();
  return table;
}

bool IsContribOperator(const onnx::NodeProto& node) {
  return PlainDomain(node.domain()) != kOnnx || FindRow(node) != nullptr;
}

absl::StatusOr<ContribBody> ExpandContrib(const ContribCall& call) {
  const ContribRow* row = FindRow(*call.node);
  if (row == nullptr) return NoSuchOperator(*call.node);
  ContribOp op(call);
  ASSAY_RETURN_IF_ERROR(op.attributes().Check());
  ASSAY_RETURN_IF_ERROR(CheckOperands(op, *row));
  ASSAY_RETURN_IF_ERROR(row->build(op));
  ASSAY_RETURN_IF_ERROR(op.attributes().CheckAllRead(kVersion));
  ContribBody body = op.body();
  CHECK(!body.outputs.empty()) << row->op_type;
  ASSAY_RETURN_IF_ERROR(CheckResults(*call.node, body));
  return body;
}

}  // namespace assay::frontend
