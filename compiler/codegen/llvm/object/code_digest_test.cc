#include "compiler/codegen/llvm/object/code_digest.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/codegen/llvm/codegen_llvm.h"
#include "compiler/codegen/llvm/testing/programs.h"
#include "compiler/target/target.h"
#include "compiler/tir/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::codegen {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> DigestsOf(const std::vector<tir::Function>& kernels,
                                   absl::string_view target) {
  const auto parsed = target::Target::Parse(target);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  const auto objects = CompileToObjects(kernels, *parsed, {});
  EXPECT_TRUE(objects.ok()) << objects.status();
  std::vector<std::string> digests;
  for (const KernelObject& object : *objects) {
    const auto digest = CodeDigest(object.image);
    EXPECT_TRUE(digest.ok()) << object.kernel << ": " << digest.status();
    digests.push_back(*digest);
  }
  return digests;
}

constexpr const char* kTargets[] = {
    "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3",
    "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53",
    "llvm -mtriple=arm-linux-gnueabihf -mcpu=cortex-a53",
};

// Renaming a kernel also renames its parallel bodies and constants.
TEST(CodeDigestTest, IgnoresKernelName) {
  const auto programs = LoadPrograms(kProgramsFile);
  ASSERT_TRUE(programs.ok()) << programs.status();
  std::vector<tir::Function> renamed = *programs;
  for (size_t i = 0; i < renamed.size(); ++i) {
    renamed[i].name = absl::StrCat("z", i, "_a_name_of_another_length");
  }
  for (const char* target : kTargets) {
    const std::vector<std::string> digests = DigestsOf(*programs, target);
    EXPECT_EQ(digests, DigestsOf(renamed, target)) << target;
    // Some programs are equivalent.
    EXPECT_GT(std::set<std::string>(digests.begin(), digests.end()).size(),
              digests.size() * 9 / 10)
        << target;
  }
}

TEST(CodeDigestTest, DependsOnCodeAndConstants) {
  const auto kernel = [](absl::string_view constant, int extent) {
    const auto f = tir::ParseFunction(absl::StrCat(
        "func f(in %x: float32[64], out %y: float32[64]) {\n  for i in [0, ",
        extent, ") {\n    %y[i] = %x[i] * ", constant, "\n  }\n}\n"));
    EXPECT_TRUE(f.ok()) << f.status();
    return *f;
  };
  const std::vector<tir::Function> kernels = {
      kernel("1.5f", 64), kernel("1.25f", 64), kernel("1.5f", 48)};
  for (const char* target : kTargets) {
    std::set<std::string> digests;
    for (const tir::Function& f : kernels) {
      digests.insert(DigestsOf({f}, target)[0]);
    }
    EXPECT_EQ(digests.size(), kernels.size()) << target;
  }
}

TEST(CodeDigestTest, RejectsInvalidObject) {
  EXPECT_THAT(CodeDigest("no object").status().message(),
              HasSubstr("not an ELF object file"));
}

}  // namespace
}  // namespace assay::codegen
