// Random runs of a LeaseBook with users, devices, losses and restarts. After
// every step, the rules of the tracker and the stored state are checked.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "rpc/tracker/book_snapshot.h"
#include "rpc/tracker/book_state.h"
#include "rpc/tracker/events.h"
#include "rpc/tracker/lease_book.h"
#include "rpc/tracker/lease_options.h"
#include "rpc/tracker/records.h"
#include "runtime/base/random.h"

namespace assay::rpc::tracker {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// What a store keeps of the events (events.h).
struct Store {
  std::map<std::string, DeviceRecord> devices = {};
  std::map<int64_t, Lease> leases = {};      // by token
  std::map<int64_t, Request> requests = {};  // by order number
  std::map<std::pair<std::string, int64_t>, int64_t> usage = {};
  int64_t reserved_tokens = 0;

  void RemoveRequest(const std::string& ticket) {
    for (auto request = requests.begin(); request != requests.end();) {
      request = request->second.ticket == ticket ? requests.erase(request)
                                                 : std::next(request);
    }
  }

  void SetUsage(const UsageRecord& record) {
    usage[{record.user, record.minute}] = record.nanos;
  }

  void Apply(const Event& event) {
    if (const auto* queued = std::get_if<RequestQueued>(&event)) {
      requests[queued->request.order] = queued->request;
    } else if (const auto* ended = std::get_if<RequestEnded>(&event)) {
      RemoveRequest(ended->request.ticket);
    } else if (const auto* granted = std::get_if<LeaseGranted>(&event)) {
      RemoveRequest(granted->lease.ticket);
      leases[granted->lease.token] = granted->lease;
    } else if (const auto* kept = std::get_if<LeaseContinues>(&event)) {
      leases[kept->lease.token] = kept->lease;
    } else if (const auto* lease = std::get_if<LeaseEnded>(&event)) {
      leases.erase(lease->lease.token);
    } else if (const auto* device = std::get_if<DeviceChanged>(&event)) {
      devices[device->record.device] = device->record;
    } else if (const auto* removed = std::get_if<DeviceRemoved>(&event)) {
      devices.erase(removed->device);
    } else if (const auto* used = std::get_if<UsageChanged>(&event)) {
      SetUsage(used->record);
    } else if (const auto* tokens = std::get_if<TokensWanted>(&event)) {
      reserved_tokens = tokens->until;
    }
  }

  BookState State() const {
    BookState state;
    for (const auto& [id, device] : devices) state.devices.push_back(device);
    for (const auto& [token, lease] : leases) state.leases.push_back(lease);
    for (const auto& [order, request] : requests) {
      state.requests.push_back(request);
    }
    for (const auto& [place, nanos] : usage) {
      state.usage.push_back({place.first, place.second, nanos});
    }
    state.reserved_tokens = reserved_tokens;
    return state;
  }
};

// Returns the state as text, without the use of devices.
std::string StateText(BookState state) {
  std::string text = absl::StrCat("tokens ", state.reserved_tokens, "\n");
  for (const DeviceRecord& device : state.devices) {
    absl::StrAppend(&text, "device ", device.device, " ", device.key, " ",
                    device.quarantine, "\n");
  }
  std::sort(state.leases.begin(), state.leases.end(),
            [](const Lease& a, const Lease& b) { return a.token < b.token; });
  for (const Lease& lease : state.leases) {
    absl::StrAppend(&text, "lease ", lease.token, " ", lease.device, " ",
                    lease.key, " ", lease.user, " ", lease.ticket, " ",
                    lease.restart_nanos, "\n");
  }
  for (const Request& request : state.requests) {
    absl::StrAppend(&text, "request ", request.order, " ", request.ticket, " ",
                    request.user, " ", request.key, " ", request.priority,
                    "\n");
  }
  return text;
}

LeaseOptions Options() {
  LeaseOptions options;
  options.lease_nanos = 10 * kSecond;
  options.margin_nanos = 2 * kSecond;
  options.lost_nanos = 5 * kSecond;
  options.detached_nanos = 20 * kSecond;
  options.token_batch = 40;
  return options;
}

class Simulation {
 public:
  explicit Simulation(uint64_t seed) : rng_(seed), book_(Options()) {
    for (int i = 0; i < 9; ++i) Register(absl::StrCat("device", i));
    Advance();
  }

