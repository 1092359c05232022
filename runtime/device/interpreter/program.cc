#include "runtime/device/interpreter/program.h"

#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/byte_io.h"
#include "runtime/base/status_macros.h"

namespace assay::runtime {
namespace {

constexpr absl::string_view kMagic("ASSAYBC1", 8);
constexpr int32_t kMaxRegisters = 1 << 20;

struct OpRow {
  Types types;
  Operand dst, a, b, c;
};

constexpr OpRow kOps[] = {
#define ASSAY_ROW(name, types, dst, a, b, c) \
  {Types::types, Operand::dst, Operand::a, Operand::b, Operand::c},
    ASSAY_BYTECODE_OPS(ASSAY_ROW)
#undef ASSAY_ROW
};
constexpr size_t kNumOps = sizeof(kOps) / sizeof(kOps[0]);

void WriteType(DType type, ByteWriter& w) {
  w.U8(static_cast<uint8_t>(type.code()));
  w.U8(static_cast<uint8_t>(type.bits()));
}

DType ReadType(ByteReader& r) {
  const uint8_t code = r.U8();
  const int bits = r.U8();
  const bool valid = code == 0   ? bits == 16 || bits == 32 || bits == 64
                     : code == 1 ? bits == 16
                     : code == 4
                         ? bits == 8
                         : bits == 8 || bits == 16 || bits == 32 || bits == 64;
  if (code > 4 || !valid) r.Fail();
  return r.ok() ? DType(static_cast<DType::Code>(code), bits) : DType::Int32();
}

constexpr size_t kBufferBytes = 2 + 8;
constexpr size_t kInstructionBytes = 1 + 2 + 2 + 4 * 4;
constexpr size_t kMinKernelBytes = 4 * 8 + 2 * 4;

BytecodeKernel ReadKernel(ByteReader& r) {
  BytecodeKernel kernel;
  kernel.name = r.String();
  kernel.buffers.resize(r.Count(kBufferBytes));
  for (BytecodeBuffer& buffer : kernel.buffers) {
    buffer.type = ReadType(r);
    buffer.count = r.I64();
  }
  kernel.num_parameters = r.I32();
  kernel.num_registers = r.I32();
  kernel.constants.resize(r.Count(8));
  for (uint64_t& bits : kernel.constants) bits = r.U64();
  kernel.code.resize(r.Count(kInstructionBytes));
  for (Instruction& i : kernel.code) {
    const uint8_t op = r.U8();
    if (op >= kNumOps) r.Fail();
    i.op = static_cast<Op>(op);
    i.type = ReadType(r);
    i.from = ReadType(r);
    for (int32_t* operand : {&i.dst, &i.a, &i.b, &i.c}) *operand = r.I32();
    if (!r.ok()) break;
  }
  return kernel;
}

absl::Status Bad(const BytecodeKernel& kernel, size_t instruction,
                 absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("bytecode of kernel `",
                                                 kernel.name, "`, instruction ",
                                                 instruction, ": ", what));
}

bool HasOperand(const BytecodeKernel& kernel, Operand what, int32_t index) {
  const auto in = [&](size_t size) {
    return index >= 0 && static_cast<size_t>(index) < size;
  };
  switch (what) {
    case Operand::kNone:
      return index == 0;
    case Operand::kRegister:
      return in(static_cast<size_t>(kernel.num_registers));
    case Operand::kBuffer:
      return in(kernel.buffers.size());
    case Operand::kConstant:
      return in(kernel.constants.size());
  }
  return false;
}

absl::Status CheckOperands(const BytecodeKernel& kernel, size_t at) {
  const Instruction& i = kernel.code[at];
  const OpRow& row = kOps[static_cast<size_t>(i.op)];
  if (row.types != Types::kAll &&
      i.type.is_float() != (row.types == Types::kFloats)) {
    return Bad(kernel, at,
               absl::StrCat("it does not take ", i.type.ToString()));
  }
  if (!HasOperand(kernel, row.dst, i.dst) || !HasOperand(kernel, row.a, i.a) ||
      !HasOperand(kernel, row.b, i.b) || !HasOperand(kernel, row.c, i.c)) {
    return Bad(kernel, at, "an operand does not exist");
  }
  const int32_t buffer = i.op == Op::kLoad ? i.a : i.dst;
  if ((i.op == Op::kLoad || i.op == Op::kStore) &&
      kernel.buffers[buffer].type != i.type) {
    return Bad(kernel, at, "its type is not that of the buffer");
  }
  if (i.op == Op::kReinterpret && i.type.bits() != i.from.bits()) {
    return Bad(kernel, at, "the types have different sizes");
  }
  return absl::OkStatus();
}

// Sets the targets of blocks.
absl::Status LinkBlocks(BytecodeKernel& kernel) {
  std::vector<size_t> open;
  for (size_t at = 0; at < kernel.code.size(); ++at) {
    Instruction& i = kernel.code[at];
    if (i.op == Op::kFor || i.op == Op::kIf) {
      open.push_back(at);
    } else if (i.op == Op::kElse || i.op == Op::kEnd) {
      if (open.empty() ||
          (i.op == Op::kElse && kernel.code[open.back()].op != Op::kIf)) {
        return Bad(kernel, at, "it is in no block that it could end");
      }
      kernel.code[open.back()].target = static_cast<int32_t>(at);
      i.target = static_cast<int32_t>(open.back());
      open.pop_back();
      if (i.op == Op::kElse) open.push_back(at);
    }
  }
  if (open.empty()) return absl::OkStatus();
  return Bad(kernel, open.back(), "its block does not end");
}

absl::Status Validate(BytecodeKernel& kernel) {
  const auto bad = [&](absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("bytecode of kernel `", kernel.name, "`: ", what));
  };
  if (kernel.num_parameters < 0 ||
      static_cast<size_t>(kernel.num_parameters) > kernel.buffers.size()) {
    return bad("it has more parameters than buffers");
  }
  if (kernel.num_registers < 0 || kernel.num_registers > kMaxRegisters) {
    return bad("its number of registers is out of range");
  }
  if (kernel.code.size() >
      static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    return bad("it has too many instructions");
  }
  for (const BytecodeBuffer& buffer : kernel.buffers) {
    if (buffer.count < 0 || buffer.count > std::numeric_limits<int64_t>::max() /
                                               buffer.type.bytes()) {
      return bad("the size of a buffer is out of range");
    }
  }
  for (size_t at = 0; at < kernel.code.size(); ++at) {
    ASSAY_RETURN_IF_ERROR(CheckOperands(kernel, at));
  }
  return LinkBlocks(kernel);
}

}  // namespace

