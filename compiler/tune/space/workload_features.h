// WorkloadFeatures: numbers that describe an operator and the machine that it
// is compiled for, so that a cost model can learn from the times of one task
// and apply what it has learned to another.
#ifndef ASSAY_COMPILER_TUNE_SPACE_WORKLOAD_FEATURES_H_
#define ASSAY_COMPILER_TUNE_SPACE_WORKLOAD_FEATURES_H_

#include <string>
#include <utility>
#include <vector>

#include "compiler/ops/op_instance.h"
#include "compiler/target/target.h"

namespace assay::tune {

// Features with their names.
using NamedFeatures = std::vector<std::pair<std::string, float>>;

// Returns these features; all are logarithms to base 2:
//   - `flops` and `bytes`: of the operator (ops::Flops, ops::Bytes), plus 1;
//   - `intensity`: flops per byte;
//   - `out.0`, `out.1`, …, `in0.0`, … and `in1.0`, …: the dimensions of the
//     result and of the first two operands, plus 1;
//   - `vector_bits`, `vector_registers`, `cores`, `l1`, `l2` and `l3`: of the
//     target, plus 1.
NamedFeatures WorkloadFeatures(const ops::OpInstance& op,
                               const target::Target& target);

}  // namespace assay::tune

#endif  // ASSAY_COMPILER_TUNE_SPACE_WORKLOAD_FEATURES_H_
