// TcpRelay: a bad network between two programs of this machine. It accepts
// connections on a port of the loopback interface and forwards what it receives
// to another port, late or not at all.
//
//   ASSAY_ASSIGN_OR_RETURN(const auto relay, TcpRelay::Start(server_port));
//   relay->SetDelay(25'000'000);      // 50 ms for a request and its answer
//   relay->SetResetProbability(0.01);
//   … connect to relay->port() …
//
// All functions can be called at any time, and take effect within 10 ms.
#ifndef ASSAY_TESTS_FARM_TCP_RELAY_H_
#define ASSAY_TESTS_FARM_TCP_RELAY_H_

#include <atomic>
#include <cstdint>
#include <list>
#include <memory>
#include <thread>

#include "absl/status/statusor.h"
#include "runtime/base/random.h"

namespace assay {

class TcpRelay {
 public:
  static absl::StatusOr<std::unique_ptr<TcpRelay>> Start(int target_port,
                                                         uint64_t seed = 1);
  TcpRelay(const TcpRelay&) = delete;
  TcpRelay& operator=(const TcpRelay&) = delete;
  ~TcpRelay();  // closes all connections

  int port() const { return port_; }
  // Connections and resets since the start.
  int64_t connections() const { return connections_; }
  int64_t resets() const { return resets_; }
  // Bytes that were forwarded to the target.
  int64_t forwarded() const { return forwarded_; }

  // The port to which later connections are forwarded.
  void SetTarget(int port) { target_ = port; }
  // Everything arrives later by this time, in each direction.
  void SetDelay(int64_t nanos) { delay_nanos_ = nanos; }
  // The probability that a connection is reset when bytes are received.
  void SetResetProbability(double probability) {
    reset_probability_ = probability;
  }
  // If true, nothing is forwarded, and connections stay open.
  void SetSilent(bool silent) { silent_ = silent; }
  // Resets all connections once.
  void Reset() { reset_all_ = true; }
  // Resets all connections as soon as this number of bytes more was forwarded
  // to the target; a negative number stands for never.
  void ResetAfter(int64_t bytes) {
    reset_at_ = bytes < 0 ? -1 : forwarded_ + bytes;
  }

 private:
  struct Connection;

  TcpRelay(int listener, int port, int target, uint64_t seed);
  void Loop();
  void Accept();
  // Returns false if the connection has ended.
  bool Serve(Connection& connection, int64_t now);
  bool Receive(Connection& connection, int side, int64_t now);
  bool Send(Connection& connection, int side, int64_t now);

  const int listener_;
  const int port_;
  std::atomic<int> target_;
  std::atomic<int64_t> delay_nanos_{0};
  std::atomic<double> reset_probability_{0};
  std::atomic<bool> silent_{false};
  std::atomic<bool> reset_all_{false};
  std::atomic<int64_t> reset_at_{-1};
  std::atomic<bool> stop_{false};
  std::atomic<int64_t> connections_{0};
  std::atomic<int64_t> resets_{0};
  std::atomic<int64_t> forwarded_{0};
  // Used by the thread only.
  Rng rng_;
  std::list<std::unique_ptr<Connection>> open_;
  std::thread thread_;
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_TCP_RELAY_H_
