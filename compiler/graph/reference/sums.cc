#include "compiler/graph/reference/sums.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

namespace assay::graph::reference {
namespace {

// Fewer products are not worth starting threads.
constexpr int64_t kProductsForThreads = 1 << 20;

// The rows whose sums are in registers at the same time.
constexpr int64_t kTileRows = 4;

using Vector = double __attribute__((vector_size(kLanes * sizeof(double))));

// A function that is compiled once for each set of vector instructions.
// Products are rounded before they are added, even if the machine has fused
// multiply-adds.
using Tile = void (*)(const double* rows, int64_t stride, const double* lanes,
                      int64_t steps, double* sums);

template <int64_t kRows>
inline __attribute__((always_inline)) void SumTile(const double* rows,
                                                   int64_t stride,
                                                   const double* lanes,
                                                   int64_t steps,
                                                   double* sums) {
#pragma clang fp contract(off)
  Vector tile[kRows] = {};
  for (int64_t t = 0; t < steps; ++t) {
    Vector vector;
    std::memcpy(&vector, lanes + t * kLanes, sizeof(vector));
    for (int64_t r = 0; r < kRows; ++r)
      tile[r] += rows[r * stride + t] * vector;
  }
  std::memcpy(sums, tile, sizeof(tile));
}

template <int64_t kRows>
void SumTileByDefault(const double* rows, int64_t stride, const double* lanes,
                      int64_t steps, double* sums) {
  SumTile<kRows>(rows, stride, lanes, steps, sums);
}

#if defined(__x86_64__)
template <int64_t kRows>
__attribute__((target("avx2"))) void SumTileByAvx2(const double* rows,
                                                   int64_t stride,
                                                   const double* lanes,
                                                   int64_t steps,
                                                   double* sums) {
  SumTile<kRows>(rows, stride, lanes, steps, sums);
}

template <int64_t kRows>
Tile TileOf() {
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  return has_avx2 ? SumTileByAvx2<kRows> : SumTileByDefault<kRows>;
}
#else
template <int64_t kRows>
Tile TileOf() {
  return SumTileByDefault<kRows>;
}
#endif

}  // namespace

void SumProducts(const double* rows, int64_t count, int64_t stride,
                 const double* lanes, int64_t steps,
                 std::vector<double>& sums) {
  sums.resize(static_cast<size_t>(count * kLanes));
  int64_t row = 0;
  for (; row + kTileRows <= count; row += kTileRows) {
    TileOf<kTileRows>()(rows + row * stride, stride, lanes, steps,
                        &sums[row * kLanes]);
  }
  for (; row < count; ++row) {
    TileOf<1>()(rows + row * stride, stride, lanes, steps, &sums[row * kLanes]);
  }
}

void ForEachInParallel(int64_t count, int64_t products,
                       const std::function<void(int64_t)>& work) {
  std::atomic<int64_t> next = 0;
  const auto take = [&] {
    for (int64_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::thread> threads;
  const int64_t processors = count * products >= kProductsForThreads
                                 ? std::thread::hardware_concurrency()
                                 : 1;
  const int64_t helpers = std::min(processors, count) - 1;
  for (int64_t i = 0; i < helpers; ++i) threads.emplace_back(take);
  take();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace assay::graph::reference
