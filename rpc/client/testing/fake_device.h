// FakeDevice: the server of a device for tests of clients. It listens on a free
// port of 127.0.0.1, keeps blobs, and takes samples that its script makes up.
//
//   FakeDevice device;
//   tracker.Change([&](FakeTracker::Script* script) {
//     script->address = device.address();
//   });
#ifndef ASSAY_RPC_CLIENT_TESTING_FAKE_DEVICE_H_
#define ASSAY_RPC_CLIENT_TESTING_FAKE_DEVICE_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "rpc/program/listener.h"
#include "rpc/proto/device.grpc.pb.h"
#include "rpc/proto/device.pb.h"

namespace assay::rpc {

class FakeDevice final : private Device::Service {
 public:
  using BlockWriter = grpc::ServerWriter<RunBlockAnswer>;

  // What the device does and has done. Tests use Change() and Read().
  struct Script {
    // The errors of the next calls, by the name of the call.
    std::map<std::string, std::deque<absl::Status>> errors = {};
    // If true, each upload is cut off after one chunk.
    bool cut_uploads = false;
    // If true, blobs are not kept: each upload succeeds, and is forgotten.
    bool lose_blobs = false;
    // If true, FindBlobs ends only when it is cancelled.
    bool hangs = false;
    int threads = 2;
    // The time of loading of each session in their order. Those without one do
    // not say it.
    std::vector<int64_t> load_nanos = {};
    // The peak of the worker's memory after each block; 0 if it is not said.
    int64_t peak_bytes = 0;
    // Nanoseconds of a run of each program, and the times of its kernel calls.
    std::vector<int64_t> run_nanos = {1000, 2000};
    std::vector<int64_t> call_nanos = {400, 600};
    // The tensor file of the outputs.
    std::string outputs = {};
    // Replaces RunBlock. Called without locks.
    std::function<grpc::Status(grpc::ServerContext*, const RunBlockRequest&,
                               BlockWriter*)>
        run_block = nullptr;

    std::map<std::string, std::string> blobs = {};    // complete
    std::map<std::string, std::string> uploads = {};  // not complete
    int puts = 0;
    int64_t bytes_received = 0;
    std::string session = {};  // that is open
    int sessions = 0;          // that were opened
    std::vector<OpenRequest> opens = {};
    std::vector<std::string> inputs = {};
    std::vector<RunBlockRequest> blocks = {};
    std::vector<std::string> log = {};  // names of the calls
    std::string lease = {};             // of the last call
    double seconds_left = 0;            // until the deadline of the last call
  };

  FakeDevice() { Start("127.0.0.1:0"); }

  // Ends all connections and forgets the session, as a program does that is
  // killed; blobs are kept.
  void Stop();
  void Restart() { Start(address_); }

  std::string address() const { return address_; }

  template <typename T>
  T Read(T Script::* field) const {
    const absl::MutexLock lock(&mutex_);
    return script_.*field;
  }
  void Change(const std::function<void(Script*)>& change) {
    const absl::MutexLock lock(&mutex_);
    change(&script_);
  }
  // Waits until the condition is true, for at most ten seconds. Returns its
  // value.
  bool WaitUntil(const std::function<bool(const Script&)>& condition) const;

 private:
  void Start(const std::string& address);
  // Returns the error that the script has for this call.
  absl::Status Note(const std::string& call,
                    const grpc::ServerContext* context);
  // Requires the mutex.
  absl::Status CheckSession(const std::string& session) const;

  grpc::Status FindBlobs(grpc::ServerContext* context,
                         const FindBlobsRequest* request,
                         FindBlobsAnswer* answer) override;
  grpc::Status PutBlob(grpc::ServerContext* context,
                       grpc::ServerReader<PutBlobRequest>* reader,
                       PutBlobAnswer* answer) override;
  grpc::Status Open(grpc::ServerContext* context, const OpenRequest* request,
                    OpenAnswer* answer) override;
  grpc::Status SetInputs(grpc::ServerContext* context,
                         const SetInputsRequest* request,
                         SetInputsAnswer* answer) override;
  grpc::Status RunBlock(grpc::ServerContext* context,
                        const RunBlockRequest* request,
                        BlockWriter* writer) override;
  grpc::Status Close(grpc::ServerContext* context, const CloseRequest* request,
                     CloseAnswer* answer) override;

  mutable absl::Mutex mutex_;
  Script script_;
  std::string address_;
  std::unique_ptr<Listener> listener_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_CLIENT_TESTING_FAKE_DEVICE_H_
