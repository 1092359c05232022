#include "runtime/process/interrupt.h"

#include <poll.h>

#include <thread>

#include "gtest/gtest.h"

namespace assay::runtime {
namespace {

// Returns true if the descriptor is readable within the time.
bool Wait(const Interrupt& interrupt, int timeout_ms) {
  pollfd event = {interrupt.fd(), POLLIN, 0};
  return poll(&event, 1, timeout_ms) == 1;
}

TEST(InterruptTest, StaysRaised) {
  Interrupt interrupt;
  EXPECT_FALSE(interrupt.raised());
  EXPECT_FALSE(Wait(interrupt, 0));
  interrupt.Raise();
  interrupt.Raise();
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(interrupt.raised());
    EXPECT_TRUE(Wait(interrupt, 0));
  }
}

TEST(InterruptTest, EndsTheWaitOfAnotherThread) {
  Interrupt interrupt;
  bool woken = false;
  std::thread waiter([&] { woken = Wait(interrupt, 20'000); });
  interrupt.Raise();
  waiter.join();
  EXPECT_TRUE(woken);
}

}  // namespace
}  // namespace assay::runtime
