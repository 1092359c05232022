// Fuzz test of the requests that the tracker receives (tracker.proto), from the
// checks of a message (message_checks.h) to the rules of the farm
// (dispatcher.h, lease_book.h). Devices and users send arbitrary messages, and
// valid ones with odd contents, in any order; time passes, streams end, and the
// tracker is killed and restarted. Always,
//   - a refused message is an error of one line;
//   - a lease is one that clients accept, of a device that nobody else has, and
//     with a higher token than all earlier leases of this device;
//   - the list is a valid message of limited size, and its tables have only
//     printable lines;
//   - the state that survives a kill is valid.
// At the end, when nobody sends anything any more, all leases and requests end.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/stubs/logging.h"
#include "rpc/client/granted_lease.h"
#include "rpc/program/event_log.h"
#include "rpc/proto/tracker.pb.h"
#include "rpc/query/render_list.h"
#include "rpc/security/signature.h"
#include "rpc/tracker/book_state.h"
#include "rpc/tracker/events.h"
#include "rpc/tracker/lease_book.h"
#include "rpc/tracker/lease_options.h"
#include "rpc/tracker/service/dispatcher.h"
#include "rpc/tracker/service/message_checks.h"
#include "rpc/transport/channel.h"
#include "runtime/base/check.h"
#include "tests/farm/fuzz/input.h"

namespace assay::rpc {
namespace {

using fuzz::Input;

constexpr int64_t kSecond = 1'000'000'000;
constexpr const char* kDevices[] = {"a", "b", "c", "rack-1"};
constexpr const char* kKeys[] = {"host", "rpi3b"};
constexpr const char* kUsers[] = {"ann", "ben"};
constexpr const char* kTickets[] = {"t1", "t2", "t3", "t4", "t5", "t6"};

struct FakeDevice : public DeviceStream {
  void Send(const ToDevice&) override {}
  void Close(const absl::Status&) override { closed = true; }

  std::string name;
  bool has_hello = false;
  bool closed = false;
};

struct FakeWait : public WaitingStream {
  void SendPlace(const Place& place) override {
    CHECK(place.place() >= 1 && place.ticket() == ticket);
  }
  bool SendLease(const Lease& sent, int64_t) override {
    if (gone || closed) return false;
    lease = sent;
    closed = true;
    return true;
  }
  void Close(const absl::Status& status) override {
    CHECK(!status.ok() && !status.message().empty());
    closed = true;
  }

  std::string user;
  std::string ticket;
  bool gone = false;    // the client has left, and the tracker does not know it
  bool closed = false;  // the stream has ended
  Lease lease;
};

tracker::LeaseOptions SmallLimits() {
  tracker::LeaseOptions options;
  options.max_requests = 5;
  options.max_requests_per_user = 4;
  options.max_devices = 3;
  options.token_batch = 8;
  return options;
}

const SigningKey& Key() {
  static const auto* key = new SigningKey(*SigningKey::Generate());
  return *key;
}

EventLog* Log() {
  static auto* const log = new EventLog(fopen("/dev/null", "w"), "tracker");
  return log;
}

void CheckRefusal(const absl::Status& status) {
  CHECK(!status.message().empty() && status.message().size() < 2000 &&
        !absl::StrContains(status.message(), "\n"))
      << status;
  CHECK(!absl::IsInternal(status) && !absl::IsUnknown(status)) << status;
}

class Farm {
 public:
  Farm() { Restart(); }

  void Step(Input& input) {
    switch (input.Of(14)) {
      case 0:
        Connect(input);
        break;
      case 1:
      case 2:
        SendFromDevice(input);
        break;
      case 3:
      case 4:
        Acquire(input);
        break;
      case 5:
        Withdraw(input);
        break;
      case 6:
        Renew(input);
        break;
      case 7:
        Release(input);
        break;
      case 8:
        Quarantine(input);
        break;
      case 9:
        CheckList();
        break;
      case 10:
        now_ += input.Of(4) == 3 ? input.Of(60) * kSecond : input.Of(3);
        break;
      case 11:
        EndDevice(input);
        break;
      case 12:
        EndWait(input);
        break;
      default:
        if (input.Of(8) == 7) Restart();
    }
    Advance();
  }

  void Finish() {
    CheckList();
    for (const auto& wait : waits_) Leave(*wait);
    Advance();
    for (int i = 0; i < 3; ++i) {
      now_ += 30 * kSecond;
      Advance();
    }
    const tracker::BookState state = book_->State(now_);
    CHECK(state.leases.empty() && state.requests.empty());
    dispatcher_->CloseAll(absl::UnavailableError("the tracker is stopping"));
  }

 private:
  // Kills the tracker, and starts it again.
  void Restart() {
    tracker::BookState state;
    if (book_ != nullptr) state = book_->State(now_);
    const absl::Status valid = tracker::ValidateState(state);
    CHECK(valid.ok()) << valid;
    auto book = tracker::LeaseBook::Restore(SmallLimits(), state, now_);
    CHECK(book.ok()) << book.status();
    waits_.clear();
    devices_.clear();
    book_ = std::make_unique<tracker::LeaseBook>(*std::move(book));
    dispatcher_ = std::make_unique<Dispatcher>(
        Key(), "key", SmallLimits().lease_nanos, state, now_, Log());
    Advance();
  }

