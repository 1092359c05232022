// AcquireCall and RegisterCall with many threads, without gRPC.
//
// ThreadSanitizer cannot see how the threads of gRPC synchronize, because its
// library is not compiled for it. Here, other classes call the reactors as gRPC
// does: each call has a thread of its own for its reactions.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "grpcpp/support/server_callback.h"
#include "gtest/gtest.h"
#include "rpc/program/event_log.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/security/signature.h"
#include "rpc/tracker/book_state.h"
#include "rpc/tracker/lease_book.h"
#include "rpc/tracker/lease_options.h"
#include "rpc/tracker/service/acquire_call.h"
#include "rpc/tracker/service/call_limits.h"
#include "rpc/tracker/service/dispatcher.h"
#include "rpc/tracker/service/register_call.h"
#include "rpc/tracker/service/tracker_loop.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"

namespace assay::rpc {
namespace {

constexpr int64_t kMicrosecond = 1'000;
constexpr int64_t kSecond = 1'000'000'000;

// The thread that calls the reactions of one call.
class Reactions {
 public:
  Reactions() : thread_([this] { Run(); }) {}
  ~Reactions() { thread_.join(); }

  void Add(std::function<void()> reaction) {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.push_back(std::move(reaction));
    changed_.notify_all();
  }
  // The reactor may be gone after the last reaction.
  void AddLast(std::function<void()> reaction) {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.push_back(std::move(reaction));
    last_ = true;
    changed_.notify_all();
  }

 private:
  void Run() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return last_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const std::function<void()> reaction = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      reaction();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool last_ = false;
  std::thread thread_;
};

// As gRPC's stream of a call of Acquire.
class FakeWriter : public grpc::ServerCallbackWriter<AcquireAnswer> {
 public:
  void Bind(grpc::ServerWriteReactor<AcquireAnswer>* reactor) {
    reactor_ = reactor;
    BindReactor(reactor);
  }

  // The client cancels.
  void Cancel() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (done_) return;
    cancelled_ = true;
    reactions_.Add([this] { reactor_->OnCancel(); });
  }
  // Waits for the end. Returns true if the client has a lease.
  bool Wait(LeaseTerms* terms) {
    ended_.WaitForNotification();
    const std::lock_guard<std::mutex> lock(mutex_);
    return !cancelled_ && !lease_.terms().empty() &&
           terms->ParseFromString(lease_.terms());
  }

  void Write(const AcquireAnswer* message, grpc::WriteOptions) override {
    Read(*message);
    reactions_.Add([this] { reactor_->OnWriteDone(true); });
  }
  void WriteAndFinish(const AcquireAnswer* message, grpc::WriteOptions options,
                      grpc::Status status) override {
    (void)options;
    Read(*message);
    Finish(std::move(status));
  }
  void Finish(grpc::Status) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
    reactions_.AddLast([this] {
      reactor_->OnDone();
      ended_.Notify();
    });
  }
  void SendInitialMetadata() override {}

 private:
  grpc::internal::ServerReactor* reactor() override { return reactor_; }
  void CallOnDone() override {}
  void Read(const AcquireAnswer& message) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (message.has_lease()) lease_ = message.lease();
  }

  grpc::ServerWriteReactor<AcquireAnswer>* reactor_ = nullptr;
  std::mutex mutex_;
  bool cancelled_ = false;
  bool done_ = false;
  Lease lease_;
  absl::Notification ended_;
  Reactions reactions_;
};

