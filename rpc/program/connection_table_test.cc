#include "rpc/program/connection_table.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string Peer(int address, int port) {
  return absl::StrCat("ipv4:10.0.0.", address, ":", port);
}

ConnectionLimits Limits(size_t open, size_t anonymous, size_t per_source) {
  ConnectionLimits limits;
  limits.max_open = open;
  limits.max_anonymous = anonymous;
  limits.max_anonymous_per_source = per_source;
  limits.anonymous_nanos = 100;
  return limits;
}

TEST(ConnectionTableTest, AttackerReplacesOwnConnections) {
  ConnectionTable table(Limits(100, 10, 4));
  EXPECT_TRUE(table.Add(0, Peer(1, 1), 0).admitted);
  for (int i = 1; i <= 50; ++i) {
    const auto decision = table.Add(i, Peer(2, i), i);
    EXPECT_TRUE(decision.admitted);
    if (i <= 4) {
      EXPECT_THAT(decision.to_close, IsEmpty());
    } else {
      EXPECT_THAT(decision.to_close, ElementsAre(i - 4));
    }
  }
  EXPECT_EQ(table.open(), 5u);
  EXPECT_EQ(table.anonymous(), 5u);
}

// Many sources share the places of anonymous connections.
TEST(ConnectionTableTest, LargestSourceLosesItsOldestConnection) {
  ConnectionTable table(Limits(100, 6, 4));
  for (int i = 0; i < 3; ++i) table.Add(i, Peer(1, i), i);
  table.Add(3, Peer(2, 1), 3);
  table.Add(4, Peer(2, 2), 4);
  table.Add(5, Peer(3, 1), 5);
  EXPECT_THAT(table.Add(6, Peer(4, 1), 6).to_close, ElementsAre(0));
  // Now the first two sources have as many, and the first one is older.
  EXPECT_THAT(table.Add(7, Peer(5, 1), 7).to_close, ElementsAre(1));
  EXPECT_THAT(table.Add(8, Peer(6, 1), 8).to_close, ElementsAre(3));
  EXPECT_EQ(table.anonymous(), 6u);
}

TEST(ConnectionTableTest, KnownCallersKeepTheirConnections) {
  ConnectionTable table(Limits(4, 2, 2));
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(table.Add(i, Peer(1, i), 0).to_close, IsEmpty());
    table.Know(Peer(1, i));
  }
  EXPECT_EQ(table.anonymous(), 0u);
  EXPECT_TRUE(table.Add(3, Peer(2, 1), 0).admitted);
  // All places are taken, and one of them by an anonymous connection.
  const auto replaces = table.Add(4, Peer(3, 1), 0);
  EXPECT_TRUE(replaces.admitted);
  EXPECT_THAT(replaces.to_close, ElementsAre(3));
  table.Know(Peer(3, 1));
  const auto refused = table.Add(5, Peer(4, 1), 0);
  EXPECT_FALSE(refused.admitted);
  EXPECT_THAT(refused.to_close, IsEmpty());
  EXPECT_THAT(table.Expire(1000), IsEmpty());
  table.Remove(2);
  EXPECT_TRUE(table.Add(6, Peer(4, 2), 0).admitted);
  EXPECT_EQ(table.open(), 4u);
}

TEST(ConnectionTableTest, AnonymousConnectionsExpireOnce) {
  ConnectionTable table(Limits(10, 10, 10));
  table.Add(1, Peer(1, 1), 0);
  table.Add(2, Peer(1, 2), 10);
  table.Add(3, Peer(1, 3), 50);
  table.Know(Peer(1, 2));
  EXPECT_THAT(table.Expire(99), IsEmpty());
  EXPECT_THAT(table.Expire(149), ElementsAre(1));
  EXPECT_THAT(table.Expire(149), IsEmpty());
  EXPECT_THAT(table.Expire(150), ElementsAre(3));
  EXPECT_EQ(table.open(), 1u);
  table.Remove(1);
  table.Remove(3);
  EXPECT_EQ(table.open(), 1u);
}

TEST(ConnectionTableTest, ExpectedConnectionsAreKnownFromTheStart) {
  ConnectionTable table(Limits(1, 1, 1));
  table.Add(1, Peer(1, 1), 0);
  table.Know(Peer(1, 1));
  table.Expect(Peer(2, 7));
  // It is admitted even if all places are taken.
  EXPECT_TRUE(table.Add(2, Peer(2, 7), 0).admitted);
  EXPECT_EQ(table.anonymous(), 0u);
  EXPECT_FALSE(table.Add(3, Peer(2, 7), 0).admitted);
}

// An address and port may come again before the end of the old connection was
// noticed.
TEST(ConnectionTableTest, NewerConnectionOfTheSamePeerIsKept) {
  ConnectionTable table(Limits(10, 10, 10));
  table.Add(1, Peer(1, 1), 0);
  table.Add(2, Peer(1, 1), 0);
  table.Remove(1);
  table.Know(Peer(1, 1));
  EXPECT_EQ(table.anonymous(), 0u);
  table.Know("inproc");
  table.Remove(2);
  table.Remove(2);
  EXPECT_EQ(table.open(), 0u);
}

TEST(ConnectionTableTest, EvictsAnonymousConnectionsOnly) {
  ConnectionTable table(Limits(10, 10, 10));
  table.Add(1, Peer(1, 1), 0);
  table.Add(2, Peer(1, 2), 0);
  table.Know(Peer(1, 1));
  EXPECT_THAT(table.Evict(), ElementsAre(2));
  EXPECT_THAT(table.Evict(), IsEmpty());
}

TEST(ConnectionTableTest, SourcesAreAddressesOrPrefixes) {
  EXPECT_EQ(SourceOf("ipv4:10.1.2.3:99"), "ipv4:10.1.2.3");
  EXPECT_NE(SourceOf("ipv4:10.1.2.3:99"), SourceOf("ipv4:10.1.2.4:99"));
  EXPECT_EQ(SourceOf("ipv6:[2001:db8:1:2::1]:99"),
            SourceOf("ipv6:%5B2001:db8:1:2:ffff::7%5D:5"));
  EXPECT_NE(SourceOf("ipv6:[2001:db8:1:2::1]:99"),
            SourceOf("ipv6:[2001:db8:1:3::1]:99"));
  EXPECT_EQ(NormalPeer("ipv6:%5Bfe80::1%25eth0%5D:80"), "ipv6:[fe80::1]:80");
}

// A part of the files remains for other purposes, however few there are.
TEST(ConnectionTableTest, LimitsLeaveFilesForOtherPurposes) {
  EXPECT_EQ(LimitsForFiles(1024).max_open, 768u);
  EXPECT_EQ(LimitsForFiles(1024).max_anonymous, 256u);
  EXPECT_EQ(LimitsForFiles(128).max_open, 64u);
  EXPECT_EQ(LimitsForFiles(128).max_anonymous, 32u);
  EXPECT_EQ(LimitsForFiles(128).max_anonymous_per_source, 16u);
  EXPECT_EQ(LimitsForFiles(20).max_open, 8u);
  EXPECT_EQ(LimitsForFiles(1 << 30).max_open, 8192u);
}

}  // namespace
}  // namespace assay::rpc