  // As TrackerLoop does it.
  void Advance() {
    bool again = true;
    for (int rounds = 0; again; ++rounds) {
      CHECK(rounds < 100);
      again = false;
      const std::vector<tracker::Event> events = book_->Advance(now_);
      for (const tracker::Event& event : events) {
        if (const auto* wanted = std::get_if<tracker::TokensWanted>(&event)) {
          book_->ConfirmTokens(wanted->until);
          again = true;
        } else if (const auto* granted =
                       std::get_if<tracker::LeaseGranted>(&event)) {
          Granted(granted->lease);
        } else if (const auto* ended =
                       std::get_if<tracker::LeaseEnded>(&event)) {
          const auto holder = holders_.find(ended->lease.device);
          CHECK(holder != holders_.end() &&
                holder->second.token == ended->lease.token);
          holders_.erase(holder);
        }
      }
      if (!events.empty()) again |= dispatcher_->Handle(events, *book_, now_);
    }
    for (const auto& wait : waits_) {
      if (wait->lease.terms().empty()) continue;
      const absl::StatusOr<GrantedLease> lease = ReadLease(wait->lease);
      CHECK(lease.ok()) << lease.status();
      wait->lease.Clear();
    }
    waits_.erase(std::remove_if(waits_.begin(), waits_.end(),
                                [](const auto& wait) { return wait->closed; }),
                 waits_.end());
    CHECK(book_->NextEventNanos() > now_);
  }

  void Granted(const tracker::Lease& lease) {
    const auto holder = holders_.find(lease.device);
    if (holder != holders_.end()) {
      // The lease is reported again to the same request.
      CHECK(holder->second.token == lease.token &&
            holder->second.ticket == lease.ticket &&
            holder->second.user == lease.user);
      return;
    }
    int64_t& last = last_tokens_[lease.device];
    CHECK(lease.token > last) << lease.token << " " << last;
    last = lease.token;
    holders_[lease.device] = lease;
  }

  void Connect(Input& input) {
    auto device = std::make_shared<FakeDevice>();
    device->name = kDevices[input.Of(4)];
    devices_.push_back(device);
    if (input.Of(4) == 0) return;
    // Most devices are what they should be.
    FromDevice message;
    Hello& hello = *message.mutable_hello();
    hello.set_device(device->name);
    hello.set_key(kKeys[input.Of(2)]);
    hello.set_address("10.0.0.7:9191");
    hello.mutable_facts()->set_fingerprint("cortex-a53");
    Deliver(device, message);
  }

  // The stream of a device sends a message.
  void SendFromDevice(Input& input) {
    if (devices_.empty()) return;
    const auto device = devices_[input.Of(static_cast<int>(devices_.size()))];
    FromDevice message;
    switch (input.Of(3)) {
      case 0:
        if (!message.ParseFromString(input.Text())) return;
        break;
      case 1: {
        Hello& hello = *message.mutable_hello();
        hello.set_device(device->name);
        hello.set_key(input.Of(2) == 0 ? kKeys[0] : Utf8(input));
        hello.set_address(absl::StrCat("10.0.0.7:9191", Utf8(input)));
        hello.mutable_facts()->set_fingerprint(Utf8(input));
        hello.mutable_facts()->set_board(Utf8(input));
        (*hello.mutable_facts()->mutable_state())[Utf8(input)] = Utf8(input);
        break;
      }
      default: {
        Heartbeat& beat = *message.mutable_heartbeat();
        if (input.Of(2) == 1) beat.mutable_state()->set_load(1);
        Health& health = *beat.mutable_health();
        health.set_problem(Utf8(input));
        health.set_canary_nanos(input.Number());
        health.set_usual_canary_nanos(input.Number());
      }
    }
    Deliver(device, message);
  }

  // As RegisterCall does it.
  void Deliver(const std::shared_ptr<FakeDevice>& device,
               const FromDevice& message) {
    if (device->closed) return;
    absl::Status status =
        CheckFromDevice(message, device->name, device->has_hello);
    if (status.ok() && message.has_hello()) {
      const auto welcome =
          dispatcher_->Register(*book_, message.hello(), device, now_);
      status = welcome.status();
      device->has_hello = true;
      if (welcome.ok()) {
        CHECK(welcome->least_token() >= last_tokens_[device->name]);
      }
    } else if (status.ok()) {
      status = dispatcher_->Beat(*book_, device->name, message.heartbeat(),
                                 device.get(), now_);
    }
    if (status.ok()) return;
    CheckRefusal(status);
    device->closed = true;
  }

  void EndDevice(Input& input) {
    if (devices_.empty()) return;
    const int i = input.Of(static_cast<int>(devices_.size()));
    const auto device = devices_[i];
    devices_.erase(devices_.begin() + i);
    device->closed = true;
    dispatcher_->Disconnect(*book_, device->name, device.get(),
                            /*leaves=*/input.Of(2) == 1, now_);
  }

