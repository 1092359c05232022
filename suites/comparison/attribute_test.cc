#include "suites/comparison/attribute.h"

#include <cmath>

#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::suites {
namespace {

// Kernels that take so long, give or take, on a machine that drifts.
class FakeSession : public Session {
 public:
  FakeSession(std::vector<double> call_ms, FakeClock* clock)
      : call_ms_(std::move(call_ms)), clock_(clock), rng_(call_ms_.size()) {}

  int threads() const override { return 1; }
  absl::StatusOr<runtime::NamedTensors> Evaluate() override {
    return runtime::NamedTensors{};
  }
  absl::StatusOr<Measurement> Measure(const devices::TimingPolicy&) override {
    int64_t sum = 0;
    for (const int64_t nanos : Run()) sum += nanos;
    return Measurement{{static_cast<double>(sum) * 1e-6}, {}};
  }
  absl::StatusOr<std::vector<int64_t>> TimeCalls() override { return Run(); }

 private:
  std::vector<int64_t> Run() {
    const double drift =
        1 + 0.2 * std::sin(static_cast<double>(clock_->NowNanos()) * 1e-9);
    std::vector<int64_t> nanos;
    for (const double ms : call_ms_) {
      const double noise = 1 + 0.01 * rng_.NormalFloat(0, 1);
      nanos.push_back(static_cast<int64_t>(ms * drift * noise * 1e6));
      clock_->Advance(nanos.back());
    }
    return nanos;
  }

  const std::vector<double> call_ms_;
  FakeClock* const clock_;
  Rng rng_;
};

runtime::KernelCall Call(const char* symbol, std::vector<std::string> sources) {
  runtime::KernelCall call;
  call.symbol = symbol;
  call.sources = std::move(sources);
  return call;
}

TEST(AttributeTest, FindsTheKernelThroughDriftAndOtherFusion) {
  FakeClock clock;
  FakeSession base({4, 2, 3}, &clock);
  std::vector<runtime::KernelCall> base_calls = {
      Call("k0", {"c1"}), Call("k1", {"c2", "r2"}), Call("k2", {"p"})};
  // `c2` and its relu fell apart, which costs 0.3 ms.
  FakeSession run({4, 1.9, 0.4, 3}, &clock);
  std::vector<runtime::KernelCall> run_calls = {
      Call("k0", {"c1"}), Call("k1", {"c2"}), Call("k2", {"r2"}),
      Call("k3", {"p"})};
  base_calls[2].code_digest = run_calls[3].code_digest = "p's";
  const auto found = Attribute({&base, base_calls}, {&run, run_calls},
                               /*budget_s=*/60, /*seed=*/1, &clock);
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->kernels.size(), 3u);
  const reports::KernelChange& worst = found->kernels[0];
  EXPECT_EQ(worst.sources, (std::vector<std::string>{"c2", "r2"}));
  EXPECT_EQ(worst.base_kernels, std::vector<std::string>{"k1"});
  EXPECT_EQ(worst.run_kernels, (std::vector<std::string>{"k1", "k2"}));
  for (const reports::KernelChange& kernel : found->kernels) {
    EXPECT_EQ(kernel.same_code, kernel.sources[0] == "p") << kernel.sources[0];
  }
  // By which factor the machine was slower meanwhile is not known.
  EXPECT_NEAR(worst.change_ms, 0.3, 0.06);
  EXPECT_GT(worst.lower_ms, 0);
  EXPECT_NEAR(found->whole_ms, 0.3, 0.06);
  EXPECT_NEAR(reports::SumOfChanges(*found), found->whole_ms, 0.015);
  EXPECT_LT(clock.NowNanos(), int64_t{62} * 1000000000);
  // As many as it takes, and no fewer than that.
  EXPECT_GE(found->rounds, 40);
  EXPECT_LE(found->whole_upper_ms - found->whole_lower_ms,
            0.1 * found->whole_ms + 1e-9);
}

TEST(AttributeTest, TheBudgetEndsWhatCannotBeKnown) {
  FakeClock clock;
  FakeSession base({4}, &clock), run({4}, &clock);
  const std::vector<runtime::KernelCall> calls = {Call("k0", {"c1"})};
  const auto found =
      Attribute({&base, calls}, {&run, calls}, /*budget_s=*/2, 1, &clock);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_NEAR(static_cast<double>(clock.NowNanos()) * 1e-9, 2, 0.2);
  EXPECT_LE(found->kernels[0].lower_ms, 0);
  EXPECT_GE(found->kernels[0].upper_ms, 0);
}

}  // namespace
}  // namespace assay::suites
