#include "suites/comparison/attribute.h"

#include <cmath>
#include <memory>

#include "gtest/gtest.h"
#include "runtime/base/random.h"
#include "runtime/measure/testing/fake_session.h"

namespace assay::suites {
namespace {

// Makes `session` a program with calls that take `call_ms`, with noise, on a
// machine that drifts.
void SetCalls(std::vector<double> call_ms, FakeClock* clock,
              runtime::FakeSession* session) {
  auto rng = std::make_shared<Rng>(call_ms.size());
  session->calls = [=](int) {
    std::vector<int64_t> nanos;
    const double drift =
        1 + 0.05 * std::sin(static_cast<double>(clock->NowNanos()) * 1e-9);
    for (const double ms : call_ms) {
      const double noise = 1 + 0.01 * rng->NormalFloat(0, 1);
      nanos.push_back(static_cast<int64_t>(ms * drift * noise * 1e6));
    }
    return nanos;
  };
  session->run = [session](int program, int64_t) {
    int64_t sum = 0;
    for (const int64_t nanos : session->calls(program)) sum += nanos;
    return sum;
  };
}

PairLoader Pair(runtime::Session* base, runtime::Session* run) {
  return [base, run](const PairPlacement&) {
    ProgramPair pair;
    pair.base = {"base", base};
    pair.run = {"run", run};
    return pair;
  };
}

runtime::KernelCall Call(const char* symbol, std::vector<std::string> sources) {
  runtime::KernelCall call;
  call.symbol = symbol;
  call.sources = std::move(sources);
  return call;
}

TEST(AttributeTest, FindsTheKernelDespiteDriftAndDifferentFusion) {
  FakeClock clock;
  runtime::FakeSession base(&clock), run(&clock);
  SetCalls({4, 2, 3}, &clock, &base);
  std::vector<runtime::KernelCall> base_calls = {
      Call("k0", {"c1"}), Call("k1", {"c2", "r2"}), Call("k2", {"p"})};
  // `c2` and its relu are separate kernels, which take 0.3 ms more.
  SetCalls({4, 1.9, 0.4, 3}, &clock, &run);
  std::vector<runtime::KernelCall> run_calls = {
      Call("k0", {"c1"}), Call("k1", {"c2"}), Call("k2", {"r2"}),
      Call("k3", {"p"})};
  base_calls[2].code_digest = run_calls[3].code_digest = "p's";
  PairedLoads loads(Pair(&base, &run), {}, &clock);
  const auto found = Attribute(loads, base_calls, run_calls, /*precision=*/0.05,
                               /*budget_s=*/300);
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->kernels.size(), 3u);
  const reports::KernelChange& worst = found->kernels[0];
  EXPECT_EQ(worst.sources, (std::vector<std::string>{"c2", "r2"}));
  EXPECT_EQ(worst.base_kernels, std::vector<std::string>{"k1"});
  EXPECT_EQ(worst.run_kernels, (std::vector<std::string>{"k1", "k2"}));
  for (const reports::KernelChange& kernel : found->kernels) {
    EXPECT_EQ(kernel.same_code, kernel.sources[0] == "p") << kernel.sources[0];
  }
  // The factor by which the machine was slower meanwhile is unknown.
  EXPECT_NEAR(worst.change_ms, 0.3, 0.06);
  EXPECT_GT(worst.lower_ms, 0);
  EXPECT_NEAR(found->whole_ms, 0.3, 0.06);
  EXPECT_NEAR(reports::SumOfChanges(*found), found->whole_ms, 0.015);
  // As many loads as the precision requires.
  EXPECT_EQ(found->rounds, loads.rounds());
  EXPECT_LE(found->whole_upper_ms - found->whole_lower_ms,
            0.1 * found->whole_ms + 1e-9);
}

TEST(AttributeTest, BudgetEndsAnUndecidableAttribution) {
  FakeClock clock;
  runtime::FakeSession base(&clock), run(&clock);
  SetCalls({4}, &clock, &base);
  SetCalls({4}, &clock, &run);
  const std::vector<runtime::KernelCall> calls = {Call("k0", {"c1"})};
  PairedLoads loads(Pair(&base, &run), {}, &clock);
  const auto found = Attribute(loads, calls, calls, /*precision=*/0.05,
                               /*budget_s=*/2);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_NEAR(static_cast<double>(clock.NowNanos()) * 1e-9, 2, 0.2);
  EXPECT_LE(found->kernels[0].lower_ms, 0);
  EXPECT_GE(found->kernels[0].upper_ms, 0);
}

}  // namespace
}  // namespace assay::suites
