#include "rpc/tracker/state_store.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "rpc/tracker/book_state.h"
#include "rpc/tracker/events.h"
#include "rpc/tracker/records.h"
#include "runtime/base/file.h"
#include "runtime/sqlite/sqlite.h"

namespace assay::rpc::tracker {
namespace {

Lease SomeLease(int64_t token, const std::string& device) {
  Lease lease;
  lease.token = token;
  lease.device = device;
  lease.key = "rpi3b";
  lease.user = "ann";
  lease.ticket = absl::StrCat("ticket-", token);
  return lease;
}

// The state in one text, for comparison.
std::string Text(const BookState& state) {
  std::string text = absl::StrCat("tokens ", state.reserved_tokens, "\n");
  for (const DeviceRecord& d : state.devices) {
    absl::StrAppend(&text, "device ", d.device, " ", d.key, " [", d.quarantine,
                    "]\n");
  }
  for (const Lease& l : state.leases) {
    absl::StrAppend(
        &text, "lease ", l.token, " ", l.device, " ", l.key, " ", l.user, " ",
        l.ticket,
        l.restart_nanos == 0 ? "" : absl::StrCat(" since ", l.restart_nanos),
        "\n");
  }
  for (const Request& r : state.requests) {
    absl::StrAppend(&text, "request ", r.ticket, " ", r.user, " ", r.key, " ",
                    r.priority, " ", r.order, "\n");
  }
  for (const UsageRecord& u : state.usage) {
    absl::StrAppend(&text, "usage ", u.user, " ", u.minute, " ", u.nanos, "\n");
  }
  return text;
}

class StateStoreTest : public testing::Test {
 protected:
  StateStoreTest() { Reopen(); }

  void Reopen() {
    store_.reset();
    auto store = StateStore::Open(path_);
    ASSERT_TRUE(store.ok()) << store.status();
    store_.emplace(*std::move(store));
  }

  void Apply(const std::vector<Event>& events) {
    const absl::Status status = store_->Apply(events);
    ASSERT_TRUE(status.ok()) << status;
  }

  std::string Stored() {
    const auto state = store_->Load();
    return state.ok() ? Text(*state) : std::string(state.status().message());
  }