// As gRPC's stream of a call of Register, with a device that sends `hello` and
// then heartbeats as fast as they are read.
class FakeReaderWriter
    : public grpc::ServerCallbackReaderWriter<FromDevice, ToDevice> {
 public:
  FakeReaderWriter(grpc::ServerBidiReactor<FromDevice, ToDevice>* reactor,
                   int heartbeats)
      : reactor_(reactor), left_(heartbeats) {
    BindReactor(reactor);
  }

  void Wait() {
    ended_.WaitForNotification();
    // Finish() may still hold it.
    const std::lock_guard<std::mutex> lock(mutex_);
  }
  void Cancel() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (done_) return;
    cancelled_ = true;
    reactions_.Add([this] { reactor_->OnCancel(); });
    FailRead();
  }

  void Read(FromDevice* message) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    reading_ = true;
    if (cancelled_ || done_ || left_ == 0) return FailRead();
    reading_ = false;
    const bool first = std::exchange(has_hello_, true) == false;
    --left_;
    reactions_.Add([this, message, first] {
      message->Clear();
      if (first) {
        message->mutable_hello()->set_device("a");
        message->mutable_hello()->set_key("rpi3b");
        message->mutable_hello()->set_address("127.0.0.1:9");
        message->mutable_hello()->mutable_facts()->set_fingerprint("x");
      } else {
        message->mutable_heartbeat()->mutable_health();
      }
      reactor_->OnReadDone(true);
    });
  }
  void Write(const ToDevice* message, grpc::WriteOptions) override {
    size_ += message->ByteSizeLong();
    reactions_.Add([this] { reactor_->OnWriteDone(true); });
  }
  void WriteAndFinish(const ToDevice* message, grpc::WriteOptions,
                      grpc::Status status) override {
    size_ += message->ByteSizeLong();
    Finish(std::move(status));
  }
  void Finish(grpc::Status) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
    FailRead();
    reactions_.AddLast([this] {
      reactor_->OnDone();
      ended_.Notify();
    });
  }
  void SendInitialMetadata() override {}

 private:
  grpc::internal::ServerReactor* reactor() override { return reactor_; }
  void CallOnDone() override {}
  // Requires the mutex.
  void FailRead() {
    if (!std::exchange(reading_, false)) return;
    reactions_.Add([this] { reactor_->OnReadDone(false); });
  }

  grpc::ServerBidiReactor<FromDevice, ToDevice>* const reactor_;
  std::mutex mutex_;
  int left_;
  bool has_hello_ = false;
  bool reading_ = false;
  bool cancelled_ = false;
  bool done_ = false;
  size_t size_ = 0;
  absl::Notification ended_;
  Reactions reactions_;
};

class CallsThreadsTest : public ::testing::Test {
 protected:
  CallsThreadsTest() {
    tracker::LeaseOptions lease;
    lease.lease_nanos = 3600 * kSecond;
    lease.lost_nanos = 3600 * kSecond;
    lease.report_nanos = 100 * kMicrosecond;
    SigningKey key = *SigningKey::Generate();
    dispatcher_ =
        std::make_unique<Dispatcher>(key, *key.PublicPem(), lease.lease_nanos,
                                     tracker::BookState(), 0, &log_);
    TrackerLoop::Options options;
    options.store = [](const auto&) { return absl::OkStatus(); };
    options.handle = [this](const TrackerLoop::Events& events,
                            tracker::LeaseBook& book, int64_t now) {
      return dispatcher_->Handle(events, book, now);
    };
    options.fail = [](const absl::Status&) {};
    loop_ = std::make_unique<TrackerLoop>(tracker::LeaseBook(lease),
                                          std::move(options));
  }
  ~CallsThreadsTest() override {
    loop_ = nullptr;
    fclose(log_file_);
  }

  // Does something on the thread of the loop, and waits for the answer.
  void Do(const std::function<void(tracker::LeaseBook&, int64_t)>& command) {
    absl::Notification done;
    ASSERT_TRUE(loop_
                    ->Post([&](tracker::LeaseBook& book, int64_t now) {
                      command(book, now);
                      return [&] { done.Notify(); };
                    })
                    .ok());
    done.WaitForNotification();
  }

  // Keeps the loop from using a call before `bind` has given it its stream:
  // what a reactor does before is protected by a mutex of gRPC.
  void WhileTheLoopWaits(const std::function<void()>& bind) {
    absl::Notification waits;
    // The loop may still be about to wait when this function has returned.
    const auto bound = std::make_shared<absl::Notification>();
    ASSERT_TRUE(
        loop_
            ->Post([&waits, bound](auto&, int64_t) -> TrackerLoop::Answer {
              waits.Notify();
              bound->WaitForNotification();
              return nullptr;
            })
            .ok());
    waits.WaitForNotification();
    bind();
    bound->Notify();
  }