  // Numbers of things that have happened.
  struct Counts {
    int64_t granted = 0;
    int64_t released = 0;
    int64_t expired = 0;
    int64_t lost = 0;
    int64_t quarantined = 0;
    int64_t timed_out = 0;
    int64_t renewed = 0;
    int64_t moved = 0;
    int64_t restarts = 0;
  };
  const Counts& counts() const { return counts_; }

  void Step() {
    if (Draw(10) == 0) Wait();
    now_ += rng_.UniformInt(0, 3 * kSecond / 2);
    for (const std::string& device : online_) {
      EXPECT_TRUE(book_.Heartbeat(device, "", Time()).ok()) << device;
    }
    const int64_t action = Draw(200);
    if (action < 80) {
      Ask();
    } else if (action < 90) {
      AskAgain();
    } else if (action < 95 && !store_.requests.empty()) {
      book_.Detach(AnyOf(store_.requests).ticket, Time());
    } else if (action < 98 && !store_.requests.empty()) {
      const Request request = AnyOf(store_.requests);
      Cancel(request.user, request.ticket);
    } else if (action < 100 && !store_.leases.empty()) {
      const Lease lease = AnyOf(store_.leases);
      Cancel(lease.user, lease.ticket);
    } else if (action < 140) {
      Renew();
    } else if (action < 175 && !store_.leases.empty()) {
      const Lease lease = AnyOf(store_.leases);
      EXPECT_TRUE(book_.Release(lease.user, lease.token, Time()).ok());
    } else if (action < 180) {
      online_.erase(AnyDevice());  // sends no heartbeats any more
    } else if (action < 182) {
      const std::string device = AnyDevice();
      online_.erase(device);
      EXPECT_TRUE(book_.LoseDevice(device, Time()).ok());
    } else if (action < 194) {
      Register(AnyDevice());
    } else if (action < 199) {
      const std::string reason = Draw(3) == 0 ? "slow" : "";
      EXPECT_TRUE(book_.SetQuarantine(AnyDevice(), reason, Time()).ok());
    } else {
      Restart();
    }
    Advance();
  }

 private:
  // A lease as the clients see it.
  struct Held {
    Lease lease = {};
    int64_t since_nanos = 0;    // by now_
    int64_t expires_nanos = 0;  // by now_
    // The first restart since the last renewal by now_, or -1.
    int64_t restart_nanos = -1;
  };

  // The clock of the tracker. It starts anew with each restart of its machine.
  int64_t Time() const { return now_ + clock_offset_; }

  int64_t Draw(int64_t n) { return rng_.UniformInt(0, n - 1); }
  std::string AnyDevice() { return absl::StrCat("device", Draw(9)); }

  template <typename Value>
  Value AnyOf(const std::map<int64_t, Value>& values) {
    auto value = values.begin();
    std::advance(value, Draw(static_cast<int64_t>(values.size())));
    return value->second;
  }

  void Register(const std::string& device) {
    // device0, device3 and device6 have the same key.
    const std::string key = absl::StrCat("key", (device.back() - '0') % 3);
    EXPECT_TRUE(book_.AddDevice(device, key, Time()).ok()) << device;
    registered_.insert(device);
    online_.insert(device);
  }

  void Ask() {
    const Request request = {
        absl::StrCat("t", ++tickets_), absl::StrCat("user", Draw(4)),
        absl::StrCat("key", Draw(3)), Draw(4) == 0 ? 1 : 0, 0};
    const int64_t deadline = Time() + rng_.UniformInt(1, 120) * kSecond;
    EXPECT_TRUE(book_.Enqueue(request, deadline, Time()).ok());
  }

