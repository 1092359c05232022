#include "compiler/ops/instance_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::ops {

std::string InstanceText(const OpInstance& op) {
  const std::string attrs = graph::AttrsToString(op.attrs);
  return absl::StrCat(
      graph::OpName(op.kind), "(",
      absl::StrJoin(op.inputs, ", ",
                    [](std::string* out, const graph::TensorType& type) {
                      out->append(type.ToString());
                    }),
      ") -> ", op.output.ToString(), attrs.empty() ? "" : " ", attrs);
}

}  // namespace assay::ops
