#include "rpc/server/health/health_monitor.h"

#include <pthread.h>

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "runtime/device/cpu/cpu_affinity.h"

namespace assay::rpc {
namespace {

constexpr int kMaxCrashesInARow = 20;
constexpr int kGoodAfterCrashes = 3;

}  // namespace

HealthMonitor::HealthMonitor(CanaryJudge judge, Hooks hooks, EventLog* log,
                             const HealthMonitorOptions& options)
    : hooks_(std::move(hooks)),
      log_(log),
      options_(options),
      judge_(std::move(judge)) {
  health_.set_usual_canary_nanos(judge_.usual_nanos());
  thread_ = std::thread([this] { RunThread(); });
}

HealthMonitor::~HealthMonitor() {
  {
    const absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  thread_.join();
}

void HealthMonitor::SessionEnded(bool crashed) {
  const absl::MutexLock lock(&mutex_);
  if (!crashed) {
    crashes_in_a_row_ = 0;
    return;
  }
  health_.set_crashes(health_.crashes() + 1);
  if (++crashes_in_a_row_ < kMaxCrashesInARow) return;
  crashes_in_a_row_ = 0;
  good_after_crashes_ = 0;
  crash_problem_ =
      absl::StrCat("the last ", kMaxCrashesInARow, " workers crashed");
  woken_ = true;
}

Health HealthMonitor::health() const {
  const absl::MutexLock lock(&mutex_);
  Health health = health_;
  if (health.problem().empty()) health.set_problem(crash_problem_);
  return health;
}

void HealthMonitor::RunThread() {
  const std::vector<int> cpus = runtime::AllowedCpus();
  if (!cpus.empty()) {
    // On boards with different processors, the last ones are often the fast
    // ones. Without the permission, the thread remains on all processors.
    (void)runtime::SetAllowedCpus(pthread_self(), {cpus.back()});
  }
  while (true) {
    const int64_t wait_nanos = RunOnce();
    LogChange();
    const absl::MutexLock lock(&mutex_);
    const auto woken = [this] {
      mutex_.AssertHeld();
      return stopping_ || woken_;
    };
    mutex_.AwaitWithTimeout(absl::Condition(&woken),
                            absl::Nanoseconds(wait_nanos));
    if (stopping_) return;
    woken_ = false;
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
  Publish(result);
  const bool soon = judge_.unsettled() || !health().problem().empty();
  return soon ? options_.unsettled_interval_nanos : options_.interval_nanos;
}

void HealthMonitor::Publish(const CanaryResult& result) {
  const absl::MutexLock lock(&mutex_);
  health_.set_canary_nanos(result.nanos);
  health_.set_usual_canary_nanos(judge_.usual_nanos());
  health_.set_problem(judge_.problem());
  if (crash_problem_.empty()) return;
  good_after_crashes_ = judge_.last_was_good() ? good_after_crashes_ + 1 : 0;
  if (good_after_crashes_ >= kGoodAfterCrashes) crash_problem_.clear();
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
