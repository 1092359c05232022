// BuildFacts: what the program of a row is made of: the model, the artifact
// compiled from it, the machine code of its kernels, and the runtime that ran
// it.
//
// If all of these, the machine and the timing policy (Timing::policy) are equal
// in two runs, a difference between their times is not a change of the program
// (reports/history).
#ifndef ASSAY_REPORTS_RESULT_BUILD_FACTS_H_
#define ASSAY_REPORTS_RESULT_BUILD_FACTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "reports/result/equal_fields.h"

namespace assay::reports {

// The machine code of one kernel call.
struct KernelCode {
  std::string symbol;  // name of the function
  // Names of the nodes of the source model that the kernel computes.
  std::vector<std::string> sources;
  // Digest of the machine code (KernelCall::code_digest in
  // runtime/artifact/artifact.h); empty if unknown. Equal digests mean equal
  // code, also in different artifacts.
  std::string digest;

  auto Fields() const { return std::tie(symbol, sources, digest); }
};

struct BuildFacts {
  // One digest that covers both the model file and the values of the model's
  // symbolic dimensions.
  std::string model_digest;
  std::string artifact_digest;
  // Digest of the records of the tuner's log with which a tuned program was
  // compiled. Empty if the program is not tuned.
  std::string tuning_digest;
  // Digest of the runtime that ran the program (DeviceSource::RuntimeDigest()
  // in suites/devices/device_source.h). Empty if unknown.
  std::string runtime_digest;
  // Time to import and compile the model.
  std::optional<double> compile_ms;
  // Size of the artifact's file; 0 if unknown.
  int64_t artifact_bytes = 0;
  // Size of the constants in this file: the weights of the model, in the form
  // in which the kernels read them, or plain, if setup calls encode them.
  int64_t params_bytes = 0;
  // Size of the arena, i.e. of the memory for intermediate values.
  int64_t arena_bytes = 0;
  // Maximum total size of the intermediate values that are live at the same
  // time. It is a lower bound of `arena_bytes`.
  int64_t live_bytes = 0;
  // Number of arithmetic operations per inference; 0 if unknown.
  int64_t flops = 0;
  // Number of kernel calls per inference.
  int kernels = 0;
  // The code of the setup calls, which run once when the program is loaded, and
  // of the kernel calls of an inference, in the order of execution. Empty in
  // results of earlier versions.
  std::vector<KernelCode> code;

  auto Fields() const {
    return std::tie(model_digest, artifact_digest, tuning_digest,
                    runtime_digest, compile_ms, artifact_bytes, params_bytes,
                    arena_bytes, live_bytes, flops, kernels, code);
  }
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_BUILD_FACTS_H_
