// InstructionClass: what an instruction does, as far as counts distinguish it.
// Every instruction has exactly one class.
//
// The class follows from the assembly text that qemu's disassembler (Capstone
// 4) prints for the instruction, in the syntax of AT&T for x86-64. Capstone 4
// does not know some instructions of ARMv8.2 and later, which are decoded here:
// dot products, matrix products and multiplications of complex numbers.
//
// An instruction of x86-64 that adds a value in memory to a register has the
// class of an addition, and not of a load. The numbers of loads and stores are
// therefore counted separately (RegionCounts).
//
// SVE is not supported: all of its instructions are kVector.
#ifndef ASSAY_RUNTIME_TOOLS_COUNT_INSTRUCTION_CLASS_H_
#define ASSAY_RUNTIME_TOOLS_COUNT_INSTRUCTION_CLASS_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace assay::runtime {

enum class InstructionClass : uint8_t {
  // Products that are added up, of floats or of integers: `fmla`, `vmla`,
  // `vfmadd231ps`, `sdot`, `vpmaddwd`, ... The first class computes several
  // lanes, and the second one a single lane of a floating-point register.
  kVectorMultiplyAdd = 0,
  kScalarMultiplyAdd,
  // All other instructions with several lanes that are not only a move between
  // registers and memory.
  kVector,
  // Arithmetic on general registers and on single floats, moves between
  // registers.
  kScalar,
  // Moves from memory, and to memory, including those of vectors, of stack
  // frames, and atomic ones.
  kLoad,
  kStore,
  // Jumps, calls and returns.
  kBranch,
  // `nop`, for example before aligned loops; prefetches, barriers, system
  // calls, and instructions that are not known.
  kOther,
};

constexpr size_t kInstructionClasses = 8;

// The instruction set of an emulated program.
enum class InstructionSet : uint8_t { kX86_64, kAArch64, kArm };

// Returns the instruction set that qemu calls `name`, for example `arm`.
std::optional<InstructionSet> ParseInstructionSet(absl::string_view name);

// Returns the class of an instruction. `text` is its assembly text. `code` is
// its encoding, which is used only for kAArch64.
InstructionClass ClassOf(InstructionSet set, absl::string_view text,
                         uint32_t code);

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TOOLS_COUNT_INSTRUCTION_CLASS_H_
