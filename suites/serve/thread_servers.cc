#include "suites/serve/thread_servers.h"

#include <utility>

#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

void WaitUntil(int64_t nanos) {
  Clock::Monotonic()->SleepNanos(nanos - MonotonicNanos() -
                                 ThreadServers::kSpinNanos);
  while (MonotonicNanos() < nanos) std::this_thread::yield();
}

}  // namespace

ThreadServers::ThreadServers(int instances, int64_t batch, Run run)
    : instances_(instances), batch_(batch), run_(std::move(run)) {
  CHECK_GE(instances, 1);
  CHECK_GE(batch, 1);
  if (instances == 1) return;
  for (int i = 0; i < instances; ++i) {
    threads_.emplace_back([this, i] { Loop(i); });
  }
}

ThreadServers::~ThreadServers() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

absl::StatusOr<std::vector<Service>> ThreadServers::Serve(
    absl::Span<const int64_t> arrivals, const LateLimit& limit) {
  Call call;
  call.arrivals = arrivals;
  call.limit = limit;
  call.first_sample = samples_;
  call.served.resize(arrivals.size());
  samples_ += static_cast<int64_t>(arrivals.size());
  call.start_nanos = MonotonicNanos();
  if (instances_ == 1) {
    Work(0, &call);
  } else {
    std::unique_lock<std::mutex> lock(mutex_);
    call.working = instances_;
    call_ = &call;
    ++calls_;
    begin_.notify_all();
    done_.wait(lock, [&] { return call.working == 0; });
    call_ = nullptr;
  }
  ASSAY_RETURN_IF_ERROR(call.status);
  return std::move(call.served);
}

void ThreadServers::Loop(int instance) {
  int64_t seen = 0;
  while (true) {
    Call* call = nullptr;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      begin_.wait(lock, [&] { return ends_ || calls_ > seen; });
      if (ends_) return;
      seen = calls_;
      call = call_;
    }
    Work(instance, call);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (--call->working == 0) done_.notify_one();
  }
}

std::vector<size_t> ThreadServers::Take(Call* call) {
  std::vector<size_t> taken;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (call->next == call->arrivals.size()) return taken;
    taken.push_back(call->next++);
  }
  WaitUntil(call->start_nanos + call->arrivals[taken[0]]);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!call->status.ok() || call->late > call->limit.max_late) return {};
  const int64_t now = MonotonicNanos() - call->start_nanos;
  while (static_cast<int64_t>(taken.size()) < batch_ &&
         call->next < call->arrivals.size() &&
         call->arrivals[call->next] <= now) {
    taken.push_back(call->next++);
  }
  return taken;
}

void ThreadServers::Work(int instance, Call* call) {
  while (true) {
    const std::vector<size_t> taken = Take(call);
    if (taken.empty()) return;
    const int64_t begin = MonotonicNanos() - call->start_nanos;
    int64_t end_nanos = 0;
    const absl::Status status =
        run_(instance, call->first_sample + static_cast<int64_t>(taken[0]),
             &end_nanos);
    const int64_t end = end_nanos - call->start_nanos;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!status.ok()) {
      if (call->status.ok()) call->status = status;
      return;
    }
    for (const size_t i : taken) {
      call->served[i] = {begin, end};
      if (end - call->arrivals[i] > call->limit.latency_nanos) ++call->late;
    }
  }
}

}  // namespace assay::suites
