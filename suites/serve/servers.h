// Servers: one or several instances of a program that serve the samples of one
// queue. Whoever is free takes the samples that have waited longest.
//
// Tests replace the instances by a simulation with known service times
// (testing/simulated_servers.h).
#ifndef ASSAY_SUITES_SERVE_SERVERS_H_
#define ASSAY_SUITES_SERVE_SERVERS_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay::suites {

// When a sample was served, in nanoseconds after the start of the call.
struct Service {
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  int64_t begin = kNever;
  int64_t end = kNever;  // kNever if the call was abandoned before
};

// A sample is late if it takes more than `latency_nanos` from its arrival to
// its end. A call with more than `max_late` late samples is abandoned, because
// the rest of it would not change the result.
struct LateLimit {
  int64_t latency_nanos = std::numeric_limits<int64_t>::max();
  int64_t max_late = std::numeric_limits<int64_t>::max();
};

class Servers {
 public:
  virtual ~Servers() = default;

  virtual int instances() const = 0;
  // Returns how many samples an instance serves at a time, at most.
  virtual int64_t batch() const = 0;

  // Serves one sample for each element of `arrivals`, the times of arrival in
  // nanoseconds after the start of the call, in ascending order. Samples are
  // served in this order, none before it arrives. Returns the first error of an
  // instance.
  virtual absl::StatusOr<std::vector<Service>> Serve(
      absl::Span<const int64_t> arrivals, const LateLimit& limit) = 0;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SERVE_SERVERS_H_