  void Acquire(Input& input) {
    AcquireRequest request;
    if (input.Of(4) == 0) {
      if (!request.ParseFromString(input.Text())) return;
    } else {
      request.set_key(kKeys[input.Of(2)]);
      request.set_ticket(kTickets[input.Of(6)]);
      request.set_priority(input.Of(4));
      request.set_wait_seconds(input.Of(40));
    }
    const absl::Status checked = CheckAcquire(request);
    if (!checked.ok()) return CheckRefusal(checked);
    // The tracker draws one.
    if (request.ticket().empty()) request.set_ticket("drawn");
    auto wait = std::make_shared<FakeWait>();
    wait->user = kUsers[input.Of(2)];
    wait->ticket = request.ticket();
    waits_.push_back(wait);
    const absl::Status status =
        dispatcher_->Acquire(*book_, request, wait->user, wait, now_);
    if (status.ok()) return;
    CheckRefusal(status);
    wait->closed = true;
  }

  void EndWait(Input& input) {
    if (waits_.empty()) return;
    FakeWait& wait = *waits_[input.Of(static_cast<int>(waits_.size()))];
    if (input.Of(2) == 0) {
      wait.gone = true;
    } else {
      Leave(wait);
    }
  }
  void Leave(FakeWait& wait) {
    wait.closed = true;
    dispatcher_->Leave(*book_, wait.ticket, &wait, now_);
  }

  void Withdraw(Input& input) {
    WithdrawRequest request;
    if (input.Of(4) == 0) {
      if (!request.ParseFromString(input.Text())) return;
    } else {
      request.set_ticket(kTickets[input.Of(6)]);
    }
    absl::Status status = CheckWithdraw(request);
    if (status.ok()) {
      status = book_->Cancel(kUsers[input.Of(2)], request.ticket(), now_);
    }
    if (!status.ok()) CheckRefusal(status);
  }

  // Returns the name of a lease, which need not exist.
  LeaseName NameOf(Input& input) {
    LeaseName name;
    if (input.Of(4) == 0) {
      name.ParseFromString(input.Text());
    } else {
      name.set_device(kDevices[input.Of(4)]);
      const int64_t last = last_tokens_[name.device()];
      name.set_token(input.Of(3) == 0 ? input.Number() : last);
    }
    return name;
  }

  void Renew(Input& input) {
    const LeaseName name = NameOf(input);
    const absl::Status checked = CheckLeaseName(name);
    if (!checked.ok()) return CheckRefusal(checked);
    const auto lease =
        dispatcher_->Renew(*book_, kUsers[input.Of(2)], name.token(), now_);
    if (!lease.ok()) return CheckRefusal(lease.status());
    CHECK(ReadLease(*lease).ok());
  }
  void Release(Input& input) {
    const LeaseName name = NameOf(input);
    absl::Status status = CheckLeaseName(name);
    if (status.ok()) {
      status = book_->Release(kUsers[input.Of(2)], name.token(), now_);
    }
    if (!status.ok()) CheckRefusal(status);
  }

  void Quarantine(Input& input) {
    QuarantineRequest request;
    if (input.Of(4) == 0) {
      if (!request.ParseFromString(input.Text())) return;
    } else {
      request.set_device(kDevices[input.Of(4)]);
      request.set_reason(Utf8(input));
    }
    absl::Status status = CheckQuarantine(request);
    if (status.ok()) status = dispatcher_->Quarantine(*book_, request, now_);
    if (!status.ok()) CheckRefusal(status);
  }

  void CheckList() {
    const auto list = dispatcher_->List(*book_, now_);
    const std::string bytes = list->SerializeAsString();
    CHECK(bytes.size() <= static_cast<size_t>(kMaxMessageBytes));
    ListAnswer read;
    CHECK(read.ParseFromString(bytes));
    CHECK(read.devices_size() <= SmallLimits().max_devices &&
          read.queue_size() <= SmallLimits().max_requests);
    for (const char c : ListText(read)) {
      CHECK(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
    }
    CHECK(!ListJson(read).empty());
  }

  // A text as Protobuf admits it.
  static std::string Utf8(Input& input) {
    std::string text = input.Text().substr(0, 40);
    for (char& c : text) c = static_cast<char>(c & 0x7f);
    return text;
  }

  int64_t now_ = kSecond;
  std::unique_ptr<tracker::LeaseBook> book_;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::vector<std::shared_ptr<FakeDevice>> devices_;
  std::vector<std::shared_ptr<FakeWait>> waits_;
  std::map<std::string, tracker::Lease> holders_;  // by device
  std::map<std::string, int64_t> last_tokens_;     // by device
};

}  // namespace
}  // namespace assay::rpc

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // As in the programs: a line for each text that is not UTF-8 is too much.
  static auto* const unused = google::protobuf::SetLogHandler(nullptr);
  (void)unused;
  assay::fuzz::Input input(data, size);
  assay::rpc::Farm farm;
  while (!input.AtEnd()) farm.Step(input);
  farm.Finish();
  return 0;
}
