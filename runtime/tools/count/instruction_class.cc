#include "runtime/tools/count/instruction_class.h"

#include <algorithm>
#include <initializer_list>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"

namespace assay::runtime {
namespace {

using Class = InstructionClass;
using Words = std::initializer_list<absl::string_view>;

struct Instruction {
  absl::string_view mnemonic;
  absl::string_view operands;
};

// Splits the text, and removes the prefixes of x86-64.
Instruction Split(absl::string_view text) {
  Instruction instruction = {"", absl::StripAsciiWhitespace(text)};
  do {
    const absl::string_view rest = instruction.operands;
    const size_t space = std::min(rest.find(' '), rest.size());
    instruction.mnemonic = rest.substr(0, space);
    instruction.operands = absl::StripAsciiWhitespace(rest.substr(space));
  } while (instruction.mnemonic == "lock" || instruction.mnemonic == "rep" ||
           instruction.mnemonic == "repe" || instruction.mnemonic == "repne" ||
           instruction.mnemonic == "notrack" || instruction.mnemonic == "bnd");
  return instruction;
}

bool IsOneOf(absl::string_view word, Words words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool StartsWithOneOf(absl::string_view word, Words prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](auto prefix) {
    return absl::StartsWith(word, prefix);
  });
}

// Returns true if a word of the operands is `letter` followed by a digit, such
// as `v12.4s` or `{d0`.
bool HasRegister(absl::string_view operands, char letter) {
  for (size_t i = 0; i + 1 < operands.size(); ++i) {
    const bool begins = i == 0 || !absl::ascii_isalnum(operands[i - 1]);
    if (begins && operands[i] == letter &&
        absl::ascii_isdigit(operands[i + 1])) {
      return true;
    }
  }
  return false;
}

Class MultiplyAdd(bool is_vector) {
  return is_vector ? Class::kVectorMultiplyAdd : Class::kScalarMultiplyAdd;
}

// Returns true if an instruction of vector registers has one lane: `vaddss`.
bool IsScalarX86(absl::string_view mnemonic) {
  absl::ConsumePrefix(&mnemonic, "v");
  // Instructions on integers are of whole vectors, also `pminsd`.
  if (StartsWithOneOf(mnemonic, {"p", "broadcast", "insert"})) return false;
  if (absl::StartsWith(mnemonic, "cvt")) {
    absl::string_view from = mnemonic.substr(3);
    absl::ConsumePrefix(&from, "t");  // with truncation
    return StartsWithOneOf(from, {"ss2", "sd2", "si2"});
  }
  return absl::EndsWith(mnemonic, "ss") || absl::EndsWith(mnemonic, "sd") ||
         StartsWithOneOf(mnemonic, {"comis", "ucomis"});
}

// Returns true if the instruction only moves data, if an operand is in memory.
bool IsMoveX86(absl::string_view mnemonic) {
  if (absl::StartsWith(mnemonic, "movmsk")) return false;
  absl::ConsumePrefix(&mnemonic, "v");
  return StartsWithOneOf(
      mnemonic,
      {"mov", "broadcast", "pbroadcast", "pmov", "maskmov", "pmaskmov", "lddqu",
       "extract", "pextr", "cmpxchg", "xadd", "xchg", "lods", "stos"});
}

Class ClassOfX86(const Instruction& instruction) {
  const auto& [mnemonic, operands] = instruction;
  if (StartsWithOneOf(mnemonic, {"j", "call", "ret", "loop"})) {
    return Class::kBranch;
  }
  absl::string_view base = mnemonic;
  absl::ConsumePrefix(&base, "v");
  if (StartsWithOneOf(base, {"fmadd", "fmsub", "fnmadd", "fnmsub"}) ||
      StartsWithOneOf(base, {"pmaddwd", "pmaddubsw", "pdpbusd", "pdpwssd"})) {
    return MultiplyAdd(!IsScalarX86(mnemonic));
  }
  if (StartsWithOneOf(mnemonic,
                      {".", "nop", "endbr", "vzero", "prefetch", "syscall",
                       "cpuid", "xgetbv", "pause", "ud2", "hlt", "clflush"}) ||
      absl::EndsWith(mnemonic, "fence")) {
    return Class::kOther;
  }
  if (absl::StartsWith(mnemonic, "push")) return Class::kStore;
  if (absl::StartsWith(mnemonic, "pop") &&
      !absl::StartsWith(mnemonic, "popcnt")) {
    return Class::kLoad;
  }
  const bool in_memory =
      absl::StrContains(operands, '(') || absl::StrContains(operands, "%fs:");
  if (in_memory && IsMoveX86(mnemonic)) {
    // The destination is the last operand.
    const size_t comma = operands.rfind(',');
    const bool stores = absl::EndsWith(operands, ")") ||
                        (comma != absl::string_view::npos &&
                         absl::StrContains(operands.substr(comma), "%fs:"));
    return stores ? Class::kStore : Class::kLoad;
  }
  const bool is_vector = (absl::StrContains(operands, "%xmm") ||
                          absl::StrContains(operands, "%ymm")) &&
                         !IsScalarX86(mnemonic);
  return is_vector ? Class::kVector : Class::kScalar;
}

// Classifies an instruction that Capstone 4 does not know. The patterns are
// from the Arm Architecture Reference Manual, section C4.1.
Class ClassOfUnknownA64(uint32_t code) {
  // "Advanced SIMD three-register extension": dot products, matrix products,
  // and complex numbers, of which FCADD only adds.
  if ((code & 0x9f208400) == 0x0e008400) {
    const bool is_fcadd = (code & 0x6c00) == 0x6400;
    return is_fcadd ? Class::kVector : Class::kVectorMultiplyAdd;
  }
  // "Advanced SIMD vector x indexed element": dot products, FMLAL, and 16-bit
  // floats, of which FMUL and FMULX only multiply.
  if ((code & 0x9f000400) == 0x0f000000) {
    const bool is_fmul = (code & 0xf000) == 0x9000;
    return is_fmul ? Class::kVector : Class::kVectorMultiplyAdd;
  }
  // FMLAL, FMLAL2 and the like; FMLA and FMLS of 16-bit floats.
  if ((code & 0xbf20fc00) == 0x0e20ec00 || (code & 0xbf20fc00) == 0x2e20cc00 ||
      (code & 0xbf60fc00) == 0x0e400c00) {
    return Class::kVectorMultiplyAdd;
  }
  // "Floating-point data-processing (3 source)" of 16-bit floats.
  if ((code & 0xff000000) == 0x1f000000) return Class::kScalarMultiplyAdd;
  // All other instructions of SIMD with one lane, and with vectors; SVE.
  if ((code & 0x5e000000) == 0x1e000000 || (code & 0xde000000) == 0x5e000000) {
    return Class::kScalar;
  }
  if ((code & 0x9e000000) == 0x0e000000 || (code & 0x1e000000) == 0x04000000) {
    return Class::kVector;
  }
  return Class::kOther;
}

Class ClassOfA64(const Instruction& instruction, uint32_t code) {
  const auto& [mnemonic, operands] = instruction;
  if (absl::StartsWith(mnemonic, ".")) return ClassOfUnknownA64(code);
  if (IsOneOf(mnemonic,
              {"b", "bl", "blr", "br", "ret", "cbz", "cbnz", "tbz", "tbnz"}) ||
      absl::StartsWith(mnemonic, "b.")) {
    return Class::kBranch;
  }
  if (absl::StartsWith(mnemonic, "ld")) return Class::kLoad;
  if (absl::StartsWith(mnemonic, "st")) return Class::kStore;
  if (StartsWithOneOf(mnemonic, {"prf", "dmb", "dsb"}) ||
      IsOneOf(mnemonic, {"nop", "hint", "svc", "mrs", "msr", "isb", "dc", "ic",
                         "sys", "clrex", "brk", "yield", "hlt"})) {
    return Class::kOther;
  }
  if (IsOneOf(mnemonic, {"fmadd", "fmsub", "fnmadd", "fnmsub"})) {
    return Class::kScalarMultiplyAdd;
  }
  const bool is_vector = HasRegister(operands, 'v') ||
                         HasRegister(operands, 'q') ||
                         HasRegister(operands, 'z');
  if (!is_vector) return Class::kScalar;
  if (StartsWithOneOf(
          mnemonic, {"fmla", "fmls", "smlal", "smlsl", "umlal", "umlsl",
                     "sqdmlal", "sqdmlsl", "sqrdmlah", "sqrdmlsh", "fcmla"}) ||
      IsOneOf(mnemonic, {"mla", "mls", "sdot", "udot"})) {
    // `fmla s0, s1, v2.s[0]` has one lane.
    return MultiplyAdd(absl::StartsWith(operands, "v"));
  }
  return Class::kVector;
}

bool IsBranchArm(absl::string_view base) {
  if (IsOneOf(base, {"cbz", "cbnz", "tbb", "tbh"})) return true;
  for (const absl::string_view root : {"b", "bl", "bx", "blx"}) {
    if (base == root) return true;
    absl::string_view condition = base;
    if (absl::ConsumePrefix(&condition, root) &&
        IsOneOf(condition, {"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc",
                            "hi", "ls", "ge", "lt", "gt", "le", "al"})) {
      return true;
    }
  }
  return false;
}

Class ClassOfArm(const Instruction& instruction) {
  const auto& [mnemonic, operands] = instruction;
  // The mnemonic has a type, a width or nothing: `vmla.f32`, `ldr.w`, `mla`.
  const size_t dot = std::min(mnemonic.find('.'), mnemonic.size());
  const absl::string_view base = mnemonic.substr(0, dot);
  const absl::string_view type = mnemonic.substr(dot);
  if (IsBranchArm(base)) return Class::kBranch;
  if (StartsWithOneOf(base, {"ldr", "ldm", "pop", "vld", "vpop"})) {
    return Class::kLoad;
  }
  if (StartsWithOneOf(base, {"str", "stm", "push", "vst", "vpush"})) {
    return Class::kStore;
  }
  if (base.empty() ||
      StartsWithOneOf(base,
                      {"nop",  "it",  "pld",  "pli",   "dmb",  "dsb",  "isb",
                       "svc",  "mrs", "msr",  "mrc",   "mcr",  "mrrc", "vmrs",
                       "vmsr", "udf", "bkpt", "clrex", "hint", "yield"})) {
    return Class::kOther;
  }
  if (!absl::StartsWith(base, "v")) return Class::kScalar;
  // A register `d` is one double or a vector of 64 bits.
  const bool is_double = absl::StrContains(type, "f64");
  const bool is_vector = HasRegister(operands, 'q') ||
                         (HasRegister(operands, 'd') && !is_double &&
                          !(type.empty() && HasRegister(operands, 'r')));
  if (StartsWithOneOf(
          base, {"vfma", "vfms", "vfnma", "vfnms", "vmla", "vmls", "vnmla",
                 "vnmls", "vqdmlal", "vqdmlsl", "vsdot", "vudot"})) {
    return MultiplyAdd(is_vector);
  }
  return is_vector ? Class::kVector : Class::kScalar;
}

}  // namespace

std::optional<InstructionSet> ParseInstructionSet(absl::string_view name) {
  if (name == "x86_64") return InstructionSet::kX86_64;
  if (name == "aarch64") return InstructionSet::kAArch64;
  if (name == "arm") return InstructionSet::kArm;
  return std::nullopt;
}

InstructionClass ClassOf(InstructionSet set, absl::string_view text,
                         uint32_t code) {
  const Instruction instruction = Split(text);
  switch (set) {
    case InstructionSet::kX86_64:
      return ClassOfX86(instruction);
    case InstructionSet::kAArch64:
      return ClassOfA64(instruction, code);
    case InstructionSet::kArm:
      return ClassOfArm(instruction);
  }
  return Class::kOther;
}

}  // namespace assay::runtime
