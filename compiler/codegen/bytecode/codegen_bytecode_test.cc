// Bytecode on the interpreter device against the interpreter of the loop IR.
#include "compiler/codegen/bytecode/codegen_bytecode.h"

#include <memory>
#include <string>
#include <vector>

#include "compiler/codegen/llvm/testing/difference.h"
#include "compiler/codegen/llvm/testing/programs.h"
#include "compiler/tir/interpreter.h"
#include "compiler/tir/parser.h"
#include "compiler/tir/passes/pipeline.h"
#include "compiler/tir/printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"
#include "runtime/device/interpreter/interpreter_device.h"

namespace assay::codegen {
namespace {

using ::testing::HasSubstr;

target::Target Bytecode() {
  const auto target = target::Target::Parse("bytecode");
  EXPECT_TRUE(target.ok()) << target.status();
  return *target;
}

tir::Function Parse(absl::string_view text) {
  const auto f = tir::ParseFunction(text);
  EXPECT_TRUE(f.ok()) << f.status();
  return *f;
}

std::vector<NDArray> RandomInputs(const tir::Function& f) {
  Rng rng(1);
  std::vector<NDArray> inputs;
  for (const expr::Buffer& buffer : f.inputs) {
    inputs.emplace_back(buffer->dtype, buffer->shape);
    rng.FillUniform(inputs.back(), -50, 50);
  }
  return inputs;
}

// Runs `f` on the device; `buffers` are its inputs and, afterwards, outputs.
absl::Status RunOnDevice(const tir::Function& f, const std::string& code,
                         std::vector<NDArray>& buffers) {
  auto device = runtime::InterpreterDevice::Create();
  if (!device.ok()) return device.status();
  const auto module = (*device)->Load(runtime::kBytecodeKind, code);
  if (!module.ok()) return module.status();
  std::vector<std::unique_ptr<runtime::Buffer>> memory;
  std::vector<runtime::BufferView> views;
  for (const NDArray& buffer : buffers) {
    const auto bytes = static_cast<int64_t>(buffer.num_bytes());
    auto allocated = (*device)->Allocate(bytes);
    if (!allocated.ok()) return allocated.status();
    views.push_back({allocated->get(), 0, bytes});
    memory.push_back(*std::move(allocated));
    const absl::Status copied = (*device)->CopyIn(buffer.raw(), views.back());
    if (!copied.ok()) return copied;
  }
  const auto kernel = (*module)->Bind(f.name, views);
  if (!kernel.ok()) return kernel.status();
  absl::Status status = (*kernel)->Run();
  for (size_t i = 0; status.ok() && i < buffers.size(); ++i) {
    status = (*device)->CopyOut(views[i], buffers[i].raw());
  }
  return status;
}

TEST(CodegenBytecodeTest, ComputesWhatTheLoopInterpreterComputes) {
  const auto programs = LoadPrograms(kProgramsFile);
  ASSERT_TRUE(programs.ok()) << programs.status();
  size_t unimplemented = 0;
  for (const tir::Function& f : *programs) {
    const auto module = GenerateBytecode({f}, Bytecode(), {});
    if (absl::IsUnimplemented(module.status())) {
      ++unimplemented;
      continue;
    }
    ASSERT_TRUE(module.ok()) << module.status();
    std::vector<NDArray> buffers = RandomInputs(f);
    const auto expected = tir::Interpret(f, buffers);
    ASSERT_TRUE(expected.ok()) << expected.status();
    for (const expr::Buffer& output : f.outputs) {
      buffers.emplace_back(output->dtype, output->shape);
    }
    const absl::Status run = RunOnDevice(f, module->code, buffers);
    ASSERT_TRUE(run.ok()) << run << tir::ToString(f);
    for (size_t i = 0; i < f.outputs.size(); ++i) {
      EXPECT_EQ(Difference((*expected)[i], buffers[f.inputs.size() + i], 0), "")
          << tir::ToString(f);
    }
  }
  // Dot products and reinterpreted vectors.
  EXPECT_LT(unimplemented, programs->size() / 4);
}

TEST(CodegenBytecodeTest, RunsLoopsBoundToThreads) {
  const tir::Function f = tir::LowerLoops(Parse(R"(
func f(in %a: float32[2,4], out %b: float32[2,4]) {
  pragma bind_blockIdx_x 2 {
    for i in [0, 2) {
      pragma bind_threadIdx_x 4 {
        for j in [0, 4) {
          %b[i, j] = tanh(%a[i, j])
        }
      }
    }
  }
})"),
                                          target::TargetKind::kBytecode);
  const auto module = GenerateBytecode({f}, Bytecode(), {});
  ASSERT_TRUE(module.ok()) << module.status();
  std::vector<NDArray> buffers = RandomInputs(f);
  const auto expected = tir::Interpret(f, buffers);
  ASSERT_TRUE(expected.ok()) << expected.status();
  buffers.emplace_back(DType::Float32(), Shape{2, 4});
  ASSERT_TRUE(RunOnDevice(f, module->code, buffers).ok());
  EXPECT_EQ(Difference((*expected)[0], buffers[1], 0), "");
}

TEST(CodegenBytecodeTest, DigestDoesNotDependOnName) {
  const char* kText = "func f(out %b: float32[4]) {\n%b[0] = 1f\n}";
  tir::Function f = Parse(kText), g = f;
  g.name = "another";
  const auto module = GenerateBytecode(
      {f, g, Parse("func h(out %b: float32[4]) {\n%b[0] = 2f\n}")}, Bytecode(),
      {});
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(module->digests[0], module->digests[1]);
  EXPECT_NE(module->digests[0], module->digests[2]);
  EXPECT_EQ(module->kind, runtime::kBytecodeKind);
}

TEST(CodegenBytecodeTest, DumpsOneInstructionPerLine) {
  std::string listing;
  Options options;
  options.dump = [&](absl::string_view, absl::string_view suffix,
                     absl::string_view text) {
    EXPECT_EQ(suffix, "bytecode");
    listing = std::string(text);
  };
  ASSERT_TRUE(
      GenerateBytecode({Parse("func f(out %b: float32[4]) {\n%b[3] = 1f\n}")},
                       Bytecode(), options)
          .ok());
  EXPECT_EQ(listing,
            "Constant int32 0 0 0 0\nConstant float32 1 1 0 0\n"
            "Store float32 0 0 1 0\n");
}

TEST(CodegenBytecodeTest, NamesKernelAndIntrinsicThatAreUnimplemented) {
  const tir::Function f = Parse(R"(
func f(in %a: int32[4], out %b: int32[4]) {
  %b[0] = dot4_s8s8(%b[0], %a[0], %a[1])
})");
  EXPECT_THAT(GenerateBytecode({f}, Bytecode(), {}).status().message(),
              HasSubstr("kernel `f`: the bytecode has no `dot4_s8s8` of "
                        "`int32`"));
}

}  // namespace
}  // namespace assay::codegen
