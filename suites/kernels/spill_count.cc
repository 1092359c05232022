#include "suites/kernels/spill_count.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace assay::suites {
namespace {

using target::Arch;

// Maximum number of loops that ToString() describes.
constexpr size_t kMostLoops = 6;

struct Instruction {
  absl::string_view name;
  absl::string_view operands;
  absl::string_view comment;
};

// The instructions in order, and the index of the instruction after each label.
struct Listing {
  std::vector<Instruction> instructions;
  absl::flat_hash_map<absl::string_view, size_t> labels;
};

absl::string_view CommentMark(Arch arch) {
  switch (arch) {
    case Arch::kX86_64:
      return "#";
    case Arch::kAArch64:
      return "//";
    case Arch::kArm:
      return "@";
    case Arch::kNone:
      break;
  }
  return "#";
}

Listing Read(absl::string_view assembly, Arch arch) {
  Listing listing;
  for (absl::string_view line : absl::StrSplit(assembly, '\n')) {
    Instruction instruction;
    const size_t mark = line.find(CommentMark(arch));
    if (mark != absl::string_view::npos) {
      instruction.comment = line.substr(mark);
      line = line.substr(0, mark);
    }
    line = absl::StripAsciiWhitespace(line);
    if (line.empty()) continue;
    if (line.back() == ':') {
      line.remove_suffix(1);
      listing.labels[line] = listing.instructions.size();
      continue;
    }
    if (line.front() == '.') continue;
    const size_t space = line.find_first_of(" \t");
    instruction.name = line.substr(0, space);
    if (space != absl::string_view::npos) {
      instruction.operands = absl::StripAsciiWhitespace(line.substr(space));
    }
    listing.instructions.push_back(instruction);
  }
  return listing;
}

// Indices of the first and last instruction.
using Loop = std::pair<size_t, size_t>;

std::vector<Loop> InnermostLoops(const Listing& listing) {
  std::vector<Loop> loops;
  for (size_t i = 0; i < listing.instructions.size(); ++i) {
    const Instruction& jump = listing.instructions[i];
    if (jump.operands.empty() || jump.name.empty() ||
        (jump.name[0] != 'j' && jump.name[0] != 'b' && jump.name[0] != 'c' &&
         jump.name[0] != 't')) {
      continue;
    }
    // The label is the last operand: `jne .L2`, `cbnz x8, .L2`.
    const std::vector<absl::string_view> operands =
        absl::StrSplit(jump.operands, ", ");
    const auto label = listing.labels.find(operands.back());
    if (label != listing.labels.end() && label->second <= i) {
      loops.push_back({label->second, i});
    }
  }
  std::vector<Loop> innermost;
  for (const Loop& loop : loops) {
    bool has_inner = false;
    for (const Loop& other : loops) {
      has_inner |= other != loop && other.first >= loop.first &&
                   other.second <= loop.second;
    }
    if (!has_inner) innermost.push_back(loop);
  }
  return innermost;
}

bool NamesVector(const Instruction& i, Arch arch) {
  const absl::string_view o = i.operands;
  switch (arch) {
    case Arch::kX86_64:
      return absl::StrContains(o, "%xmm") || absl::StrContains(o, "%ymm") ||
             absl::StrContains(o, "%zmm");
    case Arch::kAArch64:
      // `v0.4s`, and `q0`, `d0` in moves.
      return !o.empty() && (o[0] == 'q' || o[0] == 'v' || o[0] == 'd' ||
                            absl::StartsWith(o, "{ v"));
    case Arch::kArm:
      return absl::StartsWith(i.name, "v");
    case Arch::kNone:
      break;
  }
  return false;
}

bool IsMultiplyAdd(const Instruction& i, Arch arch) {
  switch (arch) {
    case Arch::kX86_64:
      // Without FMA, count the multiplications only.
      return NamesVector(i, arch) && (absl::StartsWith(i.name, "vfmadd") ||
                                      absl::StartsWith(i.name, "vfnmadd") ||
                                      absl::StartsWith(i.name, "vpdp") ||
                                      absl::StrContains(i.name, "mulps") ||
                                      absl::StrContains(i.name, "mulpd"));
    case Arch::kAArch64:
      return absl::StartsWith(i.name, "fmla") ||
             absl::StartsWith(i.name, "mla") ||
             absl::StartsWith(i.name, "smlal") || i.name == "sdot" ||
             i.name == "udot";
    case Arch::kArm:
      return absl::StartsWith(i.name, "vmla") ||
             absl::StartsWith(i.name, "vfma");
    case Arch::kNone:
      break;
  }
  return false;
}

// Returns the frame pointer if the function sets one up, or else an empty
// string, because the register is then available for other uses.
absl::string_view FramePointer(const Listing& listing, Arch arch) {
  for (const Instruction& i : listing.instructions) {
    const absl::string_view o = i.operands;
    if (arch == Arch::kX86_64 && o == "%rsp, %rbp") return "(%rbp";
    if (arch == Arch::kAArch64 && absl::StartsWith(o, "x29, sp")) return "[x29";
    if (arch == Arch::kArm && absl::StartsWith(o, "r11, sp")) return "[r11";
  }
  return "";
}

bool OnStack(const Instruction& i, Arch arch, absl::string_view frame) {
  const absl::string_view pointer = arch == Arch::kX86_64 ? "(%rsp" : "[sp";
  return absl::StrContains(i.operands, pointer) ||
         (!frame.empty() && absl::StrContains(i.operands, frame)) ||
         absl::StrContains(i.comment, "byte Spill") ||
         absl::StrContains(i.comment, "byte Reload") ||
         absl::StrContains(i.comment, "byte Folded");
}

bool IsStore(const Instruction& i, Arch arch) {
  if (arch == Arch::kX86_64) {
    // In AT&T syntax, the destination is the last operand.
    return i.operands.back() == ')';
  }
  return absl::StartsWith(i.name, "st") || absl::StartsWith(i.name, "vst") ||
         absl::StartsWith(i.name, "vpush");
}

}  // namespace

