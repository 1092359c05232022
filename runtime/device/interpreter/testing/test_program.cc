#include "runtime/device/interpreter/testing/test_program.h"

#include <limits>

#include "runtime/device/testdata/test_kernels.h"

namespace assay::runtime {
namespace {

const DType kInt = DType::Int32();
const DType kFloat = DType::Float32();

}  // namespace

Instruction Make(Op op, DType type, int32_t dst, int32_t a, int32_t b,
                 int32_t c) {
  Instruction i;
  i.op = op;
  i.type = type;
  i.dst = dst;
  i.a = a;
  i.b = b;
  i.c = c;
  return i;
}

BytecodeKernel Loop(const std::string& name, int parameters, int64_t count,
                    const std::vector<Instruction>& body) {
  BytecodeKernel k;
  k.name = name;
  k.num_parameters = parameters;
  k.num_registers = 6;
  k.buffers.assign(parameters, {kFloat, kTestCount});
  k.constants = {0, static_cast<uint64_t>(count), 0x4000000000000000};
  k.code = {Make(Op::kConstant, kInt, 0, 0), Make(Op::kConstant, kInt, 1, 1),
            Make(Op::kConstant, kFloat, 3, 2), Make(Op::kFor, kInt, 2, 0, 1)};
  k.code.insert(k.code.end(), body.begin(), body.end());
  k.code.push_back(Make(Op::kEnd, kInt));
  return k;
}

Program TestProgram() {
  const BytecodeKernel add = Loop(
      "test_add", 3, kTestCount,
      {Make(Op::kLoad, kFloat, 4, 0, 2), Make(Op::kLoad, kFloat, 5, 1, 2),
       Make(Op::kAdd, kFloat, 4, 4, 5), Make(Op::kStore, kFloat, 2, 2, 4)});
  const BytecodeKernel scale =
      Loop("test_scale", 2, kTestCount,
           {Make(Op::kLoad, kFloat, 4, 0, 2), Make(Op::kMul, kFloat, 4, 4, 3),
            Make(Op::kStore, kFloat, 1, 2, 4)});
  BytecodeKernel fail =
      Loop("test_fail", 0, 1, {Make(Op::kDiv, kInt, 2, 1, 0)});
  BytecodeKernel parallel_fail =
      Loop("test_parallel_fail", 0, 2, {Make(Op::kLoad, kFloat, 4, 0, 2)});
  parallel_fail.buffers = {{kFloat, 1}};
  BytecodeKernel greedy = Loop("test_greedy", 0, 1, {});
  greedy.buffers = {{DType::Int(8), std::numeric_limits<int64_t>::max()}};
  return {{add, scale, fail, parallel_fail, greedy}};
}

}  // namespace assay::runtime
