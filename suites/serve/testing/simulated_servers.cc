#include "suites/serve/testing/simulated_servers.h"

#include <algorithm>

namespace assay::suites {

absl::StatusOr<std::vector<Service>> SimulatedServers::Serve(
    absl::Span<const int64_t> arrivals, const LateLimit& limit) {
  std::vector<Service> served(arrivals.size());
  std::vector<int64_t> free(static_cast<size_t>(instances_), 0);
  int64_t late = 0;
  for (size_t next = 0; next < arrivals.size() && late <= limit.max_late;) {
    int64_t& first_free = *std::min_element(free.begin(), free.end());
    const int64_t begin = std::max(first_free, arrivals[next]);
    size_t end = next + 1;
    while (end < arrivals.size() && arrivals[end] <= begin &&
           static_cast<int64_t>(end - next) < batch_) {
      ++end;
    }
    first_free = begin + service_nanos_(static_cast<int64_t>(end - next));
    for (; next < end; ++next) {
      served[next] = {begin, first_free};
      ++served_;
      if (first_free - arrivals[next] > limit.latency_nanos) ++late;
    }
  }
  return served;
}

}  // namespace assay::suites
