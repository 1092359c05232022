// An analytical cost model, which determines default configurations and the
// order of implementations. It is a roofline model of a machine with the vector
// size, the caches and the number of cores of the target. Clock rate and
// bandwidths are nominal values, so the returned seconds can be compared with
// each other but not with measured times.
#ifndef ASSAY_COMPILER_OPS_COST_MODEL_H_
#define ASSAY_COMPILER_OPS_COST_MODEL_H_

#include <cstdint>

#include "compiler/ops/config.h"
#include "compiler/ops/op_instance.h"
#include "compiler/target/target.h"

namespace assay::ops {

// Returns the peak number of float32 operations per second of all cores. The
// model assumes two vector instructions per cycle for vectors of 256 bits or
// more, and one otherwise. An instruction counts as two operations per lane if
// the target has FMA, and as one otherwise. In all functions of this header, an
// unknown number of cores counts as one core.
double PeakFlops(const target::Target& target);

// Returns the time in seconds of `cycles` cycles of work that is divided evenly
// among the cores.
double Seconds(const target::Target& target, double cycles);

// Returns the bandwidth, in bytes per second for all cores together, of the
// first level of the memory hierarchy that holds `working_set` bytes. L1 and L2
// caches are private to a core, and each core uses an equal part of the bytes.
double Bandwidth(const target::Target& target, int64_t working_set);

// Returns the larger of two times in seconds:
//   - the time to compute `op` at `efficiency` times the peak throughput;
//   - the time to move all operands and the result once.
double RooflineSeconds(const OpInstance& op, const target::Target& target,
                       double efficiency);

// Returns RooflineSeconds with an efficiency of kPercent percent.
// Implementations without a cost model of their own use this function.
template <int kPercent>
double RooflineAt(const OpInstance& op, const target::Target& target,
                  const Config&) {
  return RooflineSeconds(op, target, kPercent / 100.0);
}

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_COST_MODEL_H_
