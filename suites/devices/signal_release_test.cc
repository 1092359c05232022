#include "suites/devices/signal_release.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

void Die(int signal, void (*release)()) {
  const SignalRelease object(release);
  raise(signal);
  sleep(20);
  std::exit(0);
}

void Say() { std::fputs("given back\n", stderr); }
void Hang() { sleep(20); }

TEST(SignalReleaseDeathTest, ReleasesAndDiesOfTheSignal) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(Die(SIGINT, Say), testing::KilledBySignal(SIGINT), "given back");
  EXPECT_EXIT(Die(SIGTERM, Say), testing::KilledBySignal(SIGTERM),
              "given back");
}

TEST(SignalReleaseDeathTest, TheSecondSignalDoesNotWait) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        const SignalRelease object(Hang);
        raise(SIGTERM);
        raise(SIGINT);
        std::exit(0);
      },
      testing::KilledBySignal(SIGINT), "");
}

TEST(SignalReleaseTest, RestoresTheOldHandlers) {
  signal(SIGTERM, SIG_IGN);
  for (int i = 0; i < 2; ++i) {
    bool released = false;
    {
      const SignalRelease object([&] { released = true; });
    }
    EXPECT_FALSE(released);
    raise(SIGTERM);
  }
  signal(SIGTERM, SIG_DFL);
}

}  // namespace
}  // namespace assay::suites
