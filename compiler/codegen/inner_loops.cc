#include "compiler/codegen/inner_loops.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

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
      loop.multiply_adds = static_cast<int>(
          std::count_if(loop.instructions.begin(), loop.instructions.end(),
                        [](const std::string& i) { return IsMultiplyAdd(i); }));
      if (loop.multiply_adds > 0) loops_.push_back(std::move(loop));
    }
    instructions_.clear();
    on_stack_.clear();
    labels_.clear();
    jumps_.clear();
    stack_pointers_ = {"sp", "%rsp"};
  }

  std::vector<InnerLoop> loops() && { return std::move(loops_); }

 private:
  void ReadInstruction(absl::string_view text, absl::string_view comment) {
    instructions_.emplace_back(text);
    on_stack_.push_back(IsMarked(comment) ||
                        std::any_of(stack_pointers_.begin(),
                                    stack_pointers_.end(),
                                    [text](const std::string& pointer) {
                                      return Addresses(text, pointer);
                                    }));
    const std::string frame = FramePointer(text);
    if (!frame.empty()) stack_pointers_.push_back(frame);
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
  // Names of the registers that point to the stack.
  std::vector<std::string> stack_pointers_ = {"sp", "%rsp"};
  std::vector<InnerLoop> loops_;
};

}  // namespace

bool IsMultiplyAdd(absl::string_view instruction) {
  for (const char* prefix :
       {"fmla", "fmadd", "mla", "smlal", "sdot", "udot", "vfmadd", "vfnmadd",
        "vpdp", "vmla", "vfma", "vmulps", "vmulpd", "mulps", "mulpd"}) {
    if (absl::StartsWith(instruction, prefix)) return true;
  }
  return false;
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
  // Stable: loops with the same count stay in text order.
  std::vector<std::pair<int, size_t>> order;
  for (size_t i = 0; i < loops.size(); ++i) {
    order.emplace_back(-loops[i].multiply_adds, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<InnerLoop> sorted;
  for (const auto& [count, i] : order) sorted.push_back(std::move(loops[i]));
  return sorted;
}

}  // namespace assay::codegen
