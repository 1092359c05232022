#include "reports/stats/block_design.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"
#include "runtime/base/shuffle.h"

namespace assay::stats {
int RoundsPerBlock(int contenders) {
  CHECK_GE(contenders, 1);
  return contenders % 2 == 0 || contenders == 1 ? contenders : 2 * contenders;
}

std::vector<std::vector<int>> BlockDesign(int contenders, uint64_t seed,
                                          int64_t block) {
  const int n = contenders;
  const int rounds = RoundsPerBlock(n);
  Rng rng(SeedFor(seed, absl::StrCat("block ", block)));
  std::vector<int> label(static_cast<size_t>(n));
  std::iota(label.begin(), label.end(), 0);
  Shuffle(label, rng);

  // The first row is 0, 1, n-1, 2, n-2 ...: its differences are distinct modulo
  // n, so if n is even, the rows obtained by adding 1, 2 ... contain each
  // ordered pair of neighbours once. For odd n the second half mirrors the
  // first.
  std::vector<std::vector<int>> result;
  for (int row = 0; row < rounds; ++row) {
    std::vector<int> order;
    for (int place = 0; place < n; ++place) {
      const int zigzag = place % 2 == 1 ? (place + 1) / 2 : n - place / 2;
      order.push_back(label[static_cast<size_t>((zigzag + row) % n)]);
    }
    if (row >= n) std::reverse(order.begin(), order.end());
    result.push_back(order);
  }
  Shuffle(result, rng);
  return result;
}

}  // namespace assay::stats