std::vector<LoopSpills> CountSpills(absl::string_view assembly, Arch arch) {
  const Listing listing = Read(assembly, arch);
  const absl::string_view frame = FramePointer(listing, arch);
  std::vector<LoopSpills> loops;
  for (const auto& [first, last] : InnermostLoops(listing)) {
    LoopSpills count;
    for (size_t k = first; k <= last; ++k) {
      const Instruction& i = listing.instructions[k];
      if (IsMultiplyAdd(i, arch)) ++count.multiply_adds;
      if (!NamesVector(i, arch) || !OnStack(i, arch, frame)) continue;
      ++(IsStore(i, arch) ? count.stores : count.reloads);
    }
    if (count.multiply_adds > 0) loops.push_back(count);
  }
  return loops;
}

std::string ToString(const std::vector<LoopSpills>& loops) {
  if (loops.empty()) return "no innermost loop multiplies and adds vectors";
  // The smaller loops of partial tiles matter little.
  std::vector<LoopSpills> largest = loops;
  std::sort(largest.begin(), largest.end(),
            [](const LoopSpills& a, const LoopSpills& b) {
              return std::tie(b.multiply_adds, b.stores, b.reloads) <
                     std::tie(a.multiply_adds, a.stores, a.reloads);
            });
  std::string more;
  if (largest.size() > kMostLoops) {
    const size_t others = largest.size() - kMostLoops;
    more = absl::StrCat("; and ", others, others == 1 ? " loop" : " loops",
                        " with no more");
    largest.resize(kMostLoops);
  }
  const auto text = [](std::string* out, const LoopSpills& l) {
    if (l.stores + l.reloads == 0) {
      absl::StrAppend(out, "none");
    } else {
      absl::StrAppend(out, "stored ", l.stores, ", reloaded ", l.reloads);
    }
    absl::StrAppend(out, " in a loop of ", l.multiply_adds, " multiply-add",
                    l.multiply_adds == 1 ? "" : "s");
  };
  return absl::StrCat(absl::StrJoin(largest, "; ", text), more);
}

}  // namespace assay::suites
