// Watchdog: ends a program that cannot be reached any more.
//
// A program that does not answer is worse than one that has ended: it is not
// started again, and other programs wait for it. Every now and then, the
// watchdog connects to the program's own port, like a client, and waits for the
// first bytes that a server of HTTP/2 sends, in a TLS connection if the program
// has TLS. If this fails several times in a row, it calls a function, which
// normally ends the process.
//
// The connection is announced to the ConnectionTable, so it is not refused if
// there are too many others.
#ifndef ASSAY_RPC_PROGRAM_WATCHDOG_H_
#define ASSAY_RPC_PROGRAM_WATCHDOG_H_

#include <sys/socket.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "absl/status/status.h"
#include "rpc/program/connection_table.h"
#include "rpc/program/event_log.h"

namespace assay::rpc {

struct WatchdogOptions {
  sockaddr_storage address = {};
  bool tls = false;
  // May be null; must outlive the watchdog otherwise.
  ConnectionTable* connections = nullptr;
  // The time between two attempts, and the limit of each.
  int64_t interval_nanos = int64_t{30} * 1'000'000'000;
  int64_t limit_nanos = int64_t{30} * 1'000'000'000;
  // So many attempts in a row must fail.
  int attempts = 4;
  // Called once, by the thread of the watchdog, with the last error.
  std::function<void(const absl::Status&)> on_unreachable;
};

class Watchdog {
 public:
  explicit Watchdog(WatchdogOptions options);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

 private:
  void Run();
  // Returns true if the watchdog has been stopped meanwhile.
  bool SleepOrStop();
  absl::Status Try();
  // Connects the socket, and waits for an answer.
  absl::Status TryWith(int fd);

  const WatchdogOptions options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  int fd_ = -1;  // of the current attempt
  std::thread thread_;
};

// Returns a function for WatchdogOptions that writes to the log and ends the
// process with ExitCode::kInfrastructure, without waiting for anything. The log
// must outlive the watchdog.
std::function<void(const absl::Status&)> EndUnreachableProgram(EventLog* log);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROGRAM_WATCHDOG_H_
