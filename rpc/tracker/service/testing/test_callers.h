// The callers of a tracker in tests: users, administrators and devices.
//
//   RegisteredDevice device(port, "a");    // registers, and sends heartbeats
//   TestWait wait(port, "ann", "ticket");  // asks for a lease
//   LeaseTerms lease;
//   ASSERT_TRUE(wait.WaitForLease(&lease));
//   TestStub(port).Release("ann", lease);
//
// Each object has a connection of its own, in plain text on loopback. All waits
// end after 10 seconds.
#ifndef ASSAY_RPC_TRACKER_SERVICE_TESTING_TEST_CALLERS_H_
#define ASSAY_RPC_TRACKER_SERVICE_TESTING_TEST_CALLERS_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "grpcpp/client_context.h"
#include "grpcpp/support/status.h"
#include "grpcpp/support/sync_stream.h"
#include "rpc/proto/tracker.grpc.pb.h"
#include "rpc/proto/tracker.pb.h"

namespace assay::rpc {

// Returns the token of a caller.
std::string TokenOf(const std::string& caller);
// Writes the file with the tokens of the administrator `alice`, the users `ann`
// and `ben`, and the devices `a`, `b` and `c`.
void WriteTokens(const std::string& path);

// Sets the token and the deadline of a call.
void PrepareTestCall(const std::string& caller, grpc::ClientContext* context);

// Short calls.
class TestStub {
 public:
  explicit TestStub(int port);

  Tracker::Stub* operator->() const { return stub_.get(); }

  grpc::Status Renew(const std::string& user, const LeaseTerms& lease,
                     Lease* answer) const;
  grpc::Status Release(const std::string& user, const LeaseTerms& lease) const;
  grpc::Status Withdraw(const std::string& user,
                        const std::string& ticket) const;
  ListAnswer List() const;
  // Returns the device, or an empty message.
  ListedDevice Listed(const std::string& device) const;
  // Waits until the device has the state.
  bool WaitForState(const std::string& device, ListedDevice::State state) const;
  grpc::Status Quarantine(const std::string& device,
                          const std::string& reason) const;

 private:
  std::unique_ptr<Tracker::Stub> stub_;
};

// Returns a valid message of a device with the key `rpi3b`.
Hello HelloOf(const std::string& device);

// A registered device, which sends a heartbeat every 100 ms.
class RegisteredDevice {
 public:
  // Waits until it is registered, or refused.
  RegisteredDevice(int port, const Hello& hello, const std::string& token);
  RegisteredDevice(int port, const std::string& device)
      : RegisteredDevice(port, HelloOf(device), TokenOf(device)) {}
  ~RegisteredDevice();  // breaks the stream

  const Welcome& welcome() const { return welcome_; }
  void SetProblem(const std::string& problem);
  void StopHeartbeats();
  // Waits until the end of a lease with this token, or a later one, was
  // reported.
  bool WaitForEnd(int64_t token);
  // Waits until the tracker has ended the stream.
  grpc::Status Wait();
  // Closes the side of the device, and waits.
  grpc::Status Leave();

 private:
  void Beat();
  void Read();

  const TestStub stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<FromDevice, ToDevice>> stream_;
  Welcome welcome_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string problem_;
  int64_t ended_ = 0;
  bool beating_ = true;
  bool finished_ = false;
  std::thread beats_;
  std::thread reads_;
};

// A call of Acquire that waits for up to 10 seconds.
class TestWait {
 public:
  // `change` changes the request.
  TestWait(int port, const std::string& user, const std::string& ticket,
           const std::function<void(AcquireRequest&)>& change = {});
  ~TestWait();  // cancels the call

  // Waits until the call has this place. Returns false if it ends before.
  bool WaitForPlace(int place);
  // Waits until the call has ended. Returns true if it has a lease, and sets
  // it.
  bool WaitForLease(LeaseTerms* terms, Lease* lease = nullptr);
  // Waits until the call has ended.
  grpc::Status Wait();
  void Cancel() { context_.TryCancel(); }
  Place place();

 private:
  void Read();

  const TestStub stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<AcquireAnswer>> stream_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Place place_;
  Lease lease_;
  grpc::Status status_;
  bool finished_ = false;
  std::thread reads_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRACKER_SERVICE_TESTING_TEST_CALLERS_H_
