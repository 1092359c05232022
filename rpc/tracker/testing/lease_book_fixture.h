// LeaseBookFixture: a test fixture with a LeaseBook, a clock in seconds, and
// devices that send heartbeats.
//
//   At(3);                                  // three seconds after the start
//   Add("a");
//   Ask("t1", "ann");
//   EXPECT_THAT(Advance(),
//               ElementsAre("lease 1 of `a` granted to `ann` for `t1`"));
#ifndef ASSAY_RPC_TRACKER_TESTING_LEASE_BOOK_FIXTURE_H_
#define ASSAY_RPC_TRACKER_TESTING_LEASE_BOOK_FIXTURE_H_

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "rpc/tracker/lease_book.h"
#include "rpc/tracker/lease_options.h"
#include "rpc/tracker/records.h"

namespace assay::rpc::tracker {

class LeaseBookFixture : public ::testing::Test {
 protected:
  static constexpr int64_t kSecond = 1'000'000'000;
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

  // Returns the options of the book: leases last 10 s with a margin of 2 s,
  // devices are lost after 5 s, detached requests end after 30 s, places are
  // reported each second, and a batch has 100 tokens. There are at most 5
  // requests, 3 requests of a user, and 3 devices.
  static LeaseOptions Options();

  LeaseBookFixture();

  // Sets the time. All devices that Add() has added send a heartbeat.
  void At(int64_t seconds);

  void Add(const std::string& id, const std::string& key = "rpi3b");

  absl::Status Enqueue(const std::string& ticket, const std::string& user,
                       const std::string& key = "rpi3b", int64_t priority = 0);
  // Expects that Enqueue() succeeds.
  void Ask(const std::string& ticket, const std::string& user,
           const std::string& key = "rpi3b", int64_t priority = 0);

  // Returns all events but those of tokens and of the use of devices.
  std::vector<std::string> AdvanceAll();
  // Returns the events that grant or end a lease, or end a request.
  std::vector<std::string> Advance();
  // Returns the ends of the tokens that are wanted.
  std::vector<int64_t> TokensWantedNow();

  absl::StatusOr<Lease> Renew(const std::string& user, int64_t token);
  void Release(const std::string& user, int64_t token);

  // Returns the name of the state of a device, or `unknown`.
  std::string State(const std::string& id);

  // Restarts the machine of the tracker, whose clock then shows 7000 seconds
  // more.
  void Restart();
  // Restarts the tracker at once.
  void RestartNow();
  void RestartWith(const BookState& state);

  int64_t now_ = 0;
  std::set<std::string> alive_;
  std::map<std::string, Lease> leases_;  // granted by Advance(), by ticket
  LeaseBook book_;
};

}  // namespace assay::rpc::tracker

#endif  // ASSAY_RPC_TRACKER_TESTING_LEASE_BOOK_FIXTURE_H_