std::string SerializeBody(const BytecodeKernel& kernel) {
  ByteWriter w;
  w.Count(kernel.buffers.size());
  for (const BytecodeBuffer& buffer : kernel.buffers) {
    WriteType(buffer.type, w);
    w.I64(buffer.count);
  }
  w.I32(kernel.num_parameters);
  w.I32(kernel.num_registers);
  w.Count(kernel.constants.size());
  for (uint64_t bits : kernel.constants) w.U64(bits);
  w.Count(kernel.code.size());
  for (const Instruction& i : kernel.code) {
    w.U8(static_cast<uint8_t>(i.op));
    WriteType(i.type, w);
    WriteType(i.from, w);
    for (int32_t operand : {i.dst, i.a, i.b, i.c}) w.I32(operand);
  }
  return w.Take();
}

std::string Serialize(const Program& program) {
  ByteWriter w;
  w.Raw(kMagic);
  w.Count(program.kernels.size());
  for (const BytecodeKernel& kernel : program.kernels) {
    w.String(kernel.name);
    w.Raw(SerializeBody(kernel));
  }
  return w.Take();
}

absl::StatusOr<Program> ParseProgram(absl::string_view bytes) {
  if (bytes.substr(0, kMagic.size()) != kMagic) {
    return absl::InvalidArgumentError("not bytecode: wrong magic number");
  }
  ByteReader r(bytes);
  r.Raw(kMagic.size());
  Program program;
  program.kernels.resize(r.Count(kMinKernelBytes));
  for (BytecodeKernel& kernel : program.kernels) {
    kernel = ReadKernel(r);
    if (!r.ok()) break;
  }
  if (!r.ok() || !r.AtEnd()) {
    return absl::InvalidArgumentError(
        absl::StrCat("bytecode is malformed at byte ", r.position()));
  }
  for (BytecodeKernel& kernel : program.kernels) {
    ASSAY_RETURN_IF_ERROR(Validate(kernel));
  }
  return program;
}

}  // namespace assay::runtime
