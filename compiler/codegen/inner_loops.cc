#include "compiler/codegen/inner_loops.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"

namespace assay::codegen {
namespace {

absl::string_view Mnemonic(absl::string_view instruction) {
  return instruction.substr(0, instruction.find('\t'));
}

bool IsStore(absl::string_view instruction) {
  const absl::string_view name = Mnemonic(instruction);
  // AT&T syntax has the destination last.
  if (absl::EndsWith(instruction, ")")) return absl::StrContains(name, "mov");
  return absl::StartsWith(name, "st") || absl::StartsWith(name, "vst");
}

bool StartsWithAny(absl::string_view text,
                   absl::Span<const char* const> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const char* prefix) {
    return absl::StartsWith(text, prefix);
  });
}

// Returns the names in the operands, mainly of registers, in their order.
std::vector<absl::string_view> Names(absl::string_view instruction) {
  const size_t end = instruction.find_first_of(" \t");
  if (end == absl::string_view::npos) return {};
  return absl::StrSplit(instruction.substr(end),
                        absl::ByAnyChar(" \t,:#*![](){}"), absl::SkipEmpty());
}

// Returns the whole register of which `name` is a part: `x19` for `w19`, and
// `%rbx` for `%ebx`. Returns other names unchanged.
std::string WholeRegister(absl::string_view name) {
  static const auto* const kParts =
      new std::map<std::string, std::string>({{"%ebp", "%rbp"},
                                              {"%bp", "%rbp"},
                                              {"%bpl", "%rbp"},
                                              {"%ebx", "%rbx"},
                                              {"%bx", "%rbx"},
                                              {"%bl", "%rbx"},
                                              {"%bh", "%rbx"},
                                              {"w19", "x19"},
                                              {"w29", "x29"}});
  const auto whole = kParts->find(std::string(name));
  return whole == kParts->end() ? std::string(name) : whole->second;
}

// Returns true if the operands are in AT&T syntax.
bool IsX86(absl::string_view instruction) {
  return absl::StrContains(instruction, '%');
}

// Returns the general-purpose registers to which the instruction writes a
// result. May return other names, too. Omits the results that an instruction
// writes to fixed registers, and addresses that a load increments.
std::vector<std::string> Results(absl::string_view instruction) {
  const std::vector<absl::string_view> names = Names(instruction);
  const absl::string_view mnemonic = Mnemonic(instruction);
  if (names.empty()) return {};
  if (IsX86(instruction)) {
    // The last operand is the destination unless it is an address.
    if (absl::EndsWith(instruction, ")") ||
        StartsWithAny(mnemonic, {"cmp", "test", "push", "call", "jmp"})) {
      return {};
    }
    return {WholeRegister(names.back())};
  }
  if (IsStore(instruction) ||
      StartsWithAny(mnemonic, {"cmp", "cmn", "tst", "teq", "cb", "tb", "bl",
                               "br", "bx", "push", "vpush", "ccmp", "ccmn"})) {
    return {};
  }
  size_t count = 1;
  if (StartsWithAny(mnemonic, {"pop", "ldm"})) {
    count = names.size();
  } else if (StartsWithAny(mnemonic, {"ldp", "ldrd", "smull", "umull"})) {
    count = 2;
  }
  std::vector<std::string> results;
  for (size_t i = 0; i < std::min(count, names.size()); ++i) {
    results.push_back(WholeRegister(names[i]));
  }
  return results;
}

// Returns true if the instruction returns from the function.
bool IsReturn(absl::string_view instruction) {
  if (absl::StartsWith(instruction, "ret")) return true;
  if (instruction == "bx\tlr") return true;
  return StartsWithAny(instruction, {"pop\t", "ldm"}) &&
         absl::StrContains(instruction, "pc}");
}

// Returns true if register `name` is part of the address of a load or store.
bool Addresses(absl::string_view instruction, absl::string_view name) {
  if (absl::StartsWith(instruction, "lea")) return false;
  for (const char* after : {"]", ",", ")"}) {
    if (absl::StrContains(instruction, absl::StrCat("[", name, after)) ||
        absl::StrContains(instruction, absl::StrCat("(", name, after))) {
      return true;
    }
  }
  return false;
}

