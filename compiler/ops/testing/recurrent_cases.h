// The cases of `recurrent` (operator_cases.h).
#ifndef ASSAY_COMPILER_OPS_TESTING_RECURRENT_CASES_H_
#define ASSAY_COMPILER_OPS_TESTING_RECURRENT_CASES_H_

#include <vector>

#include "compiler/ops/testing/operator_cases.h"

namespace assay::ops {

// Two directions with several panels, the last of which is partial.
std::vector<OperatorCase> RecurrentCases();

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_TESTING_RECURRENT_CASES_H_