  const TempDir dir_ = *TempDir::Create();
  const std::string path_ = JoinPath(dir_.path(), "tracker.sqlite");
  std::optional<StateStore> store_;
};

TEST_F(StateStoreTest, RestartsOfLeasesAreStored) {
  Lease lease = SomeLease(7, "rack1-1");
  Apply({TokensWanted{1000}, LeaseGranted{lease}});
  lease.restart_nanos = 81;
  Apply({LeaseContinues{lease}});
  Reopen();
  const std::string stored = "tokens 1000\nlease 7 rack1-1 rpi3b ann ticket-7";
  EXPECT_EQ(Stored(), stored + " since 81\n");
  {
    // As if the machine had been started again.
    store_.reset();
    auto database = *runtime::Database::Open(path_);
    ASSERT_TRUE(database.Execute("UPDATE restarts SET boot = 'other'").ok());
  }
  Reopen();
  EXPECT_EQ(Stored(), stored + "\n");
  Apply({LeaseContinues{lease}});
  EXPECT_EQ(Stored(), stored + " since 81\n");
  lease.restart_nanos = 0;
  Apply({LeaseContinues{lease}});
  EXPECT_EQ(Stored(), stored + "\n");
  lease.restart_nanos = 82;
  Apply({LeaseContinues{lease}, LeaseEnded{lease, LeaseEnd::kExpired},
         LeaseGranted{SomeLease(7, "rack1-1")}});
  EXPECT_EQ(Stored(), stored + "\n");
}

TEST_F(StateStoreTest, EventsChangeTheState) {
  EXPECT_EQ(Stored(), "tokens 0\n");
  Apply({TokensWanted{1000},
         DeviceChanged{{"rack1-1", "rpi3b", ""}, DeviceState::kFree},
         DeviceChanged{{"rack1-2", "rpi3b", ""}, DeviceState::kFree},
         RequestQueued{{"ticket-7", "ann", "rpi3b", 5, 1}},
         RequestQueued{{"ticket-8", "ben", "rpi3b", 0, 2}},
         RequestQueued{{"ticket-9", "eve", "rpi3b", 0, 3}},
         RequestMoved{{"ticket-8", "ben", "rpi3b", 0, 2}, 1, 0},
         LeaseGranted{SomeLease(7, "rack1-1")}, UsageChanged{{"ann", 3, 5}},
         UsageChanged{{"ann", 3, 60}}});
  EXPECT_EQ(Stored(),
            "tokens 1000\n"
            "device rack1-1 rpi3b []\n"
            "device rack1-2 rpi3b []\n"
            "lease 7 rack1-1 rpi3b ann ticket-7\n"
            "request ticket-8 ben rpi3b 0 2\n"
            "request ticket-9 eve rpi3b 0 3\n"
            "usage ann 3 60\n");
  Apply(
      {LeaseEnded{SomeLease(7, "rack1-1"), LeaseEnd::kExpired},
       RequestEnded{{"ticket-9", "eve", "rpi3b", 0, 3}, RequestEnd::kCancelled},
       DeviceChanged{{"rack1-1", "rpi3b", "hot"}, DeviceState::kQuarantined},
       DeviceRemoved{"rack1-2"}, UsageChanged{{"ben", 63, 1}}});
  Reopen();
  EXPECT_EQ(Stored(),
            "tokens 1000\n"
            "device rack1-1 rpi3b [hot]\n"
            "request ticket-8 ben rpi3b 0 2\n"
            "usage ben 63 1\n");
}

// Each process is killed right after a call of Apply().
TEST_F(StateStoreTest, KilledProcessLosesNothing) {
  store_.reset();
  for (int64_t token = 1; token <= 20; ++token) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto store = StateStore::Open(path_);
      if (!store.ok() || !store
                              ->Apply({LeaseGranted{SomeLease(
                                  token, absl::StrCat("board-", token))}})
                              .ok()) {
        _exit(1);
      }
      kill(getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
  }
  Reopen();
  const auto state = store_->Load();
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(state->leases.size(), 20u);
}

TEST_F(StateStoreTest, FailedCallStoresNothing) {
  store_.reset();
  {
    auto database = runtime::Database::Open(path_);
    ASSERT_TRUE(database.ok());
    const absl::Status status = database->Execute(
        "CREATE TRIGGER refuse BEFORE INSERT ON leases WHEN NEW.token = 13 "
        "BEGIN SELECT RAISE(ABORT, 'refused'); END");
    ASSERT_TRUE(status.ok()) << status;
  }
  Reopen();
  Apply({TokensWanted{1000}});
  const Event queued = RequestQueued{{"ticket-8", "ben", "rpi3b", 0, 2}};
  EXPECT_FALSE(store_
                   ->Apply({TokensWanted{2000}, queued,
                            LeaseGranted{SomeLease(13, "rack1-1")}})
                   .ok());
  EXPECT_EQ(Stored(), "tokens 1000\n");
  Apply({queued});
  Reopen();
  EXPECT_EQ(Stored(), "tokens 1000\nrequest ticket-8 ben rpi3b 0 2\n");
}

TEST_F(StateStoreTest, RejectsNewerVersions) {
  store_.reset();
  {
    auto database = runtime::Database::Open(path_);
    ASSERT_TRUE(database.ok());
    ASSERT_TRUE(database->Execute("PRAGMA user_version = 9").ok());
  }
  EXPECT_EQ(StateStore::Open(path_).status().message(),
            absl::StrCat("`", path_,
                         "` has version 9, but this program reads version 1"));
}

TEST_F(StateStoreTest, RejectsOtherFiles) {
  const std::string path = JoinPath(dir_.path(), "other");
  ASSERT_TRUE(WriteFileAtomic(path, std::string(4096, 'x')).ok());
  const absl::Status status = StateStore::Open(path).status();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_NE(status.message().find(path), std::string::npos);
}

}  // namespace
}  // namespace assay::rpc::tracker
