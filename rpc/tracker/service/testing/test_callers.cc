#include "rpc/tracker/service/testing/test_callers.h"

#include <chrono>

#include "absl/strings/str_cat.h"
#include "rpc/security/token_file.h"
#include "rpc/transport/authorization.h"
#include "rpc/transport/channel.h"
#include "rpc/transport/credentials.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

constexpr std::chrono::seconds kTimeout(10);
constexpr std::chrono::milliseconds kBeat(100);
constexpr int64_t kPollNanos = 5'000'000;

std::string Line(Role role, const std::string& name) {
  return *TokenLine(role, name, TokenOf(name));
}

LeaseName NameOf(const LeaseTerms& lease) {
  LeaseName name;
  name.set_device(lease.device());
  name.set_token(lease.token());
  return name;
}

}  // namespace

std::string TokenOf(const std::string& caller) {
  return absl::StrCat(caller, "-", std::string(40, 'x'));
}

void WriteTokens(const std::string& path) {
  const std::string text =
      absl::StrCat(Line(Role::kAdmin, "alice"), Line(Role::kUser, "ann"),
                   Line(Role::kUser, "ben"), Line(Role::kDevice, "a"),
                   Line(Role::kDevice, "b"), Line(Role::kDevice, "c"));
  CHECK(WriteFileAtomic(path, text).ok()) << path;
}

void PrepareTestCall(const std::string& caller, grpc::ClientContext* context) {
  PrepareContext(Address(), kTimeout, context);
  AddToken(TokenOf(caller), context);
}

TestStub::TestStub(int port)
    : stub_(Tracker::NewStub(*OpenChannel(
          {"", /*plain_text=*/true}, {absl::StrCat("127.0.0.1:", port), ""}))) {
}

grpc::Status TestStub::Renew(const std::string& user, const LeaseTerms& lease,
                             Lease* answer) const {
  grpc::ClientContext context;
  PrepareTestCall(user, &context);
  return stub_->Renew(&context, NameOf(lease), answer);
}

grpc::Status TestStub::Release(const std::string& user,
                               const LeaseTerms& lease) const {
  grpc::ClientContext context;
  PrepareTestCall(user, &context);
  ReleaseAnswer answer;
  return stub_->Release(&context, NameOf(lease), &answer);
}

grpc::Status TestStub::Withdraw(const std::string& user,
                                const std::string& ticket) const {
  grpc::ClientContext context;
  PrepareTestCall(user, &context);
  WithdrawRequest request;
  request.set_ticket(ticket);
  WithdrawAnswer answer;
  return stub_->Withdraw(&context, request, &answer);
}

ListAnswer TestStub::List() const {
  grpc::ClientContext context;
  PrepareTestCall("ann", &context);
  ListAnswer answer;
  const grpc::Status status = stub_->List(&context, ListRequest(), &answer);
  CHECK(status.ok()) << status.error_message();
  return answer;
}

ListedDevice TestStub::Listed(const std::string& device) const {
  const ListAnswer list = List();
  for (const ListedDevice& listed : list.devices()) {
    if (listed.device() == device) return listed;
  }
  return ListedDevice();
}

bool TestStub::WaitForState(const std::string& device,
                            ListedDevice::State state) const {
  const auto end = std::chrono::steady_clock::now() + kTimeout;
  while (std::chrono::steady_clock::now() < end) {
    const ListedDevice listed = Listed(device);
    if (!listed.device().empty() && listed.state() == state) return true;
    Clock::Monotonic()->SleepNanos(kPollNanos);
  }
  return false;
}

grpc::Status TestStub::Quarantine(const std::string& device,
                                  const std::string& reason) const {
  grpc::ClientContext context;
  PrepareTestCall("alice", &context);
  QuarantineRequest request;
  request.set_device(device);
  request.set_reason(reason);
  QuarantineAnswer answer;
  return stub_->Quarantine(&context, request, &answer);
}

Hello HelloOf(const std::string& device) {
  Hello hello;
  hello.set_device(device);
  hello.set_key("rpi3b");
  hello.set_address("127.0.0.1:9");
  hello.mutable_facts()->set_fingerprint("cortex-a53");
  return hello;
}

