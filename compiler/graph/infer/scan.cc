#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/status_macros.h"

namespace assay::graph::infer {

Result CumSum(OpKind, const CumSumAttrs& attrs, Types inputs) {
  ASSAY_RETURN_IF_ERROR(ExpectInputs(inputs, 1));
  ASSAY_RETURN_IF_ERROR(ExpectAxis(attrs.axis, inputs[0]));
  if (inputs[0].dtype.is_bool()) {
    return Invalid("element type bool is not supported");
  }
  return inputs[0];
}

}  // namespace assay::graph::infer
