#include "runtime/tools/count/region_counts.h"

#include <cstddef>
#include <numeric>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace assay::runtime {
namespace {

// Returns pointers to all numbers, in the order of the text.
template <typename Counts>
auto Numbers(Counts& counts) {
  std::vector<decltype(&counts.loads)> numbers;
  for (auto& number : counts.instructions) numbers.push_back(&number);
  numbers.insert(numbers.end(),
                 {&counts.loads, &counts.stores, &counts.loaded_bytes,
                  &counts.stored_bytes, &counts.lines});
  return numbers;
}

}  // namespace

int64_t RegionCounts::Total() const {
  return std::accumulate(instructions.begin(), instructions.end(), int64_t{0});
}

bool operator==(const RegionCounts& a, const RegionCounts& b) {
  return a.instructions == b.instructions && a.loads == b.loads &&
         a.stores == b.stores && a.loaded_bytes == b.loaded_bytes &&
         a.stored_bytes == b.stored_bytes && a.lines == b.lines;
}

RegionCounts& operator+=(RegionCounts& a, const RegionCounts& b) {
  const auto to = Numbers(a);
  const auto from = Numbers(b);
  for (size_t i = 0; i < to.size(); ++i) *to[i] += *from[i];
  return a;
}

RegionCounts& operator-=(RegionCounts& a, const RegionCounts& b) {
  const int64_t lines = a.lines;
  const auto to = Numbers(a);
  const auto from = Numbers(b);
  for (size_t i = 0; i < to.size(); ++i) *to[i] -= *from[i];
  a.lines = lines;
  return a;
}

std::string RegionLine(const RegionCounts& counts) {
  std::string line = "region";
  for (const int64_t* number : Numbers(counts)) {
    absl::StrAppend(&line, " ", *number);
  }
  return line + "\n";
}

std::optional<RegionCounts> ParseRegionLine(absl::string_view line) {
  const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
  RegionCounts counts;
  const auto numbers = Numbers(counts);
  if (words[0] != "region" || words.size() != numbers.size() + 1) {
    return std::nullopt;
  }
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (!absl::SimpleAtoi(words[i + 1], numbers[i]) || *numbers[i] < 0) {
      return std::nullopt;
    }
  }
  return counts;
}

}  // namespace assay::runtime
