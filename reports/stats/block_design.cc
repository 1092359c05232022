#include "reports/stats/block_design.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"

namespace assay::stats {
namespace {

// Every permutation equally likely (Fisher and Yates, 1938).
template <typename T>
void Shuffle(std::vector<T>& items, Rng& rng) {
  for (size_t i = items.size(); i > 1; --i) {
    const int64_t j = rng.UniformInt(0, static_cast<int64_t>(i) - 1);
    std::swap(items[i - 1], items[static_cast<size_t>(j)]);
  }
}

}  // namespace

int RoundsPerBlock(int arms) {
  CHECK_GE(arms, 1);
  return arms % 2 == 0 || arms == 1 ? arms : 2 * arms;
}

std::vector<std::vector<int>> BlockDesign(int arms, uint64_t seed,
                                          int64_t block) {
  const int rounds = RoundsPerBlock(arms);
  Rng rng(SeedFor(seed, absl::StrCat("block ", block)));
  std::vector<int> label(static_cast<size_t>(arms));
  std::iota(label.begin(), label.end(), 0);
  Shuffle(label, rng);

  // The first row is 0, 1, n-1, 2, n-2 ...: its steps are all different modulo
  // n, so the rows that arise by adding 1, 2 ... hold each pair of neighbours
  // once if n is even. For odd n the second half is the first one backwards.
  std::vector<std::vector<int>> result;
  for (int row = 0; row < rounds; ++row) {
    std::vector<int> order;
    for (int place = 0; place < arms; ++place) {
      const int zigzag = place % 2 == 1 ? (place + 1) / 2 : arms - place / 2;
      order.push_back(label[static_cast<size_t>((zigzag + row) % arms)]);
    }
    if (row >= arms) std::reverse(order.begin(), order.end());
    result.push_back(order);
  }
  Shuffle(result, rng);
  return result;
}

}  // namespace assay::stats
