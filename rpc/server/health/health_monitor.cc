#include "rpc/server/health/health_monitor.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "runtime/base/clock.h"
#include "runtime/device/cpu/cpu_affinity.h"

namespace assay::rpc {
namespace {

constexpr int kGoodAfterCrashes = 3;

}  // namespace

HealthMonitor::HealthMonitor(CanaryJudge judge, Hooks hooks, EventLog* log,
                             const HealthMonitorOptions& options)
    : hooks_(std::move(hooks)),
      log_(log),
      options_(options),
      judge_(std::move(judge)) {
  canary_.set_usual_canary_nanos(judge_.usual_nanos());
  thread_ = std::thread([this] { RunThread(); });
}

HealthMonitor::~HealthMonitor() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  stop_.notify_all();
  thread_.join();
}

Health HealthMonitor::health() const {
  Health health;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    health = canary_;
  }
  if (health.problem().empty()) health.set_problem(hooks_.crash_problem());
  health.set_crashes(hooks_.crashes());
  return health;
}

void HealthMonitor::RunThread() {
  const std::vector<int> cpus = runtime::AllowedCpus();
  if (!cpus.empty()) {
    // On boards with different processors, the last ones are often the fast
    // ones. If the system refuses, the thread may use all processors.
    (void)runtime::SetAllowedCpus(pthread_self(), {cpus.back()});
  }
  int64_t due_nanos = MonotonicNanos();
  while (true) {
    if (MonotonicNanos() >= due_nanos) {
      due_nanos = RunOnce() + MonotonicNanos();
    }
    // Crashes can be a problem before the next canary.
    LogChange();
    const int64_t wait_nanos =
        std::min(due_nanos - MonotonicNanos(), options_.busy_interval_nanos);
    std::unique_lock<std::mutex> lock(mutex_);
    stop_.wait_for(lock, std::chrono::nanoseconds(wait_nanos),
                   [this] { return stopping_; });
    if (stopping_) return;
  }
}

int64_t HealthMonitor::RunOnce() {
  if (!hooks_.try_begin()) return options_.busy_interval_nanos;
  const CanaryResult result = hooks_.canary();
  hooks_.end();
  const absl::Status stored = judge_.Add(result);
  if (!stored.ok() && logged_error_ != stored.message()) {
    log_->Write("canary_not_stored", {{"error", stored.message()}});
  }
  logged_error_ = std::string(stored.message());
  ForgetCrashesIfGood();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    canary_.set_canary_nanos(result.nanos);
    canary_.set_usual_canary_nanos(judge_.usual_nanos());
    canary_.set_problem(judge_.problem());
  }
  const bool soon = judge_.unsettled() || !health().problem().empty();
  return soon ? options_.unsettled_interval_nanos : options_.interval_nanos;
}

void HealthMonitor::ForgetCrashesIfGood() {
  if (hooks_.crash_problem().empty() || !judge_.last_was_good()) {
    good_after_crashes_ = 0;
    return;
  }
  if (++good_after_crashes_ < kGoodAfterCrashes) return;
  good_after_crashes_ = 0;
  hooks_.forget_crashes();
}

void HealthMonitor::LogChange() {
  const Health now = health();
  if (now.problem() == logged_problem_) return;
  const bool was_healthy = logged_problem_.empty();
  logged_problem_ = now.problem();
  if (now.problem().empty()) {
    log_->Write("device_healthy");
  } else if (was_healthy) {
    log_->Write("device_unhealthy",
                {{"problem", now.problem()}, {"crashes", now.crashes()}});
  }
}

}  // namespace assay::rpc
