#include "runtime/base/check_context.h"

#include <atomic>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/base/exit_code.h"

namespace assay {
namespace {

using ::testing::ExitedWithCode;

constexpr int kExitCode = static_cast<int>(ExitCode::kInfrastructure);

void Fail(int n) { CHECK_EQ(n, 0) << "why"; }

TEST(CheckDeathTest, ExitsWithoutSignal) {
  EXPECT_EXIT(Fail(7), ExitedWithCode(kExitCode),
              "check_context_test.cc:[0-9]+: check failed: .*7 against 0.*"
              "why\n$");
}

TEST(CheckContextDeathTest, PrintsEntriesFromTheInside) {
  const std::string kernel = "k001_conv2d";
  const ScopedCheckContext outer("while lowering kernel", kernel);
  {
    const ScopedCheckContext ended("in pass", "ended");
  }
  const ScopedCheckContext inner("in pass",
                                 [] { return absl::StrCat("flat", "ten"); });
  EXPECT_EXIT(Fail(1), ExitedWithCode(kExitCode),
              "why\n"
              "  in pass `flatten`\n"
              "  while lowering kernel `k001_conv2d`\n$");
}

TEST(CheckContextDeathTest, CallsHooksUntilOneReturnsText) {
  const OnCheckFailure outermost(
      [](absl::string_view) { return std::string("not called"); });
  const OnCheckFailure outer([](absl::string_view failure) {
    return absl::StrCat("saved: ", failure);
  });
  const OnCheckFailure inner([](absl::string_view) { return std::string(); });
  const ScopedCheckContext context("in pass", "flatten");
  EXPECT_EXIT(Fail(1), ExitedWithCode(kExitCode),
              "why\n"
              "  in pass `flatten`\n"
              "  saved: .*check_context_test.cc:.*why\n$");
}

TEST(CheckContextDeathTest, CheckThatFailsInAHookEndsTheProcess) {
  const OnCheckFailure hook([](absl::string_view) {
    CHECK(false) << "in the hook";
    return std::string("not printed");
  });
  EXPECT_EXIT(Fail(1), ExitedWithCode(kExitCode),
              "why\n.*check_context_test.cc:.*in the hook\n$");
}

TEST(CheckContextDeathTest, OtherThreadThatFailsDoesNotEndTheProcess) {
  std::atomic<bool> other_runs{false};
  const OnCheckFailure hook([&](absl::string_view) {
    std::thread([&] {
      other_runs = true;
      Fail(2);
    }).detach();
    while (!other_runs) std::this_thread::yield();
    return std::string("the first is done");
  });
  EXPECT_EXIT(Fail(1), ExitedWithCode(kExitCode), "the first is done\n");
}

TEST(CheckContextDeathTest, ThreadsHaveContextsOfTheirOwn) {
  const ScopedCheckContext context("in pass", "flatten");
  EXPECT_EXIT(std::thread([] { Fail(1); }).join(), ExitedWithCode(kExitCode),
              "why\n$");
}

TEST(CheckContextDeathTest, ThreadInheritsContext) {
  const ScopedCheckContext outer("in pass", "flatten");
  const OnCheckFailure hook(
      [](absl::string_view) { return std::string("saved"); });
  const CheckContext parent = CheckContext::OfThisThread();
  const auto work = [&] {
    const ScopedCheckContext replaced("in", "nothing");
    const InheritedCheckContext inherited(parent);
    const ScopedCheckContext kernel("for kernel", "k1");
    Fail(1);
  };
  EXPECT_EXIT(std::thread(work).join(), ExitedWithCode(kExitCode),
              "why\n  for kernel `k1`\n  in pass `flatten`\n  saved\n$");
}

TEST(CheckContextDeathTest, ContextIsRestoredAfterInheritedOne) {
  const CheckContext empty = CheckContext::OfThisThread();
  const ScopedCheckContext own("in pass", "flatten");
  {
    const InheritedCheckContext inherited(empty);
  }
  EXPECT_EXIT(Fail(1), ExitedWithCode(kExitCode),
              "why\n  in pass `flatten`\n$");
}

}  // namespace
}  // namespace assay
