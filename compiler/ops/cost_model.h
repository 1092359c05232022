// The analytical model behind default configurations and the order of
// implementations: a roofline of a nominal machine with the target's vectors,
// caches and cores. The clock rate is nominal too, so its seconds are only good
// for comparisons.
#ifndef ASSAY_COMPILER_OPS_COST_MODEL_H_
#define ASSAY_COMPILER_OPS_COST_MODEL_H_

#include <cstdint>

#include "compiler/ops/config.h"
#include "compiler/ops/op_instance.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Peak float operations per second of all cores: two vector FMAs per cycle with
// 256-bit vectors or more, otherwise one. An unknown number of cores counts as
// one.
double PeakFlops(const target::Target& target);

// Seconds for `cycles` of work that is divided evenly among the cores.
double Seconds(const target::Target& target, double cycles);

// Bytes per second of the level of the memory hierarchy that holds
// `working_set` bytes.
double Bandwidth(const target::Target& target, int64_t working_set);

// The maximum of the time to compute at `efficiency` of the peak and the time
// to move all operands and the result once.
double RooflineSeconds(const OpInstance& op, const target::Target& target,
                       double efficiency);

// The same at kPercent percent of the peak, for templates without their own
// model.
template <int kPercent>
double RooflineAt(const OpInstance& op, const target::Target& target,
                  const Config&) {
  return RooflineSeconds(op, target, kPercent / 100.0);
}

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_COST_MODEL_H_
