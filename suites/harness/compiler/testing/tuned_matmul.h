// TunedMatMul: a model with one kernel, and a record of the tuner that says
// which configuration of the kernel is faster than the default one.
#ifndef ASSAY_SUITES_HARNESS_COMPILER_TESTING_TUNED_MATMUL_H_
#define ASSAY_SUITES_HARNESS_COMPILER_TESTING_TUNED_MATMUL_H_

#include <memory>
#include <string>

#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

// Returns the model: `MatMul_0`, then `Relu_0`, which are fused.
std::unique_ptr<graph::Graph> TunedMatMul();

// Returns a record for the target on the device with this fingerprint. The
// number of threads is that of the target's cores.
TuningRecord RecordOfTunedMatMul(const target::Target& target,
                                 const std::string& fingerprint);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_COMPILER_TESTING_TUNED_MATMUL_H_
