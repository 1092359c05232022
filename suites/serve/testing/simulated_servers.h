// SimulatedServers: instances with given service times, in virtual time. A call
// of Serve() returns at once what real instances would return later, so that
// tests can compare queues with what theory says about them.
#ifndef ASSAY_SUITES_SERVE_TESTING_SIMULATED_SERVERS_H_
#define ASSAY_SUITES_SERVE_TESTING_SIMULATED_SERVERS_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "suites/serve/servers.h"

namespace assay::suites {

class SimulatedServers : public Servers {
 public:
  // `service_nanos(samples)` returns the time of a batch of so many samples.
  SimulatedServers(int instances, int64_t batch,
                   std::function<int64_t(int64_t samples)> service_nanos)
      : instances_(instances),
        batch_(batch),
        service_nanos_(std::move(service_nanos)) {}

  int instances() const override { return instances_; }
  int64_t batch() const override { return batch_; }
  absl::StatusOr<std::vector<Service>> Serve(absl::Span<const int64_t> arrivals,
                                             const LateLimit& limit) override;

  int64_t served() const { return served_; }  // samples in all calls

 private:
  const int instances_;
  const int64_t batch_;
  const std::function<int64_t(int64_t samples)> service_nanos_;
  int64_t served_ = 0;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SERVE_TESTING_SIMULATED_SERVERS_H_