RegisteredDevice::RegisteredDevice(int port, const Hello& hello,
                                   const std::string& token)
    : stub_(port) {
  AddToken(token, &context_);
  stream_ = stub_->Register(&context_);
  FromDevice first;
  *first.mutable_hello() = hello;
  ToDevice answer;
  if (stream_->Write(first) && stream_->Read(&answer)) {
    welcome_ = answer.welcome();
  }
  reads_ = std::thread([this] { Read(); });
  beats_ = std::thread([this] { Beat(); });
}

RegisteredDevice::~RegisteredDevice() {
  StopHeartbeats();
  context_.TryCancel();
  beats_.join();
  reads_.join();
}

void RegisteredDevice::SetProblem(const std::string& problem) {
  const std::lock_guard<std::mutex> lock(mutex_);
  problem_ = problem;
}

void RegisteredDevice::StopHeartbeats() {
  const std::lock_guard<std::mutex> lock(mutex_);
  beating_ = false;
  changed_.notify_all();
}

bool RegisteredDevice::WaitForEnd(int64_t token) {
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_for(lock, kTimeout, [&] {
    return finished_ || ended_ >= token;
  }) && ended_ >= token;
}

grpc::Status RegisteredDevice::Wait() {
  StopHeartbeats();
  beats_.join();
  beats_ = std::thread([] {});
  std::unique_lock<std::mutex> lock(mutex_);
  if (!changed_.wait_for(lock, kTimeout, [&] { return finished_; })) {
    return grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "in the test");
  }
  return stream_->Finish();
}

grpc::Status RegisteredDevice::Leave() {
  StopHeartbeats();
  beats_.join();
  beats_ = std::thread([] {});
  stream_->WritesDone();
  return Wait();
}

void RegisteredDevice::Beat() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (beating_ && !finished_) {
    FromDevice message;
    Heartbeat* const heartbeat = message.mutable_heartbeat();
    heartbeat->mutable_state()->set_temperature_celsius(48);
    heartbeat->mutable_health()->set_problem(problem_);
    lock.unlock();
    stream_->Write(message);
    lock.lock();
    changed_.wait_for(lock, kBeat, [&] { return !beating_ || finished_; });
  }
}

void RegisteredDevice::Read() {
  ToDevice message;
  while (stream_->Read(&message)) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = message.ended().token();
    changed_.notify_all();
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

TestWait::TestWait(int port, const std::string& user, const std::string& ticket,
                   const std::function<void(AcquireRequest&)>& change)
    : stub_(port) {
  PrepareTestCall(user, &context_);
  AcquireRequest request;
  request.set_key("rpi3b");
  request.set_ticket(ticket);
  request.set_wait_seconds(10);
  if (change) change(request);
  stream_ = stub_->Acquire(&context_, request);
  reads_ = std::thread([this] { Read(); });
}

TestWait::~TestWait() {
  context_.TryCancel();
  reads_.join();
}

bool TestWait::WaitForPlace(int place) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, kTimeout,
                    [&] { return finished_ || place_.place() == place; });
  return place_.place() == place;
}

bool TestWait::WaitForLease(LeaseTerms* terms, Lease* lease) {
  Wait();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (lease != nullptr) *lease = lease_;
  return !lease_.terms().empty() && terms->ParseFromString(lease_.terms());
}

grpc::Status TestWait::Wait() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!changed_.wait_for(lock, kTimeout, [&] { return finished_; })) {
    return grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "in the test");
  }
  return status_;
}

Place TestWait::place() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return place_;
}

void TestWait::Read() {
  AcquireAnswer answer;
  while (stream_->Read(&answer)) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (answer.has_place()) place_ = answer.place();
    if (answer.has_lease()) lease_ = answer.lease();
    changed_.notify_all();
  }
  const grpc::Status status = stream_->Finish();
  const std::lock_guard<std::mutex> lock(mutex_);
  status_ = status;
  finished_ = true;
  changed_.notify_all();
}

}  // namespace assay::rpc
