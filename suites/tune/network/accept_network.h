// AcceptNetwork: compares a network that is compiled with the log of the tuner
// with the same network without it, and drops points until it is not slower.
//
// A kernel that is faster by itself may make its network slower. A trial keeps
// the weights of the kernel in the third-level cache, for example, where those
// of a network do not fit: a point that computes faster and reads more wins its
// own comparison, and loses in a network that waits for memory.
//
// The points that the network uses are
//   - the accepted points of its kernels (log/best_records.h), and
//   - the default points of convolutions in layouts that the cost model does
//     not choose (measured_layouts.h).
// If the network is slower, points whose kernels are slower in the network than
// those of the untuned network (KernelRatio() in network_judge.h) are dropped.
// If there are none, or if the device does not measure kernels, half of the
// points are dropped: those with the smallest gain. The network with the others
// is compared again.
// If it is still slower in the last of kMaxNetworkComparisons, all points are
// dropped, so that the compiler does the same as without the log.
//
// Each comparison is a record that is on disk before the next one starts
// (log/network_record.h). A comparison that is in the log already is not
// repeated.
#ifndef ASSAY_SUITES_TUNE_NETWORK_ACCEPT_NETWORK_H_
#define ASSAY_SUITES_TUNE_NETWORK_ACCEPT_NETWORK_H_

#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compiler/target/target.h"
#include "runtime/artifact/artifact.h"
#include "suites/correctness/model.h"
#include "suites/tune/log/log_file.h"
#include "suites/tune/log/network_record.h"
#include "suites/tune/search/acceptance.h"

namespace assay::suites {

constexpr int kMaxNetworkComparisons = 5;

// A network that is undecided at the end of the budget counts as slower if its
// ratio is above this.
constexpr double kMaxUndecidedRatio = 1.01;

struct NetworkTools {
  // Measures both programs side by side.
  std::function<absl::StatusOr<TunedComparison>(
      const runtime::Artifact& untuned, const runtime::Artifact& tuned)>
      compare;
  // Stores a record; returns when it is on disk.
  std::function<absl::Status(const NetworkRecord&)> append;
};

struct AcceptedNetwork {
  // The comparison of the network that is compiled with the log from now on.
  // Absent if it is the same as without the log.
  std::optional<NetworkRecord> comparison;
  int kept = 0;     // points that the network uses
  int dropped = 0;  // by comparisons of this network, now or before
};

// Returns one sentence, for example `resnet18, 2 threads: 0.97 [0.96, 0.98] of
// the untuned time, improved; 7 points kept, 3 dropped`.
std::string Describe(const NetworkRecord& header,
                     const AcceptedNetwork& accepted);

// `header` has the members of all records that do not depend on the comparison:
// the network and the place for which it was tuned. `target` is that place's.
// Returns an error if the network cannot be compiled or measured, or if a
// record cannot be stored.
absl::StatusOr<AcceptedNetwork> AcceptNetwork(const Model& model,
                                              const target::Target& target,
                                              const NetworkRecord& header,
                                              const Log& log,
                                              const NetworkTools& tools);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_NETWORK_ACCEPT_NETWORK_H_
