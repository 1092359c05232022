#include "suites/comparison/align_kernels.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace assay::suites {
namespace {

// Returns the keys by which calls are matched: the source nodes, or if there
// are none, the kind and the number of earlier such calls of this kind.
std::vector<std::pair<std::string, int64_t>> Marks(
    const runtime::KernelCall& call,
    absl::flat_hash_map<std::string, int64_t>* kinds) {
  std::vector<std::pair<std::string, int64_t>> marks;
  for (const std::string& source : call.sources) marks.push_back({source, -1});
  if (marks.empty()) marks.push_back({call.kind, (*kinds)[call.kind]++});
  return marks;
}

bool IsSameCode(const AlignedKernels& piece,
                absl::Span<const runtime::KernelCall> base,
                absl::Span<const runtime::KernelCall> run) {
  return std::equal(piece.base.begin(), piece.base.end(), piece.run.begin(),
                    piece.run.end(), [&](int64_t b, int64_t r) {
                      const std::string& digest =
                          base[static_cast<size_t>(b)].code_digest;
                      return !digest.empty() &&
                             digest == run[static_cast<size_t>(r)].code_digest;
                    });
}

}  // namespace

std::vector<AlignedKernels> AlignKernels(
    absl::Span<const runtime::KernelCall> base,
    absl::Span<const runtime::KernelCall> run) {
  absl::flat_hash_map<std::pair<std::string, int64_t>, size_t> first_of_mark;
  absl::flat_hash_map<std::string, int64_t> base_kinds, run_kinds;
  const auto call_of = [&](size_t i) -> const runtime::KernelCall& {
    return i < base.size() ? base[i] : run[i - base.size()];
  };
  const size_t count = base.size() + run.size();
  // The part of each call, those of the run after those of the base. A part is
  // named by its first call.
  std::vector<size_t> parts(count);
  std::iota(parts.begin(), parts.end(), size_t{0});
  for (size_t i = 0; i < count; ++i) {
    auto* kinds = i < base.size() ? &base_kinds : &run_kinds;
    for (const auto& mark : Marks(call_of(i), kinds)) {
      const size_t other = first_of_mark.try_emplace(mark, i).first->second;
      const auto [first, second] = std::minmax({parts[i], parts[other]});
      if (first != second) {
        std::replace(parts.begin(), parts.end(), second, first);
      }
    }
  }
  std::map<size_t, AlignedKernels> by_first;
  absl::flat_hash_map<std::string, size_t> listed;
  for (size_t i = 0; i < count; ++i) {
    AlignedKernels& piece = by_first[parts[i]];
    if (i < base.size()) {
      piece.base.push_back(static_cast<int64_t>(i));
    } else {
      piece.run.push_back(static_cast<int64_t>(i - base.size()));
    }
    for (const std::string& source : call_of(i).sources) {
      if (listed.try_emplace(source, i).second) piece.sources.push_back(source);
    }
  }
  std::vector<AlignedKernels> result;
  for (auto& [first, piece] : by_first) {
    piece.same_code = IsSameCode(piece, base, run);
    result.push_back(std::move(piece));
  }
  return result;
}

}  // namespace assay::suites
