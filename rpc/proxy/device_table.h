// DeviceTable: which devices are attached to the proxy, which of their streams
// wait for a call, which calls wait for a stream, and how many there are of
// each. It does no I/O; the service of the proxy gives numbers to sessions,
// streams and calls, and does what the table decides.
//
//   DeviceTable table(limits);
//   DeviceTable::Attached attached = *table.Attach("rack1-03");
//   int64_t call = *table.OpenStream(attached.session, stream);
//   if (call != 0) …                                // the stream carries it
//   int64_t stream = *table.StartCall(session, user, call, now);
//   if (stream == 0) …                              // the call waits
//
// A stream carries one call. Streams and calls count until CloseStream() and
// EndCall(), also after their session has ended. Not thread-safe.
#ifndef ASSAY_RPC_PROXY_DEVICE_TABLE_H_
#define ASSAY_RPC_PROXY_DEVICE_TABLE_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::rpc {

struct ProxyLimits {
  int devices = 1000;
  // Streams of Carry, which wait or carry a call.
  int streams_per_device = 40;
  // Each call can need memory for four messages of 2 MiB.
  int calls = 256;
  int calls_per_device = 32;
  int calls_per_user = 64;
  // How long a call waits for a stream of its device.
  int64_t wait_nanos = int64_t{5} * 1'000'000'000;
  // A call in which no message passes for this time is ended.
  int64_t idle_nanos = int64_t{600} * 1'000'000'000;
};

class DeviceTable {
 public:
  // What a session leaves when it ends.
  struct Remains {
    std::vector<int64_t> streams = {};
    std::vector<int64_t> waiting_calls = {};
  };
  struct Attached {
    int64_t session = 0;
    // The session that is replaced, or 0.
    int64_t replaced = 0;
    Remains remains = {};
  };

  explicit DeviceTable(const ProxyLimits& limits) : limits_(limits) {}

  // Begins a session, and ends an earlier one of the device. Returns
  // ResourceExhausted if there are too many devices.
  absl::StatusOr<Attached> Attach(const std::string& device);
  // Ends a session. Does nothing if it has ended.
  Remains Detach(int64_t session);
  // Returns the session of a device, or 0 if it is not attached.
  int64_t SessionOf(const std::string& device) const;

  // Adds a stream, and returns the call that it must carry, or 0 if it waits.
  // Returns NotFound if there is no such session, and ResourceExhausted if the
  // device has too many streams.
  absl::StatusOr<int64_t> OpenStream(int64_t session, int64_t stream);
  // Does nothing if there is no such stream.
  void CloseStream(int64_t stream);

  // Adds a call, and returns the stream that carries it, or 0 if it waits.
  // Returns Unavailable if there is no such session, and ResourceExhausted if
  // there are too many calls.
  absl::StatusOr<int64_t> StartCall(int64_t session, const std::string& user,
                                    int64_t call, int64_t now_nanos);
  // Does nothing if there is no such call.
  void EndCall(int64_t call);
  // Returns the calls that have waited for too long, which wait no more.
  std::vector<int64_t> TakeOverdue(int64_t now_nanos);

  int devices() const { return static_cast<int>(sessions_.size()); }
  int streams() const { return static_cast<int>(streams_.size()); }
  int calls() const { return static_cast<int>(calls_.size()); }

 private:
  struct Session {
    std::string device = {};
    std::deque<int64_t> waiting_streams = {};
    std::deque<int64_t> waiting_calls = {};  // the oldest first
  };
  struct Stream {
    int64_t session = 0;
    std::string device = {};
  };
  struct Call {
    int64_t session = 0;
    std::string device = {};
    std::string user = {};
    int64_t overdue_nanos = 0;
  };

  const ProxyLimits limits_;
  int64_t last_session_ = 0;
  std::map<std::string, int64_t> by_device_;
  std::map<int64_t, Session> sessions_;
  std::map<int64_t, Stream> streams_;
  std::map<int64_t, Call> calls_;
  // Numbers of streams and calls. Entries that are 0 are removed.
  std::map<std::string, int> streams_of_device_;
  std::map<std::string, int> calls_of_device_;
  std::map<std::string, int> calls_of_user_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROXY_DEVICE_TABLE_H_
