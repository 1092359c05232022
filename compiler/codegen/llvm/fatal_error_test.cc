#include "compiler/codegen/llvm/fatal_error.h"

#include <thread>

#include "gtest/gtest.h"
#include "llvm/Support/ErrorHandling.h"
#include "runtime/base/check_context.h"

namespace assay::codegen {
namespace {

// LLVM would call exit(1).
TEST(FatalErrorDeathTest, NamesKernelOfThread) {
  HandleFatalErrors();
  const ScopedCheckContext context("for kernel", "k001");
  EXPECT_EXIT(llvm::report_fatal_error("no such thing", false),
              ::testing::ExitedWithCode(5),
              "LLVM cannot generate code: no such thing\n"
              "  for kernel `k001`\n$");
  const auto elsewhere = [] {
    std::thread([] {
      const ScopedCheckContext other("for kernel", "k002");
      llvm::report_fatal_error("no such thing", false);
    }).join();
  };
  EXPECT_EXIT(elsewhere(), ::testing::ExitedWithCode(5),
              "no such thing\n  for kernel `k002`\n$");
}

}  // namespace
}  // namespace assay::codegen
