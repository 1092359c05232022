// TuningTable: what tuning has found for the kernels of one target with one
// number of threads. Compile() uses it instead of the choices of the cost
// model.
#ifndef ASSAY_COMPILER_DRIVER_TUNING_TABLE_H_
#define ASSAY_COMPILER_DRIVER_TUNING_TABLE_H_

#include <map>
#include <string>

#include "compiler/ops/config.h"

namespace assay::driver {

struct TunedKernel {
  // Name of the implementation of the anchor, such as `conv2d.direct_nchwc`.
  std::string implementation;
  // A point of the configuration space of the implementation.
  ops::Config config;

  // Returns `conv2d.direct_nchwc tile_ow=[-1,7] tile_oc=1`.
  std::string ToString() const {
    return implementation + " " + config.ToString();
  }
};

inline bool operator==(const TunedKernel& a, const TunedKernel& b) {
  return a.implementation == b.implementation && a.config == b.config;
}

// The key is the workload of the kernel (ops/kernel/workload.h).
using TuningTable = std::map<std::string, TunedKernel>;

}  // namespace assay::driver

#endif  // ASSAY_COMPILER_DRIVER_TUNING_TABLE_H_
