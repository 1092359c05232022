// HealthMonitor: watches the health of this device, for its heartbeats. It runs
// the canary (canary.h) in a thread of its own while the device is idle, and
// adds what the crashes of workers say about the device.
//
//   HealthMonitor::Hooks hooks;
//   hooks.try_begin = [&] { return sessions.TryReserve(); };
//   hooks.end = [&] { sessions.Unreserve(); };
//   hooks.crashes = [&] { return crashes.count(); };
//   hooks.crash_problem = [&] { return crashes.problem(); };
//   hooks.forget_crashes = [&] { crashes.Clear(); };
//   HealthMonitor monitor(
//       CanaryJudge(JoinPath(state_folder, "canary.json"), fingerprint), hooks,
//       &log);
//   …
//   *heartbeat.mutable_health() = monitor.health();
//
// The canary never runs while a session is open, because both would disturb
// each other. A run takes 0.1 s, and up to a second on an emulated or a very
// slow machine; a session that is opened meanwhile waits for its end. All runs
// use the same processor, because those of some boards have different speeds.
//
// The canary runs every 30 s, and every 5 s while its judge is unsettled
// (canary_judge.h) or there is a problem. An idle device that becomes slow
// therefore has a problem within 45 s, and the problem of a device that
// recovers ends within 15 s. A problem because of crashes ends when 3 canaries
// in a row were good.
#ifndef ASSAY_RPC_SERVER_HEALTH_HEALTH_MONITOR_H_
#define ASSAY_RPC_SERVER_HEALTH_HEALTH_MONITOR_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "rpc/program/event_log.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/server/health/canary.h"
#include "rpc/server/health/canary_judge.h"

namespace assay::rpc {

struct HealthMonitorOptions {
  int64_t interval_nanos = 30'000'000'000;
  int64_t unsettled_interval_nanos = 5'000'000'000;
  // When try_begin() is called again after it has returned false.
  int64_t busy_interval_nanos = 1'000'000'000;
};

// Thread-safe.
class HealthMonitor {
 public:
  // Except where it is stated otherwise, these are called in the thread of the
  // monitor.
  struct Hooks {
    // Returns true if there is no session, and allows none until `end`. Must
    // not wait for a session.
    std::function<bool()> try_begin = {};
    // Called after each try_begin() that has returned true.
    std::function<void()> end = {};
    std::function<CanaryResult()> canary = [] { return RunCanary(); };
    // The number of all crashes since the start.
    std::function<int64_t()> crashes = [] { return int64_t{0}; };
    // Returns why workers that crashed make the device unfit, or an empty
    // string. Thread-safe, because health() calls it, and `crashes`, too.
    std::function<std::string()> crash_problem = [] { return ""; };
    // Ends the problem of the crashes.
    std::function<void()> forget_crashes = [] {};
  };

  // Runs the first canary at once. `log` must outlive this object.
  HealthMonitor(CanaryJudge judge, Hooks hooks, EventLog* log,
                const HealthMonitorOptions& options = {});
  HealthMonitor(const HealthMonitor&) = delete;
  HealthMonitor& operator=(const HealthMonitor&) = delete;
  // Waits for the end of a canary that runs.
  ~HealthMonitor();

  Health health() const;

 private:
  void RunThread();
  // Runs the canary if the device is idle. Returns how long to wait then.
  int64_t RunOnce();
  void ForgetCrashesIfGood();
  // Logs the problem if it has changed.
  void LogChange();

  const Hooks hooks_;
  EventLog* const log_;
  const HealthMonitorOptions options_;

  // Only for the thread.
  CanaryJudge judge_;
  int good_after_crashes_ = 0;  // canaries in a row
  std::string logged_problem_;
  std::string logged_error_;

  mutable std::mutex mutex_;
  std::condition_variable stop_;
  bool stopping_ = false;
  Health canary_;  // the part of Health that the canary knows

  std::thread thread_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_HEALTH_HEALTH_MONITOR_H_
