// Compiles all programs for every processor of the table. Some of the code is
// executed, natively or in an emulator, by codegen_test and programs_*_test;
// this test checks that LLVM can select instructions for all operations that
// reach it.
#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/codegen/llvm/codegen_llvm.h"
#include "compiler/codegen/llvm/object/link.h"
#include "compiler/codegen/llvm/testing/programs.h"
#include "compiler/target/cpu_table.h"
#include "compiler/target/target.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::codegen {
namespace {

using target::Arch;
using ::testing::IsEmpty;

struct Elf {
  const char* triple;
  int elf_class, machine;  // fields of the ELF header
};

Elf ElfOf(Arch arch) {
  switch (arch) {
    case Arch::kX86_64:
      return {"x86_64-linux-gnu", 2, 62};
    case Arch::kAArch64:
      return {"aarch64-linux-gnu", 2, 183};
    case Arch::kArm:
      return {"arm-linux-gnueabihf", 1, 40};
    case Arch::kNone:
      break;
  }
  return {};
}

class EveryProcessorTest : public ::testing::TestWithParam<target::CpuRow> {};

TEST_P(EveryProcessorTest, CompilesAllProgramsWithoutImports) {
  const auto programs = LoadPrograms(kProgramsFile);
  ASSERT_TRUE(programs.ok()) << programs.status();
  const Elf elf = ElfOf(GetParam().arch);
  const auto target = target::Target::Parse(
      absl::StrCat("llvm -mtriple=", elf.triple, " -mcpu=", GetParam().name));
  ASSERT_TRUE(target.ok()) << target.status();
  const auto image = GenerateLlvm(*programs, *target, {});
  ASSERT_TRUE(image.ok()) << image.status();
  const auto imports = UndefinedSymbols(image->code, /*dynamic=*/true);
  ASSERT_TRUE(imports.ok()) << imports.status();
  EXPECT_THAT(*imports, IsEmpty());
  EXPECT_EQ(image->code[4], elf.elf_class);
  EXPECT_EQ(static_cast<unsigned char>(image->code[18]), elf.machine);
}

// Test name, such as `arm_cortex_a53`.
std::string NameOf(const ::testing::TestParamInfo<target::CpuRow>& info) {
  const std::string triple = ElfOf(info.param.arch).triple;
  std::string name =
      absl::StrCat(triple.substr(0, triple.find('-')), "_", info.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(CpuTable, EveryProcessorTest,
                         ::testing::ValuesIn(target::CpuTable().begin(),
                                             target::CpuTable().end()),
                         NameOf);

}  // namespace
}  // namespace assay::codegen