  // Asks with the ticket of a request or of a lease.
  void AskAgain() {
    const int64_t deadline = Time() + 60 * kSecond;
    if (Draw(2) == 0 && !store_.requests.empty()) {
      EXPECT_TRUE(book_.Enqueue(AnyOf(store_.requests), deadline, Time()).ok());
    } else if (!store_.leases.empty()) {
      const Held held = NewestWithTicket(AnyOf(store_.leases).ticket);
      const Lease& lease = held.lease;
      const bool unavailable = now_ < held.expires_nanos &&
                               registered_.count(lease.device) == 0 &&
                               !IsWaiting(lease.ticket);
      const Request request = {lease.ticket, lease.user, lease.key, 0, 0};
      const absl::Status status = book_.Enqueue(request, deadline, Time());
      EXPECT_EQ(status.code(), unavailable ? absl::StatusCode::kUnavailable
                                           : absl::StatusCode::kOk)
          << status;
    }
  }

  bool IsWaiting(const std::string& ticket) const {
    for (const auto& [order, request] : store_.requests) {
      if (request.ticket == ticket) return true;
    }
    return false;
  }

  // A ticket has two leases if it was granted again after an expired lease.
  Held NewestWithTicket(const std::string& ticket) const {
    Held newest;
    for (const auto& [token, held] : held_) {
      if (held.lease.ticket == ticket) newest = held;
    }
    return newest;
  }

  void Cancel(const std::string& user, const std::string& ticket) {
    const absl::Status status = book_.Cancel(user, ticket, Time());
    EXPECT_TRUE(status.ok()) << status;
  }

  // Renews one of the latest leases, which may have ended.
  void Renew() {
    if (granted_.empty()) return;
    const int64_t size = static_cast<int64_t>(granted_.size());
    const Lease lease = granted_[size - 1 - Draw(std::min<int64_t>(size, 20))];
    const absl::StatusOr<Lease> renewed =
        book_.Renew(lease.user, lease.token, Time());
    const auto held = held_.find(lease.token);
    if (held == held_.end() || now_ >= held->second.expires_nanos) {
      EXPECT_EQ(renewed.status().code(), absl::StatusCode::kAborted)
          << renewed.status();
    } else if (registered_.count(lease.device) == 0) {
      EXPECT_EQ(renewed.status().code(), absl::StatusCode::kUnavailable)
          << renewed.status();
    } else {
      ASSERT_TRUE(renewed.ok()) << renewed.status();
      EXPECT_EQ(renewed->expires_nanos, Time() + Options().lease_nanos);
      held->second.expires_nanos = now_ + Options().lease_nanos;
      held->second.restart_nanos = -1;
      ++counts_.renewed;
    }
  }

  // Waits until shortly before the next event. Nothing may happen until then.
  void Wait() {
    const int64_t wait = book_.NextEventNanos() - 1 - Time();
    now_ += std::min(wait, 2 * kSecond);
    for (const Event& event : book_.Advance(Time())) {
      ADD_FAILURE() << "unexpected: " << EventText(event);
    }
  }

  void Restart() {
    BookState state = book_.State(Time());
    const bool machine = Draw(2) == 0;
    if (machine) {
      clock_offset_ = rng_.UniformInt(0, 1'000'000 * kSecond) - now_;
      for (Lease& lease : state.leases) lease.restart_nanos = 0;
    }
    absl::StatusOr<LeaseBook> book =
        LeaseBook::Restore(Options(), state, Time());
    ASSERT_TRUE(book.ok()) << book.status();
    book_ = *std::move(book);
    online_.clear();
    registered_.clear();
    for (auto& [token, held] : held_) {
      if (machine || held.restart_nanos < 0) held.restart_nanos = now_;
      held.expires_nanos = held.restart_nanos + Options().lease_nanos;
    }
    ++counts_.restarts;
    Advance();
    for (int i = 0; i < 9; ++i) {
      if (Draw(4) > 0) Register(absl::StrCat("device", i));
    }
  }

  void Advance() {
    std::vector<Request> served;
    for (const Event& event : book_.Advance(Time())) {
      if (const auto* granted = std::get_if<LeaseGranted>(&event)) {
        Grant(granted->lease, served);
      } else if (const auto* ended = std::get_if<LeaseEnded>(&event)) {
        End(*ended);
      } else if (const auto* request = std::get_if<RequestEnded>(&event)) {
        if (request->reason == RequestEnd::kTimedOut) ++counts_.timed_out;
      } else if (std::holds_alternative<RequestMoved>(event)) {
        ++counts_.moved;
      }
      store_.Apply(event);
    }
    book_.ConfirmTokens(store_.reserved_tokens);
    CheckQueue(served);
    CheckState();
  }