// Returns true if LLVM's comment says that the instruction saves or restores a
// register.
bool IsMarked(absl::string_view comment) {
  for (const char* mark : {"byte Spill", "byte Reload", "byte Folded"}) {
    if (absl::StrContains(comment, mark)) return true;
  }
  return false;
}

// The frame or base pointer that this prologue instruction sets; empty for
// other instructions.
std::string FramePointer(absl::string_view instruction) {
  for (const char* name : {"x29", "x19", "r11", "r7", "r6"}) {
    if (instruction == absl::StrCat("mov\t", name, ", sp") ||
        absl::StartsWith(instruction, absl::StrCat("add\t", name, ", sp, "))) {
      return name;
    }
  }
  for (const char* name : {"%rbp", "%rbx"}) {
    if (instruction == absl::StrCat("movq\t%rsp, ", name)) return name;
  }
  return "";
}

// The registers that point to the stack, at each instruction of a function.
class StackPointers {
 public:
  // Returns true if the address of a load or store is on the stack.
  bool Address(absl::string_view instruction) const {
    return std::any_of(
        names_.begin(), names_.end(),
        [&](const std::string& name) { return Addresses(instruction, name); });
  }

  // Follows the effect of an instruction on the registers.
  void Read(absl::string_view instruction) {
    if (IsReturn(instruction)) {
      // The registers that the epilogue restored have their pointers in the
      // code after it, which jumps reach from before the epilogue.
      names_.insert(overwritten_.begin(), overwritten_.end());
      return;
    }
    const std::string frame = FramePointer(instruction);
    if (!frame.empty()) names_.insert(frame);
    if (!frame.empty() || MovesPointer(instruction)) return;
    for (const std::string& result : Results(instruction)) {
      if (IsStackPointer(result) || names_.erase(result) == 0) continue;
      overwritten_.insert(result);
    }
  }

  // Begins a part of the function to which code can jump.
  void ReadLabel() { overwritten_.clear(); }

 private:
  static bool IsStackPointer(absl::string_view name) {
    return name == "sp" || name == "%rsp";
  }

  // Returns true if the result is computed from a pointer to the stack, and
  // thus points to the stack as well.
  bool MovesPointer(absl::string_view instruction) const {
    if (!StartsWithAny(instruction, {"add", "sub", "and", "bic", "lea"})) {
      return false;
    }
    std::vector<absl::string_view> sources = Names(instruction);
    if (sources.empty()) return false;
    // Only AT&T syntax has instructions whose destination is also a source.
    if (!IsX86(instruction)) {
      sources.erase(sources.begin());
    } else if (absl::StartsWith(instruction, "lea")) {
      sources.pop_back();
    }
    return std::any_of(sources.begin(), sources.end(),
                       [&](absl::string_view name) {
                         return names_.count(std::string(name)) > 0;
                       });
  }

  std::set<std::string> names_ = {"sp", "%rsp"};
  // Those that lost their pointer since the last label.
  std::set<std::string> overwritten_;
};

// Collects the functions of one file, line by line.
class Reader {
 public:
  void Read(absl::string_view whole) {
    // Comment syntax of x86, ARM and AArch64 assembly.
    absl::string_view line = whole.substr(0, whole.find("//"));
    line = line.substr(0, line.find(" # "));
    line = line.substr(0, line.find(" @ "));
    const absl::string_view comment = whole.substr(line.size());
    const absl::string_view text = absl::StripAsciiWhitespace(line);
    if (absl::EndsWith(text, ":")) {
      const absl::string_view label = absl::StripSuffix(text, ":");
      if (absl::StartsWith(label, ".L")) {
        labels_[std::string(label)] = instructions_.size();
        stack_pointers_.ReadLabel();
      } else {
        EndFunction();
      }
    } else if (absl::StartsWith(line, "\t") && !absl::StartsWith(text, ".")) {
      ReadInstruction(text, comment);
    }
  }

