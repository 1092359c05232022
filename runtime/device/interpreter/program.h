// Program: kernels as bytecode, the code that the interpreter runs and that
// compiler/codegen/bytecode generates.
//
// A kernel is a list of instructions on 64-bit registers and typed buffers: its
// parameters first, then local buffers that it has for the length of one run.
// Integers are kept sign- or zero-extended, floats as double; every result is
// converted to the type of its instruction. kFor and kIf open a block, which
// ends at its kEnd; there are no other jumps, so every program terminates.
//
//   kFor  int32 r0 = [r1, r1 + r2)     for i in [0, n)
//     kLoad  float32 r3 = b0[r0]         %y[i] = %x[i] * 2
//     kMul   float32 r4 = r3, r5
//     kStore float32 b1[r0] = r4
//   kEnd
//
// Parse() returns valid programs only (see there), so the interpreter checks
// nothing but the element of each access and divisors. Little-endian, on top of
// runtime/base/byte_io.h; the same program has the same bytes everywhere.
#ifndef ASSAY_RUNTIME_DEVICE_INTERPRETER_PROGRAM_H_
#define ASSAY_RUNTIME_DEVICE_INTERPRETER_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/dtype.h"

namespace assay::runtime {

// The kind that artifacts with such code state.
inline constexpr char kBytecodeKind[] = "bytecode";

// What an operand of an instruction names; an operand that names nothing is 0.
enum class Operand : uint8_t {
  kNone,
  kRegister,
  kBuffer,
  kConstant,
};

// The types that an instruction takes.
enum class Types : uint8_t { kAll, kInts, kFloats };

// Name, types, and what dst, a, b and c name.
#define ASSAY_BYTECODE_OPS(X)                                  \
  /* dst = a */                                                \
  X(Constant, kAll, kRegister, kConstant, kNone, kNone)        \
  X(Copy, kAll, kRegister, kRegister, kNone, kNone)            \
  /* dst = a[b]; dst[a] = b */                                 \
  X(Load, kAll, kRegister, kBuffer, kRegister, kNone)          \
  X(Store, kAll, kBuffer, kRegister, kRegister, kNone)         \
  /* dst = a, which has the type `from` */                     \
  X(Cast, kAll, kRegister, kRegister, kNone, kNone)            \
  X(Reinterpret, kAll, kRegister, kRegister, kNone, kNone)     \
  /* dst = op(a, b); integer division rounds down */           \
  X(Add, kAll, kRegister, kRegister, kRegister, kNone)         \
  X(Sub, kAll, kRegister, kRegister, kRegister, kNone)         \
  X(Mul, kAll, kRegister, kRegister, kRegister, kNone)         \
  X(Div, kAll, kRegister, kRegister, kRegister, kNone)         \
  X(Mod, kInts, kRegister, kRegister, kRegister, kNone)        \
  X(Min, kAll, kRegister, kRegister, kRegister, kNone)         \
  X(Max, kAll, kRegister, kRegister, kRegister, kNone)         \
  X(And, kInts, kRegister, kRegister, kRegister, kNone)        \
  X(Or, kInts, kRegister, kRegister, kRegister, kNone)         \
  X(Xor, kInts, kRegister, kRegister, kRegister, kNone)        \
  X(ShiftLeft, kInts, kRegister, kRegister, kRegister, kNone)  \
  X(ShiftRight, kInts, kRegister, kRegister, kRegister, kNone) \
  /* dst = 0 or 1; the type is that of a and b */              \
  X(Equal, kAll, kRegister, kRegister, kRegister, kNone)       \
  X(Less, kAll, kRegister, kRegister, kRegister, kNone)        \
  X(LessEqual, kAll, kRegister, kRegister, kRegister, kNone)   \
  /* dst = op(a) */                                            \
  X(Abs, kAll, kRegister, kRegister, kNone, kNone)             \
  X(Sqrt, kFloats, kRegister, kRegister, kNone, kNone)         \
  X(Floor, kFloats, kRegister, kRegister, kNone, kNone)        \
  X(Ceil, kFloats, kRegister, kRegister, kNone, kNone)         \
  X(Round, kFloats, kRegister, kRegister, kNone, kNone)        \
  /* dst = a * b + c, rounded once */                          \
  X(Fma, kFloats, kRegister, kRegister, kRegister, kRegister)  \
  /* for dst in [a, a + b); if a != 0; else; end of a block */ \
  X(For, kInts, kRegister, kRegister, kRegister, kNone)        \
  X(If, kAll, kNone, kRegister, kNone, kNone)                  \
  X(Else, kAll, kNone, kNone, kNone, kNone)                    \
  X(End, kAll, kNone, kNone, kNone, kNone)

enum class Op : uint8_t {
#define ASSAY_DECLARE(name, types, dst, a, b, c) k##name,
  ASSAY_BYTECODE_OPS(ASSAY_DECLARE)
#undef ASSAY_DECLARE
};

struct Instruction {
  Op op = Op::kEnd;
  DType type = DType::Int32();
  DType from = DType::Int32();
  int32_t dst = 0, a = 0, b = 0, c = 0;
  // Set by Parse(). kFor, kIf and kElse: the instruction that ends the block
  // (for kIf, its kElse if there is one). kEnd: the one that opened it.
  int32_t target = 0;
};

struct BytecodeBuffer {
  DType type;
  int64_t count = 0;  // elements
};

struct BytecodeKernel {
  std::string name;
  std::vector<BytecodeBuffer> buffers;
  int32_t num_parameters = 0;  // of the buffers
  int32_t num_registers = 0;
  // Bits of a register.
  std::vector<uint64_t> constants;
  std::vector<Instruction> code;
};

struct Program {
  std::vector<BytecodeKernel> kernels;
};

// A kernel without its name: equal for kernels that do the same.
std::string SerializeBody(const BytecodeKernel& kernel);
std::string Serialize(const Program& program);

// InvalidArgument, naming the kernel, if the bytes are not a program, or if an
// instruction has a type that it does not take, a register, buffer or constant
// that its kernel does not have, or a block that does not nest.
absl::StatusOr<Program> ParseProgram(absl::string_view bytes);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_INTERPRETER_PROGRAM_H_
