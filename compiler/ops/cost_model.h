// The analytical model that default configurations and the order of
// implementations come from: a roofline of a nominal machine with the target's
// vectors, caches and cores. It knows no clock, so its seconds only compare.
#ifndef ASSAY_COMPILER_OPS_COST_MODEL_H_
#define ASSAY_COMPILER_OPS_COST_MODEL_H_

#include <cstdint>

#include "compiler/ops/config.h"
#include "compiler/ops/op_instance.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Float operations per second of all cores: two vector multiply-adds a cycle
// with 256-bit vectors or more, one below; an unknown number of cores is one.
double PeakFlops(const target::Target& target);

// Of cycles that the cores share evenly.
double Seconds(const target::Target& target, double cycles);

// Bytes per second of the level of the memory that `working_set` bytes fit in.
double Bandwidth(const target::Target& target, int64_t working_set);

// The longer of computing at `efficiency` of the peak and of moving all
// operands and the result once.
double RooflineSeconds(const OpInstance& op, const target::Target& target,
                       double efficiency);

// The same at kPercent percent, for templates without a model of their own.
template <int kPercent>
double RooflineAt(const OpInstance& op, const target::Target& target,
                  const Config&) {
  return RooflineSeconds(op, target, kPercent / 100.0);
}

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_COST_MODEL_H_
