#include "suites/kernels/spill_count.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/codegen/inner_loops.h"

namespace assay::suites {
namespace {

using target::Arch;

// Maximum number of loops that ToString() describes.
constexpr size_t kMostLoops = 6;

// Returns the operands of an instruction, which follow its name.
absl::string_view Operands(absl::string_view instruction) {
  return absl::StripLeadingAsciiWhitespace(instruction.substr(
      std::min(instruction.size(), instruction.find_first_of(" \t"))));
}

bool NamesVector(absl::string_view instruction, Arch arch) {
  const absl::string_view o = Operands(instruction);
  switch (arch) {
    case Arch::kX86_64:
      return absl::StrContains(o, "%xmm") || absl::StrContains(o, "%ymm") ||
             absl::StrContains(o, "%zmm");
    case Arch::kAArch64:
      // `v0.4s`, and `q0`, `d0` in moves.
      return !o.empty() && (o[0] == 'q' || o[0] == 'v' || o[0] == 'd' ||
                            absl::StartsWith(o, "{ v"));
    case Arch::kArm:
      return absl::StartsWith(instruction, "v");
    case Arch::kNone:
      break;
  }
  return false;
}

bool IsStore(absl::string_view instruction, Arch arch) {
  // In AT&T syntax, the destination is the last operand.
  if (arch == Arch::kX86_64) return absl::EndsWith(instruction, ")");
  return absl::StartsWith(instruction, "st") ||
         absl::StartsWith(instruction, "vst") ||
         absl::StartsWith(instruction, "vpush");
}

}  // namespace

std::vector<LoopSpills> CountSpills(absl::string_view assembly, Arch arch) {
  std::vector<LoopSpills> loops, products;
  for (const codegen::InnerLoop& loop : codegen::InnerLoops(assembly)) {
    LoopSpills count;
    for (const std::string& instruction : loop.instructions) {
      if (!NamesVector(instruction, arch)) continue;
      count.multiply_adds += codegen::IsMultiplyAdd(instruction);
      count.products += codegen::IsProduct(instruction);
    }
    for (const std::string& instruction : loop.Spills()) {
      if (!NamesVector(instruction, arch)) continue;
      ++(IsStore(instruction, arch) ? count.stores : count.reloads);
    }
    if (count.multiply_adds > 0) {
      count.products = 0;
      loops.push_back(count);
    } else if (count.products > 0) {
      products.push_back(count);
    }
  }
  return loops.empty() ? products : loops;
}

std::string ToString(const std::vector<LoopSpills>& loops) {
  if (loops.empty()) return "no innermost loop multiplies and adds vectors";
  // The smaller loops of partial tiles matter little.
  std::vector<LoopSpills> largest = loops;
  std::sort(largest.begin(), largest.end(),
            [](const LoopSpills& a, const LoopSpills& b) {
              return std::tie(b.multiply_adds, b.products, b.stores,
                              b.reloads) <
                     std::tie(a.multiply_adds, a.products, a.stores, a.reloads);
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
    const int count = l.multiply_adds + l.products;
    absl::StrAppend(out, " in a loop of ", count,
                    l.products > 0 ? " product" : " multiply-add",
                    count == 1 ? "" : "s");
  };
  return absl::StrCat(absl::StrJoin(largest, "; ", text), more);
}

}  // namespace assay::suites
