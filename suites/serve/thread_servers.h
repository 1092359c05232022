// ThreadServers: instances that run in threads of this process, one thread for
// each. A single instance runs in the thread of the caller.
//
// A free instance takes the next sample and sleeps until shortly before it
// arrives. The last kSpinNanos, it does not sleep but looks at the clock, so
// that the time to wake up a thread is not part of the latency. When the sample
// arrives, it takes further samples that have arrived as well, up to the batch,
// and serves all of them at once. It does not wait for more.
#ifndef ASSAY_SUITES_SERVE_THREAD_SERVERS_H_
#define ASSAY_SUITES_SERVE_THREAD_SERVERS_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "suites/serve/servers.h"

namespace assay::suites {

class ThreadServers : public Servers {
 public:
  static constexpr int64_t kSpinNanos = 50'000;

  // Serves a batch. `sample` is the index of its first sample since the
  // construction. `*end_nanos` must be set to the monotonic time at which the
  // outputs are complete; what the function does afterwards delays the next
  // sample but is not part of the latency. Called by one thread per instance.
  using Run = std::function<absl::Status(int instance, int64_t sample,
                                         int64_t* end_nanos)>;

  ThreadServers(int instances, int64_t batch, Run run);
  ~ThreadServers() override;

  int instances() const override { return instances_; }
  int64_t batch() const override { return batch_; }
  absl::StatusOr<std::vector<Service>> Serve(absl::Span<const int64_t> arrivals,
                                             const LateLimit& limit) override;

 private:
  // The state of one call of Serve().
  struct Call {
    absl::Span<const int64_t> arrivals;
    LateLimit limit;
    int64_t first_sample = 0;
    int64_t start_nanos = 0;
    std::vector<Service> served;
    // These require the mutex.
    size_t next = 0;  // the first sample that nobody has taken
    int64_t late = 0;
    int working = 0;
    absl::Status status;
  };

  void Loop(int instance);
  void Work(int instance, Call* call);
  // Takes the next sample, waits until it arrives, and takes those that have
  // arrived by then. Returns nothing if there are none, or if the call is over.
  std::vector<size_t> Take(Call* call);

  const int instances_;
  const int64_t batch_;
  const Run run_;
  int64_t samples_ = 0;  // of earlier calls

  std::mutex mutex_;
  std::condition_variable begin_, done_;
  Call* call_ = nullptr;
  int64_t calls_ = 0;
  bool ends_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_SERVE_THREAD_SERVERS_H_
