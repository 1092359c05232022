// StopSignal: waits for the signal that ends a program: SIGTERM, or SIGINT when
// the user types Ctrl-C.
//
//   int main() {
//     StopSignal stop;   // before the first thread is started
//     …                  // start the servers
//     stop.Wait();
//     …                  // stop them
//   }
//
// The signals are blocked in all threads and read by Wait(), so no code runs in
// a signal handler. A second signal, while the program stops, ends it at once.
// SIGPIPE is ignored: a closed connection is an error of its call.
#ifndef ASSAY_RPC_PROGRAM_STOP_SIGNAL_H_
#define ASSAY_RPC_PROGRAM_STOP_SIGNAL_H_

#include <cstdint>

namespace assay::rpc {

class StopSignal {
 public:
  StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // Waits until a signal has arrived, and returns its number. Returns 0 if
  // none has arrived within `timeout_nanos`; a negative time is no limit.
  int Wait(int64_t timeout_nanos = -1);
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROGRAM_STOP_SIGNAL_H_
