#include "runtime/device/cpu/shared_object.h"

#include <elf.h>

#include <cstddef>
#include <memory>

#include "gtest/gtest.h"
#include "runtime/device/testdata/test_kernels.h"

namespace assay::runtime {
namespace {

TEST(SharedObjectTest, FindsExportedSymbols) {
  const auto object = SharedObject::Load(TestKernels());
  ASSERT_TRUE(object.ok()) << object.status();
  const absl::StatusOr<void*> found = (*object)->Find("test_add");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_NE(*found, nullptr);
  EXPECT_EQ((*object)->Find("missing").status(),
            absl::NotFoundError("the kernels' code has no symbol `missing`"));
}

// dlopen identifies objects by path, and file descriptors are reused: an object
// that is loaded after another was destroyed must not be the destroyed one.
TEST(SharedObjectTest, EveryLoadCreatesANewObject) {
  auto first = SharedObject::Load(TestKernels());
  auto second = SharedObject::Load(TestKernels());
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE(*(*first)->Find("test_add"), *(*second)->Find("test_add"));
  first->reset();
  auto third = SharedObject::Load(TestKernels());
  ASSERT_TRUE(third.ok());
  EXPECT_NE(*(*third)->Find("test_add"), *(*second)->Find("test_add"));
}

TEST(SharedObjectTest, LoadsThroughTemporaryFile) {
  auto first = SharedObject::LoadThroughTemporaryFile(TestKernels());
  auto second = SharedObject::LoadThroughTemporaryFile(TestKernels());
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_NE(*(*first)->Find("test_add"), *(*second)->Find("test_add"));
  EXPECT_TRUE(absl::IsInvalidArgument(
      SharedObject::LoadThroughTemporaryFile("#!").status()));
}

TEST(SharedObjectTest, RejectsCodeForAnotherArchitecture) {
  std::string code = TestKernels();
  const size_t machine = offsetof(Elf32_Ehdr, e_machine);
  code[machine] = static_cast<char>(EM_386);
  code[machine + 1] = 0;
  const std::string message(SharedObject::Load(code).status().message());
  EXPECT_EQ(message.find("the kernels' code is for i386, but this machine is "),
            0u)
      << message;
}

TEST(SharedObjectTest, RejectsExecutablesAndMalformedFiles) {
  std::string program = TestKernels();
  program[offsetof(Elf32_Ehdr, e_type)] = ET_EXEC;
  EXPECT_EQ(
      SharedObject::Load(program).status(),
      absl::InvalidArgumentError("the kernels' code is not a shared object"));
  EXPECT_EQ(SharedObject::Load("\x7f"
                               "ELF")
                .status(),
            absl::InvalidArgumentError("the kernels' code is not an ELF file"));
  // A valid header without contents passes the check and fails in dlopen.
  EXPECT_FALSE(SharedObject::Load(TestKernels().substr(0, 64)).ok());
}

}  // namespace
}  // namespace assay::runtime