  void Grant(const Lease& lease, std::vector<Request>& served) {
    const auto held = held_.find(lease.token);
    if (held != held_.end()) {
      // The client has asked again.
      EXPECT_EQ(lease.device, held->second.lease.device);
      held->second.expires_nanos = now_ + Options().lease_nanos;
      held->second.restart_nanos = -1;
      return;
    }
    EXPECT_EQ(token_of_device_.count(lease.device), 0u)
        << lease.device << " has two leases";
    EXPECT_GT(lease.token, last_token_[lease.device]);
    EXPECT_EQ(lease.granted_nanos, Time());
    EXPECT_EQ(lease.expires_nanos, Time() + Options().lease_nanos);
    token_of_device_[lease.device] = lease.token;
    last_token_[lease.device] = lease.token;
    held_[lease.token] = {lease, now_, now_ + Options().lease_nanos};
    granted_.push_back(lease);
    for (const auto& [order, request] : store_.requests) {
      if (request.ticket == lease.ticket) served.push_back(request);
    }
    ++counts_.granted;
  }

  void End(const LeaseEnded& ended) {
    const Lease& lease = ended.lease;
    EXPECT_EQ(token_of_device_[lease.device], lease.token);
    token_of_device_.erase(lease.device);
    const Held& held = held_.at(lease.token);
    used_nanos_ += now_ - held.since_nanos;
    switch (ended.reason) {
      case LeaseEnd::kReleased:
        ++counts_.released;
        break;
      case LeaseEnd::kExpired:
        EXPECT_GE(now_, held.expires_nanos + Options().margin_nanos);
        ++counts_.expired;
        break;
      case LeaseEnd::kDeviceLost:
        ++counts_.lost;
        break;
      case LeaseEnd::kQuarantined:
        ++counts_.quarantined;
        break;
    }
    held_.erase(lease.token);
  }

  // Checks the devices, and that the `served` requests came before those that
  // still wait.
  void CheckQueue(const std::vector<Request>& served) {
    const BookSnapshot snapshot = book_.Snapshot(Time());
    for (const auto& device : snapshot.devices) {
      const auto token = token_of_device_.find(device.device);
      EXPECT_EQ(device.lease.has_value(), token != token_of_device_.end());
      if (device.lease && token != token_of_device_.end()) {
        EXPECT_EQ(device.lease->token, token->second);
        // Only a device that was leased before a restart can be lost.
        EXPECT_EQ(device.state == DeviceState::kLeased,
                  registered_.count(device.device) == 1);
      }
      EXPECT_EQ(
          device.state == DeviceState::kQuarantined,
          device.state != DeviceState::kLost && !device.quarantine.empty());
    }
    std::set<std::string> free_keys;
    for (const auto& key : snapshot.keys) {
      if (key.free > 0) free_keys.insert(key.key);
    }
    for (const auto& waiting : snapshot.queue) {
      if (waiting.place == 0) continue;
      const Request& request = waiting.request;
      EXPECT_EQ(free_keys.count(request.key), 0u)
          << request.ticket << " waits while a device is free";
      for (const Request& first : served) {
        if (first.key != request.key) continue;
        EXPECT_GE(first.priority, request.priority) << request.ticket;
        if (first.priority == request.priority && first.user == request.user) {
          EXPECT_LT(first.order, request.order) << request.ticket;
        }
      }
    }
    EXPECT_GT(book_.NextEventNanos(), Time());
  }

  // Checks that the events are enough to restore the state, and that the use
  // of devices adds up to the duration of all leases.
  void CheckState() {
    const BookState state = book_.State(Time());
    EXPECT_EQ(StateText(store_.State()), StateText(state));
    for (const UsageRecord& record : state.usage) store_.SetUsage(record);
    int64_t sum = 0;
    for (const auto& [place, nanos] : store_.usage) sum += nanos;
    int64_t expected = used_nanos_;
    for (const auto& [token, held] : held_) expected += now_ - held.since_nanos;
    EXPECT_EQ(sum, expected);
  }

