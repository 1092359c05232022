#include "rpc/tracker/book_state.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/tracker/records.h"

namespace assay::rpc::tracker {
namespace {

using ::testing::HasSubstr;

BookState ValidState() {
  BookState state;
  state.devices = {{"a", "pynq", ""}, {"b", "rpi3b", "slow"}};
  Lease lease;
  lease.token = 5;
  lease.device = "a";
  lease.key = "pynq";
  lease.user = "ann";
  lease.ticket = "t1";
  state.leases = {lease};
  state.requests = {{"t2", "ann", "pynq", 0, 7}, {"t3", "bob", "pynq", 0, 8}};
  state.usage = {{"ann", 3, 1000}};
  state.reserved_tokens = 5;
  return state;
}

void ExpectInvalid(const BookState& state, const std::string& message) {
  const absl::Status status = ValidateState(state);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << message;
  EXPECT_THAT(std::string(status.message()), HasSubstr(message));
}

TEST(BookStateTest, AcceptsEmptyAndValidStates) {
  EXPECT_TRUE(ValidateState(BookState()).ok());
  const absl::Status status = ValidateState(ValidState());
  EXPECT_TRUE(status.ok()) << status;
}

TEST(BookStateTest, RejectsInvalidDevices) {
  BookState state = ValidState();
  state.devices[1].device = "";
  ExpectInvalid(state, "one of both is empty");
  state = ValidState();
  state.devices[1].key = "";
  ExpectInvalid(state, "device `b` has the key ``");
  state = ValidState();
  state.devices[1].device = "a";
  ExpectInvalid(state, "device `a` twice");
}

TEST(BookStateTest, RejectsInvalidLeases) {
  BookState state = ValidState();
  state.leases[0].token = 0;
  ExpectInvalid(state, "lease 0 of `a` is not reserved");
  state = ValidState();
  state.reserved_tokens = 4;
  ExpectInvalid(state, "lease 5 of `a` is not reserved");
  state = ValidState();
  state.leases[0].device = "c";
  ExpectInvalid(state, "unknown device `c`");
  state = ValidState();
  state.leases[0].user = "";
  ExpectInvalid(state, "lease 5 has no user");
  state = ValidState();
  state.leases.push_back(state.leases[0]);
  ExpectInvalid(state, "device `a` has two leases");
  state = ValidState();
  state.leases.push_back(state.leases[0]);
  state.leases[1].device = "b";
  ExpectInvalid(state, "two leases have the token 5");
}

TEST(BookStateTest, RejectsInvalidRequests) {
  BookState state = ValidState();
  state.requests[0].key = "";
  ExpectInvalid(state, "request `t2` has no ticket, user or key");
  state = ValidState();
  state.requests[0].order = 0;
  ExpectInvalid(state, "request `t2` has the order number 0");
  state = ValidState();
  state.requests[1].ticket = "t2";
  ExpectInvalid(state, "request `t2` twice");
  state = ValidState();
  state.requests[1].order = 7;
  ExpectInvalid(state, "two requests have the order number 7");
}

TEST(BookStateTest, RejectsInvalidNumbers) {
  BookState state = ValidState();
  state.usage[0].nanos = -1;
  ExpectInvalid(state, "user `ann` has used -1 ns in minute 3");
  state = ValidState();
  state.usage[0].minute = -2;
  ExpectInvalid(state, "minute -2");
  state = BookState();
  state.reserved_tokens = -1;
  ExpectInvalid(state, "it has -1 reserved tokens");
}

// Sums with larger numbers could overflow.
TEST(BookStateTest, RejectsHugeNumbers) {
  constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();
  BookState state = ValidState();
  state.usage[0].nanos = kHuge;
  ExpectInvalid(state, "ns in minute 3");
  state = ValidState();
  state.usage[0].minute = kHuge / 60'000'000'000;
  ExpectInvalid(state, "user `ann` has used 1000 ns in minute 153722867");
  state = ValidState();
  state.requests[0].order = kHuge;
  ExpectInvalid(state, "request `t2` has the order number 9223372036854775807");
  state = ValidState();
  state.reserved_tokens = kHuge;
  ExpectInvalid(state, "it has 9223372036854775807 reserved tokens");
}

}  // namespace
}  // namespace assay::rpc::tracker
