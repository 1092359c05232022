#include "rpc/client/cancellation.h"

#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(CancellationTest, TheFirstReasonCounts) {
  Cancellation cancellation;
  EXPECT_TRUE(cancellation.status().ok());
  cancellation.Cancel(absl::AbortedError("first"));
  cancellation.Cancel(absl::CancelledError("second"));
  EXPECT_EQ(cancellation.status(), absl::AbortedError("first"));
}

TEST(CancellationTest, SleepsForTheWholeTime) {
  FakeClock clock;
  const Cancellation cancellation;
  EXPECT_TRUE(cancellation.Sleep(kSecond, &clock).ok());
  EXPECT_EQ(clock.NowNanos(), kSecond);
  EXPECT_TRUE(cancellation.Sleep(-1, &clock).ok());
  EXPECT_EQ(clock.NowNanos(), kSecond);
}

TEST(CancellationTest, ForgetsCallsThatHaveEnded) {
  Cancellation cancellation;
  {
    grpc::ClientContext context;
    const Cancellation::Call call(&cancellation, &context);
  }
  cancellation.Cancel(absl::CancelledError("nobody is left"));
  grpc::ClientContext late;
  const Cancellation::Call call(&cancellation, &late);
  EXPECT_EQ(cancellation.status(), absl::CancelledError("nobody is left"));
}

}  // namespace
}  // namespace assay::rpc