  Rng rng_;
  LeaseBook book_;
  Store store_;
  int64_t now_ = 0;
  int64_t clock_offset_ = 0;
  int64_t tickets_ = 0;
  int64_t used_nanos_ = 0;        // duration of all leases that have ended
  std::set<std::string> online_;  // devices that send heartbeats
  std::set<std::string> registered_;
  std::vector<Lease> granted_;
  std::map<int64_t, Held> held_;  // by token
  std::map<std::string, int64_t> token_of_device_;
  std::map<std::string, int64_t> last_token_;  // by device
  Counts counts_;
};

TEST(LeaseBookSimulationTest, RandomRunObeysAllRules) {
  constexpr uint64_t kSeed = 18;
  Simulation simulation(kSeed);
  for (int step = 0; step < 10'000; ++step) {
    simulation.Step();
    ASSERT_FALSE(::testing::Test::HasFailure())
        << "in step " << step << " with the seed " << kSeed;
  }
  const Simulation::Counts& counts = simulation.counts();
  EXPECT_GT(counts.granted, 1000);
  EXPECT_GT(counts.released, 500);
  EXPECT_GT(counts.expired, 50);
  EXPECT_GT(counts.lost, 20);
  EXPECT_GT(counts.quarantined, 20);
  EXPECT_GT(counts.timed_out, 100);
  EXPECT_GT(counts.renewed, 100);
  EXPECT_GT(counts.moved, 1000);
  EXPECT_GT(counts.restarts, 10);
}

// Three users who always have requests share eight devices for two hours. Their
// leases have different durations.
TEST(LeaseBookSimulationTest, GreedyUsersHaveEqualShares) {
  constexpr int64_t kHours = 2;
  const std::vector<std::string> users = {"ann", "bob", "eve"};
  const std::map<std::string, int64_t> longest = {
      {"ann", 15}, {"bob", 60}, {"eve", 180}};
  Rng rng(7);
  LeaseBook book(Options());
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(book.AddDevice(absl::StrCat("device", i), "key", 0).ok());
  }
  int64_t tickets = 0;
  std::map<std::string, int64_t> waiting;             // by user
  std::map<std::string, int64_t> used;                // by user
  std::map<int64_t, std::pair<Lease, int64_t>> ends;  // by token
  const int64_t end = kHours * 3600 * kSecond;
  for (int64_t now = 0; now <= end; now += kSecond) {
    for (int i = 0; i < 8; ++i) {
      ASSERT_TRUE(book.Heartbeat(absl::StrCat("device", i), "", now).ok());
    }
    for (const std::string& user : users) {
      for (; waiting[user] < 10; ++waiting[user]) {
        const Request request = {absl::StrCat("t", ++tickets), user, "key", 0,
                                 0};
        ASSERT_TRUE(book.Enqueue(request, now + end, now).ok());
      }
    }
    for (const auto& [token, lease_and_end] : ends) {
      const auto& [lease, end_of_lease] = lease_and_end;
      const absl::Status status =
          now < end_of_lease ? book.Renew(lease.user, token, now).status()
                             : book.Release(lease.user, token, now);
      ASSERT_TRUE(status.ok()) << status;
    }
    for (const Event& event : book.Advance(now)) {
      if (const auto* tokens = std::get_if<TokensWanted>(&event)) {
        book.ConfirmTokens(tokens->until);
      } else if (const auto* granted = std::get_if<LeaseGranted>(&event)) {
        const Lease& lease = granted->lease;
        const int64_t seconds = rng.UniformInt(5, longest.at(lease.user));
        ends[lease.token] = {lease, now + seconds * kSecond};
        --waiting[lease.user];
      } else if (const auto* ended = std::get_if<LeaseEnded>(&event)) {
        used[ended->lease.user] += now - ended->lease.granted_nanos;
        ends.erase(ended->lease.token);
      }
    }
  }
  for (const auto& [token, lease_and_end] : ends) {
    used[lease_and_end.first.user] += end - lease_and_end.first.granted_nanos;
  }
  const double fair = static_cast<double>(8 * end) / 3;
  for (const std::string& user : users) {
    EXPECT_NEAR(static_cast<double>(used[user]), fair, 0.1 * fair) << user;
  }
}

}  // namespace
}  // namespace assay::rpc::tracker
