// NetworkJudge: compares two programs of a model side by side, and checks their
// outputs. KernelRatio: what the comparison says about a kernel.
//
//   NetworkJudge judge(model, &runner, threads, options);
//   tools.compare = [&](const auto& untuned, const auto& tuned) {
//     return judge.Compare(untuned, tuned);
//   };
#ifndef ASSAY_SUITES_TUNE_NETWORK_NETWORK_JUDGE_H_
#define ASSAY_SUITES_TUNE_NETWORK_NETWORK_JUDGE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/artifact/artifact.h"
#include "runtime/measure/session.h"
#include "suites/comparison/align_kernels.h"
#include "suites/comparison/paired_loads.h"
#include "suites/correctness/checked_session.h"
#include "suites/correctness/model.h"
#include "suites/correctness/oracle.h"
#include "suites/tune/search/acceptance.h"

namespace assay::suites {

class NetworkJudge {
 public:
  // `model` and `runner` must outlive this object.
  NetworkJudge(const Model& model, runtime::Runner* runner, int threads,
               const AcceptanceOptions& options)
      : model_(model), runner_(*runner), threads_(threads), options_(options) {}
  NetworkJudge(const NetworkJudge&) = delete;
  NetworkJudge& operator=(const NetworkJudge&) = delete;

  // The first call computes the correct outputs with the interpreter. Returns
  // Internal if an output is wrong, and otherwise the errors of the device.
  absl::StatusOr<TunedComparison> Compare(const runtime::Artifact& untuned,
                                          const runtime::Artifact& tuned);

 private:
  absl::Status FindAnswers();

  const Model& model_;
  runtime::Runner& runner_;
  const int threads_;
  const AcceptanceOptions options_;
  InterpreterOracle oracle_{/*folder=*/"", /*version=*/""};
  std::vector<Example> examples_;
};

// Returns the time of a kernel in the tuned network divided by the time of the
// kernels that compute the same in the untuned network. Both times are those of
// the kernel calls in the comparison of the networks. The ratio differs from
// that of the kernel's trial, because in the network, the kernel shares caches
// and memory with all others.
//
// `parts` are AlignKernels(untuned.calls, tuned.calls), and `nodes` are the
// names of the nodes of the model that the kernel computes. If the kernel is
// called several times, the times of all calls are added. Returns the median
// over the loads, or nullopt if the kernel calls were not measured or no kernel
// has these nodes.
std::optional<double> KernelRatio(const std::vector<AlignedKernels>& parts,
                                  const std::vector<PairedLoads::Load>& loads,
                                  const std::vector<std::string>& nodes);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_NETWORK_NETWORK_JUDGE_H_
