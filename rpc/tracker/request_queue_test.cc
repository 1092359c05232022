#include "rpc/tracker/request_queue.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rpc/tracker/usage_window.h"

namespace assay::rpc::tracker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kDeadline = 1000 * kSecond;

class RequestQueueTest : public ::testing::Test {
 protected:
  RequestQueue::Entry& Add(const std::string& ticket, const std::string& user,
                           int64_t priority = 0) {
    return queue_.Add({ticket, user, "pynq", priority, 0}, kDeadline, true);
  }

  // Lets the user have held a device for so many seconds.
  void Use(const std::string& user, int64_t seconds) {
    usage_.Begin(user, 0);
    usage_.End(user, seconds * kSecond);
  }

  // Removes the requests in the order in which they are served while the use of
  // devices does not change.
  std::vector<std::string> ServeAll() {
    std::vector<std::string> tickets;
    while (auto* next = queue_.Next("pynq", usage_, kNow)) {
      tickets.push_back(next->request.ticket);
      queue_.Remove(*next);
    }
    return tickets;
  }

  std::vector<std::string> InOrder(int64_t mean_seconds) {
    std::vector<std::string> tickets;
    for (const auto* entry :
         queue_.InOrder("pynq", usage_, mean_seconds * kSecond, kNow)) {
      tickets.push_back(entry->request.ticket);
    }
    return tickets;
  }

  static constexpr int64_t kNow = 500 * kSecond;
  RequestQueue queue_;
  UsageWindow usage_;
};

TEST_F(RequestQueueTest, ServesEqualRequestsInOrderOfAsking) {
  Add("t1", "zoe");
  Add("t2", "ann");
  Add("t3", "bob");
  Add("t4", "zoe");
  EXPECT_THAT(ServeAll(), ElementsAre("t1", "t2", "t3", "t4"));
}

TEST_F(RequestQueueTest, ServesTheUserWithTheSmallestUseFirst) {
  Use("ann", 30);
  Use("bob", 10);
  Add("t1", "ann");
  Add("t2", "bob");
  Add("t3", "bob");
  Add("t4", "eve");
  EXPECT_THAT(ServeAll(), ElementsAre("t4", "t2", "t3", "t1"));
}

TEST_F(RequestQueueTest, ServesHighPriorityFirst) {
  Use("ann", 300);
  Add("t1", "bob", -1);
  Add("t2", "bob", 0);
  Add("t3", "ann", 7);
  Add("t4", "ann", 0);
  EXPECT_THAT(ServeAll(), ElementsAre("t3", "t2", "t4", "t1"));
}

TEST_F(RequestQueueTest, KeysHaveTheirOwnQueues) {
  Add("t1", "ann");
  queue_.Add({"t2", "ann", "rpi3b", 0, 0}, kDeadline, true);
  EXPECT_THAT(queue_.AttachedKeys(), ElementsAre("pynq", "rpi3b"));
  EXPECT_EQ(queue_.Next("rpi3b", usage_, kNow)->request.ticket, "t2");
  EXPECT_THAT(ServeAll(), ElementsAre("t1"));
  EXPECT_TRUE(queue_.HasAttached("rpi3b"));
  EXPECT_FALSE(queue_.HasAttached("pynq"));
  EXPECT_EQ(queue_.Next("rpi4b", usage_, kNow), nullptr);
  EXPECT_THAT(queue_.InOrder("rpi4b", usage_, 0, kNow), IsEmpty());
}

TEST_F(RequestQueueTest, DetachedRequestIsNotServedAndKeepsItsPlace) {
  RequestQueue::Entry& first = Add("t1", "ann");
  Add("t2", "bob");
  queue_.Detach(first, kDeadline);
  queue_.Detach(first, kDeadline);
  EXPECT_EQ(queue_.size(), 2);
  EXPECT_EQ(queue_.Next("pynq", usage_, kNow)->request.ticket, "t2");
  EXPECT_THAT(InOrder(1), ElementsAre("t2"));
  first.place = 3;
  queue_.Attach(first, kDeadline);
  queue_.Attach(first, kDeadline);
  EXPECT_EQ(first.place, 0);
  EXPECT_THAT(InOrder(1), ElementsAre("t1", "t2"));
  EXPECT_THAT(ServeAll(), ElementsAre("t1", "t2"));
}

TEST_F(RequestQueueTest, DetachedRequestCanBeRemoved) {
  queue_.Detach(Add("t1", "ann"), kDeadline);
  EXPECT_FALSE(queue_.HasAttached("pynq"));
  queue_.Remove(*queue_.Find("t1"));
  EXPECT_EQ(queue_.size(), 0);
  EXPECT_EQ(queue_.Find("t1"), nullptr);
  EXPECT_EQ(queue_.NextDeadlineNanos(), std::numeric_limits<int64_t>::max());
}

TEST_F(RequestQueueTest, PredictsThatUsersTakeTurns) {
  Use("bob", 5);
  Use("eve", 25);
  Add("t1", "ann");
  Add("t2", "ann");
  Add("t3", "ann");
  Add("t4", "ann");
  Add("t5", "bob");
  Add("t6", "eve");
  Add("t7", "eve", 1);
  // The use is 0, 10, 20 and 30 for `ann`, 5 for `bob`, and 25 for `eve`.
  EXPECT_THAT(InOrder(10),
              ElementsAre("t7", "t1", "t5", "t2", "t3", "t6", "t4"));
}

TEST_F(RequestQueueTest, KeepsGivenOrderNumbers) {
  queue_.Add({"t9", "ann", "pynq", 0, 9}, kDeadline, false);
  queue_.Add({"t4", "ann", "pynq", 0, 4}, kDeadline, true);
  EXPECT_EQ(Add("new", "ann").request.order, 10);
  queue_.Attach(*queue_.Find("t9"), kDeadline);
  EXPECT_THAT(ServeAll(), ElementsAre("t4", "t9", "new"));
}

TEST_F(RequestQueueTest, FindsTheEarliestDeadline) {
  EXPECT_EQ(queue_.FirstDue(kNow), nullptr);
  queue_.Add({"t1", "ann", "pynq", 0, 0}, 30, true);
  queue_.Add({"t2", "ann", "pynq", 0, 0}, 20, true);
  queue_.Add({"t3", "ann", "pynq", 0, 0}, 40, false);
  EXPECT_EQ(queue_.NextDeadlineNanos(), 20);
  EXPECT_EQ(queue_.FirstDue(19), nullptr);
  EXPECT_EQ(queue_.FirstDue(20)->request.ticket, "t2");
  queue_.Attach(*queue_.Find("t2"), 50);
  queue_.Detach(*queue_.Find("t1"), 60);
  EXPECT_EQ(queue_.FirstDue(45)->request.ticket, "t3");
  queue_.Remove(*queue_.FirstDue(45));
  EXPECT_EQ(queue_.NextDeadlineNanos(), 50);
}

TEST_F(RequestQueueTest, CountsRequestsOfUsers) {
  Add("t1", "ann");
  queue_.Detach(Add("t2", "ann"), kDeadline);
  Add("t3", "bob");
  EXPECT_EQ(queue_.size(), 3);
  EXPECT_EQ(queue_.SizeOfUser("ann"), 2);
  EXPECT_EQ(queue_.SizeOfUser("eve"), 0);
  queue_.Remove(*queue_.Find("t1"));
  queue_.Remove(*queue_.Find("t2"));
  EXPECT_EQ(queue_.SizeOfUser("ann"), 0);
  EXPECT_EQ(queue_.SizeOfUser("bob"), 1);
}

}  // namespace
}  // namespace assay::rpc::tracker
