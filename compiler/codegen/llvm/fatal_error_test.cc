#include "compiler/codegen/llvm/fatal_error.h"

#include <csignal>
#include <thread>

#include "gtest/gtest.h"
#include "llvm/Support/ErrorHandling.h"

namespace assay::codegen {
namespace {

target::Target ArmTarget() {
  const auto target =
      target::Target::Parse("llvm -mtriple=arm-linux-gnueabihf");
  EXPECT_TRUE(target.ok()) << target.status();
  return *target;
}

// Without a scope LLVM would call exit(1).
TEST(FatalErrorDeathTest, NamesKernelOfThread) {
  const FatalErrorScope scope("k001", ArmTarget());
  EXPECT_EXIT(llvm::report_fatal_error("no such thing", false),
              ::testing::KilledBySignal(SIGABRT),
              "LLVM cannot compile kernel `k001` for `llvm "
              "-mtriple=arm-linux-gnueabihf.*`: no such thing");
  const auto elsewhere = [] {
    std::thread([] {
      const FatalErrorScope other("k002", ArmTarget());
      llvm::report_fatal_error("no such thing", false);
    }).join();
  };
  EXPECT_EXIT(elsewhere(), ::testing::KilledBySignal(SIGABRT), "kernel `k002`");
}

}  // namespace
}  // namespace assay::codegen
