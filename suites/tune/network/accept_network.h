// AcceptNetwork: compares a network compiled with the log of the tuner with the
// same network compiled without the log, and drops points until the tuned
// network is not slower.
//
// A kernel that is faster by itself may make its network slower. For example, a
// trial keeps the weights of the kernel in the third-level cache, but the
// weights of a network do not fit there. A point that computes faster and reads
// more then wins its own comparison, and loses in a network that waits for
// memory.
//
// The points that the network uses are
//   - the accepted points of its kernels (log/best_records.h), and
//   - the default points of convolutions in layouts that the cost model does
//     not choose (measured_encodings.h).
// If the network is slower, points whose kernels are slower in the network than
// those of the untuned network (KernelRatio() in network_judge.h) are dropped.
// If there are none, or if the device does not measure kernels, the half of the
// points with the smallest gains is dropped. The network is then compiled with
// the remaining points and compared again.
// If it is still slower in the last of kMaxNetworkComparisons comparisons, all
// points are dropped, so that the compiler does the same as without the log.
//
// The record of each comparison (log/network_record.h) is on disk before the
// next comparison starts. A comparison that is in the log is not repeated.
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

// If a comparison is undecided at the end of the budget, the network counts as
// slower if the ratio is above this value.
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
  // Absent if that network is the same as without the log.
  std::optional<NetworkRecord> comparison;
  int kept = 0;     // points that the network uses
  int dropped = 0;  // by comparisons of this network, now or before
};

// Returns one sentence, for example `resnet18, 2 threads: 0.97 [0.96, 0.98] of
// the untuned time, improved; 7 points kept, 3 dropped`.
std::string Describe(const NetworkRecord& header,
                     const AcceptedNetwork& accepted);

// `header` is a record with only those members that do not depend on the
// comparison: the network and the place for which it was tuned. `target` is the
// target of that place.
// Returns an error if the network cannot be compiled or measured, or if a
// record cannot be stored.
absl::StatusOr<AcceptedNetwork> AcceptNetwork(const Model& model,
                                              const target::Target& target,
                                              const NetworkRecord& header,
                                              const Log& log,
                                              const NetworkTools& tools);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_NETWORK_ACCEPT_NETWORK_H_