  void EndFunction() {
    for (const auto& [begin, end] : jumps_) {
      if (!IsInnermost(begin, end)) continue;
      InnerLoop loop;
      loop.instructions.assign(instructions_.begin() + begin,
                               instructions_.begin() + end);
      loop.on_stack.assign(on_stack_.begin() + begin, on_stack_.begin() + end);
      for (const std::string& instruction : loop.instructions) {
        loop.multiply_adds += IsMultiplyAdd(instruction);
        loop.products += IsProduct(instruction);
      }
      if (loop.multiply_adds + loop.products > 0) {
        loops_.push_back(std::move(loop));
      }
    }
    instructions_.clear();
    on_stack_.clear();
    labels_.clear();
    jumps_.clear();
    stack_pointers_ = StackPointers();
  }

  std::vector<InnerLoop> loops() && { return std::move(loops_); }

 private:
  void ReadInstruction(absl::string_view text, absl::string_view comment) {
    instructions_.emplace_back(text);
    on_stack_.push_back(IsMarked(comment) || stack_pointers_.Address(text));
    stack_pointers_.Read(text);
    const auto label =
        labels_.find(std::string(text.substr(text.find_last_of("\t ") + 1)));
    if (label == labels_.end()) return;
    // The last jump to a label is the end of the loop.
    jumps_[label->second] = instructions_.size();
  }

  bool IsInnermost(size_t begin, size_t end) const {
    for (const auto& [b, e] : jumps_) {
      if (b >= begin && e <= end && (b != begin || e != end)) return false;
    }
    return true;
  }

  std::vector<std::string> instructions_;
  std::vector<bool> on_stack_;            // see InnerLoop
  std::map<std::string, size_t> labels_;  // labels so far
  std::map<size_t, size_t> jumps_;        // backward jumps: from label to end
  StackPointers stack_pointers_;
  std::vector<InnerLoop> loops_;
};

}  // namespace

bool IsMultiplyAdd(absl::string_view instruction) {
  if (StartsWithAny(instruction, {"mla", "smlal"})) {
    const std::vector<absl::string_view> names = Names(instruction);
    return !names.empty() && absl::StartsWith(names[0], "v");
  }
  return StartsWithAny(instruction, {"fmla", "fmadd", "sdot", "udot", "vfmadd",
                                     "vfnmadd", "vpdp", "vmla", "vfma"});
}

bool IsProduct(absl::string_view instruction) {
  return StartsWithAny(instruction, {"vmulps", "vmulpd", "mulps", "mulpd"});
}

std::vector<std::string> InnerLoop::Spills() const {
  std::vector<std::string> spills;
  for (size_t i = 0; i < instructions.size(); ++i) {
    if (on_stack[i]) spills.push_back(instructions[i]);
  }
  return spills;
}

std::vector<std::string> InnerLoop::Stores() const {
  std::vector<std::string> stores;
  for (const std::string& instruction : instructions) {
    if (IsStore(instruction)) stores.push_back(instruction);
  }
  return stores;
}

std::string InnerLoop::Text() const {
  return absl::StrJoin(instructions, "\n");
}

std::vector<InnerLoop> InnerLoops(absl::string_view assembly) {
  Reader reader;
  for (absl::string_view line : absl::StrSplit(assembly, '\n')) {
    reader.Read(line);
  }
  reader.EndFunction();
  std::vector<InnerLoop> loops = std::move(reader).loops();
  // Loops with the same counts stay in text order.
  std::vector<std::tuple<int, int, size_t>> order;
  for (size_t i = 0; i < loops.size(); ++i) {
    order.emplace_back(-loops[i].multiply_adds, -loops[i].products, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<InnerLoop> sorted;
  for (const auto& [multiply_adds, products, i] : order) {
    sorted.push_back(std::move(loops[i]));
  }
  return sorted;
}

}  // namespace assay::codegen
