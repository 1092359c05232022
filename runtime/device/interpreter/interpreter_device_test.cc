#include "runtime/device/interpreter/interpreter_device.h"

#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"
#include "runtime/device/conformance.h"
#include "runtime/device/interpreter/testing/test_program.h"
#include "runtime/device/testdata/test_kernels.h"

namespace assay::runtime {
namespace {

using ::testing::HasSubstr;

const DType kInt = DType::Int32();
const DType kFloat = DType::Float32();

INSTANTIATE_TEST_SUITE_P(Interpreter, DeviceConformanceTest,
                         testing::Values(DeviceUnderTest{
                             []() -> absl::StatusOr<std::unique_ptr<Device>> {
                               return InterpreterDevice::Create();
                             },
                             [] { return Serialize(TestProgram()); }}));

TEST(InterpreterDeviceTest, RunsOnOneThread) {
  const auto device = InterpreterDevice::Create(1);
  ASSERT_TRUE(device.ok()) << device.status();
  EXPECT_EQ((*device)->num_threads(), 1);
  EXPECT_EQ(InterpreterDevice::Create(4).status(),
            absl::InvalidArgumentError(
                "the interpreter runs on one thread, not on 4"));
}

TEST(InterpreterDeviceTest, RejectsArgumentsThatDoNotFit) {
  const auto device = *InterpreterDevice::Create();
  const auto module = *device->Load(kBytecodeKind, Serialize(TestProgram()));
  const auto buffer = *device->Allocate(kTestCount * 4);
  const BufferView all = {buffer.get(), 0, kTestCount * 4};
  const BufferView part = {buffer.get(), 0, kTestCount * 4 - 1};
  EXPECT_EQ(module->Bind("test_scale", {all}).status(),
            absl::InvalidArgumentError(
                "kernel `test_scale` has 2 parameters, not 1"));
  EXPECT_EQ(module->Bind("test_scale", {all, part}).status(),
            absl::InvalidArgumentError(
                "parameter 1 of kernel `test_scale` has 1024 elements of type "
                "float32, more than fit in 4095 bytes"));
}

absl::Status ParseError(const BytecodeKernel& kernel) {
  return ParseProgram(Serialize({{kernel}})).status();
}

TEST(ParseProgramTest, IsInverseOfSerialize) {
  const std::string bytes = Serialize(TestProgram());
  const auto program = ParseProgram(bytes);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(Serialize(*program), bytes);
}

TEST(ParseProgramTest, RejectsInvalidInstructions) {
  const struct {
    Instruction instruction;
    const char* message;
  } kCases[] = {
      {Make(Op::kCopy, kInt, 6, 0), "an operand does not exist"},
      {Make(Op::kCopy, kInt, 0, -1), "an operand does not exist"},
      {Make(Op::kCopy, kInt, 0, 0, 1), "an operand does not exist"},
      {Make(Op::kConstant, kInt, 0, 3), "an operand does not exist"},
      {Make(Op::kLoad, kFloat, 0, 2, 0), "an operand does not exist"},
      {Make(Op::kStore, kFloat, -1, 0, 0), "an operand does not exist"},
      {Make(Op::kLoad, kInt, 0, 0, 0), "its type is not that of the buffer"},
      {Make(Op::kMod, kFloat), "it does not take float32"},
      {Make(Op::kSqrt, kInt), "it does not take int32"},
      {Make(Op::kReinterpret, DType::Int64()), "different sizes"},
      {Make(Op::kElse, kInt), "it is in no block that it could end"},
      {Make(Op::kIf, kInt), "its block does not end"},
  };
  for (const auto& c : kCases) {
    const absl::Status status = ParseError(Loop("k", 2, 1, {c.instruction}));
    EXPECT_TRUE(absl::IsInvalidArgument(status));
    EXPECT_THAT(status.message(), HasSubstr(c.message));
    EXPECT_THAT(status.message(), HasSubstr("kernel `k`"));
  }
  BytecodeKernel kernel = Loop("k", 1, 1, {});
  kernel.num_parameters = 2;
  EXPECT_THAT(ParseError(kernel).message(),
              HasSubstr("more parameters than buffers"));
  kernel = Loop("k", 1, 1, {});
  kernel.buffers[0].count = -1;
  EXPECT_THAT(ParseError(kernel).message(), HasSubstr("size of a buffer"));
  kernel = Loop("k", 1, 1, {});
  kernel.num_registers = 1 << 30;
  EXPECT_THAT(ParseError(kernel).message(), HasSubstr("number of registers"));
}

TEST(ParseProgramTest, RejectsEveryTruncation) {
  const std::string bytes = Serialize(TestProgram());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ParseProgram(bytes.substr(0, size)).ok()) << size;
  }
}

// Damaged programs are rejected, or run without leaving their buffers, which
// the sanitizers of the nightly build would report.
TEST(InterpreterDeviceTest, SurvivesDamagedPrograms) {
  const auto device = *InterpreterDevice::Create();
  const auto buffer = *device->Allocate(kTestCount * 4);
  const BufferView all = {buffer.get(), 0, kTestCount * 4};
  const std::vector<Instruction> body = {
      Make(Op::kLoad, kFloat, 4, 0, 2), Make(Op::kIf, kInt, 0, 2),
      Make(Op::kMul, kFloat, 4, 4, 3),  Make(Op::kElse, kInt),
      Make(Op::kSqrt, kFloat, 4, 4),    Make(Op::kEnd, kInt),
      Make(Op::kStore, kFloat, 1, 2, 4)};
  const std::string bytes = Serialize({{Loop("k", 2, 3, body)}});
  // Behind the loop's own instruction, whose damage would only take time.
  const auto size = static_cast<int64_t>(bytes.size());
  const int64_t first = size - static_cast<int64_t>(body.size() + 1) * 21;
  int runs = 0;
  Rng rng(1);
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = bytes;
    char& byte = damaged[rng.UniformInt(first, size - 1)];
    byte = static_cast<char>(byte ^ (1 << rng.UniformInt(0, 7)));
    const auto module = device->Load(kBytecodeKind, damaged);
    if (!module.ok()) continue;
    const auto kernel = (*module)->Bind("k", {all, all});
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    (*kernel)->Run().IgnoreError();
    ++runs;
  }
  EXPECT_GT(runs, 100);
}

}  // namespace
}  // namespace assay::runtime
