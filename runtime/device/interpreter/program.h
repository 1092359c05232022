// Program: a set of kernels in bytecode. compiler/codegen/bytecode generates
// programs, and the interpreter runs them.
//
// A kernel is a list of instructions that operate on 64-bit registers and typed
// buffers. The buffers are the parameters of the kernel, followed by local
// buffers that exist during one run. A register holds either an integer or a
// float. Integers are sign-extended or zero-extended to 64 bits, and floats are
// converted to double. An arithmetic result is wrapped or rounded to the type
// of the instruction. kFor and kIf open a block that ends at the matching kEnd.
// An if block may have a kElse. There are no other jumps, so every program
// terminates. In this example, the loop on the right is compiled to the
// bytecode on the left:
//
//   kFor  int32 r0 = [r1, r1 + r2)     for i in [0, n)
//     kLoad  float32 r3 = b0[r0]         %y[i] = %x[i] * 2
//     kMul   float32 r4 = r3, r5
//     kStore float32 b1[r0] = r4
//   kEnd
//
// ParseProgram() rejects invalid programs, so at run time the interpreter
// checks only element indices and integer divisors. Serialize() uses the
// little-endian encoding of runtime/base/byte_io.h and returns the same bytes
// for the same program on every platform.
#ifndef ASSAY_RUNTIME_DEVICE_INTERPRETER_PROGRAM_H_
#define ASSAY_RUNTIME_DEVICE_INTERPRETER_PROGRAM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/base/dtype.h"

namespace assay::runtime {

// The value of Artifact::code_kind for artifacts that contain bytecode.
inline constexpr char kBytecodeKind[] = "bytecode";

// The kind of object that an operand (dst, a, b or c) of an instruction refers
// to. The operand is the index of this object in its kernel. An unused operand
// (kNone) must be 0.
enum class Operand : uint8_t {
  kNone,
  kRegister,
  kBuffer,
  kConstant,
};

// The values of Instruction::type that an instruction accepts. kInts stands for
// all types that are not floats, including bool.
enum class Types : uint8_t { kAll, kInts, kFloats };

// Lists the instructions. The columns are the name, the accepted types, and the
// kinds of the operands dst, a, b and c.
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
  DType from = DType::Int32();  // type of the operand of kCast, kReinterpret
  int32_t dst = 0, a = 0, b = 0, c = 0;
  // Index of a related instruction in BytecodeKernel::code, set by
  // ParseProgram(). For kFor, kIf and kElse, this is the instruction that ends
  // the block (for kIf, the kElse if there is one). For kEnd, it is the
  // instruction that began the block.
  int32_t target = 0;
};

struct BytecodeBuffer {
  DType type;
  int64_t count = 0;  // number of elements
};

struct BytecodeKernel {
  std::string name;
  std::vector<BytecodeBuffer> buffers;
  int32_t num_parameters = 0;  // the first buffers are the parameters
  int32_t num_registers = 0;
  // Each constant is the 64-bit content of a register.
  std::vector<uint64_t> constants;
  std::vector<Instruction> code;
};

struct Program {
  std::vector<BytecodeKernel> kernels;
};

// Returns the encoding of a kernel without its name. Kernels that differ only
// in their names have equal encodings.
std::string SerializeBody(const BytecodeKernel& kernel);
std::string Serialize(const Program& program);

// Decodes a program. Returns InvalidArgument if the bytes are malformed or a
// kernel is invalid. In the second case, the error names the kernel. A kernel
// is invalid if
//   - the size of a buffer or the number of parameters, registers or
//     instructions is out of range;
//   - an instruction does not accept its type;
//   - an operand refers to a register, buffer or constant that does not exist;
//   - the type of kLoad or kStore is not that of the buffer;
//   - the two types of kReinterpret have different sizes; or
//   - blocks are not properly nested.
absl::StatusOr<Program> ParseProgram(absl::string_view bytes);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_DEVICE_INTERPRETER_PROGRAM_H_