  // Returns true if the device gets the state within 10 seconds.
  bool WaitForState(ListedDevice::State state) {
    for (int i = 0; i < 2000; ++i) {
      bool reached = false;
      Do([&](tracker::LeaseBook& book, int64_t now) {
        const auto list = dispatcher_->List(book, now);
        reached =
            list->devices_size() == 1 && list->devices(0).state() == state;
      });
      if (reached) return true;
      Clock::Monotonic()->SleepNanos(5'000 * kMicrosecond);
    }
    return false;
  }

  FILE* const log_file_ = tmpfile();
  EventLog log_{log_file_, "tracker"};
  CallLimits limits_{"calls", 100};
  std::unique_ptr<Dispatcher> dispatcher_;
  std::unique_ptr<TrackerLoop> loop_;
};

struct QuietDevice : public DeviceStream {
  void Send(const ToDevice&) override {}
  void Close(const absl::Status&) override {}
};

TEST_F(CallsThreadsTest, ClientsThatCancelLeaveNoLease) {
  Do([&](tracker::LeaseBook& book, int64_t now) {
    Hello hello;
    hello.set_device("a");
    hello.set_key("rpi3b");
    EXPECT_TRUE(
        dispatcher_->Register(book, hello, std::make_shared<QuietDevice>(), now)
            .ok());
  });
  std::atomic<int> leases{0};
  std::vector<std::thread> clients;
  for (int client = 0; client < 4; ++client) {
    clients.emplace_back([&, client] {
      Rng rng(client);
      for (int i = 0; i < 100; ++i) {
        AcquireRequest request;
        request.set_key("rpi3b");
        request.set_ticket(absl::StrCat("t", client, "-", i));
        request.set_wait_seconds(60);
        FakeWriter writer;
        WhileTheLoopWaits([&] {
          writer.Bind(AcquireCall::Start({dispatcher_.get(), loop_.get()},
                                         *limits_.Take("ann"), "ann", request));
        });
        if (rng.UniformInt(0, 1) == 0) {
          Clock::Monotonic()->SleepNanos(rng.UniformInt(0, 300) * kMicrosecond);
          writer.Cancel();
        }
        LeaseTerms terms;
        if (!writer.Wait(&terms)) continue;
        ++leases;
        Do([&](tracker::LeaseBook& book, int64_t now) {
          EXPECT_TRUE(book.Release("ann", terms.token(), now).ok());
        });
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_GE(leases, 100);
  EXPECT_TRUE(WaitForState(ListedDevice::FREE));
}

TEST_F(CallsThreadsTest, StreamsOfADeviceReplaceEachOther) {
  std::vector<std::thread> devices;
  for (int device = 0; device < 4; ++device) {
    devices.emplace_back([&, device] {
      Rng rng(device);
      for (int i = 0; i < 50; ++i) {
        std::unique_ptr<FakeReaderWriter> stream;
        WhileTheLoopWaits([&] {
          stream = std::make_unique<FakeReaderWriter>(
              RegisterCall::Start({dispatcher_.get(), loop_.get()},
                                  *limits_.Take("a"), "a",
                                  [] { return absl::OkStatus(); }),
              static_cast<int>(rng.UniformInt(0, 20)));
        });
        if (rng.UniformInt(0, 1) == 0) {
          Clock::Monotonic()->SleepNanos(rng.UniformInt(0, 300) * kMicrosecond);
          stream->Cancel();
        }
        stream->Wait();
      }
    });
  }
  for (std::thread& device : devices) device.join();
  std::unique_ptr<FakeReaderWriter> last;
  WhileTheLoopWaits([&] {
    last = std::make_unique<FakeReaderWriter>(
        RegisterCall::Start({dispatcher_.get(), loop_.get()},
                            *limits_.Take("a"), "a",
                            [] { return absl::OkStatus(); }),
        10);
  });
  // It ends its messages, and so leaves.
  last->Wait();
  EXPECT_TRUE(WaitForState(ListedDevice::LOST));
}

}  // namespace
}  // namespace assay::rpc
