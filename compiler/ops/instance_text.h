// The text form of an operator with the types of its operands:
//
//   dense(float32[1,64], float32[8,64]) -> float32[1,8] {transposed=1}
#ifndef ASSAY_COMPILER_OPS_INSTANCE_TEXT_H_
#define ASSAY_COMPILER_OPS_INSTANCE_TEXT_H_

#include <string>

#include "compiler/ops/op_instance.h"

namespace assay::ops {

std::string InstanceText(const OpInstance& op);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INSTANCE_TEXT_H_
