#include "compiler/graph/reference/sums.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "runtime/base/check.h"

namespace assay::graph::reference {
namespace {

// Fewer products are not worth starting threads.
constexpr int64_t kProductsForThreads = 1 << 20;

// The rows whose sums are in registers at the same time.
constexpr int64_t kTileRows = 4;

using Vector = double __attribute__((vector_size(kLanes * sizeof(double))));

// Adds to the sums of some rows and kLanes columns. `sums` are those of the
// first row; those of the next row are `next` further. The function is compiled
// once for each set of vector instructions. Products are rounded before they
// are added, even if the machine has fused multiply-adds.
using Tile = void (*)(const double* rows, int64_t stride, const double* lanes,
                      int64_t steps, double* sums, int64_t next);

template <int64_t kRows>
inline __attribute__((always_inline)) void SumTile(const double* rows,
                                                   int64_t stride,
                                                   const double* lanes,
                                                   int64_t steps, double* sums,
                                                   int64_t next) {
#pragma clang fp contract(off)
  Vector tile[kRows];
  for (int64_t r = 0; r < kRows; ++r) {
    std::memcpy(&tile[r], sums + r * next, sizeof(Vector));
  }
  for (int64_t t = 0; t < steps; ++t) {
    Vector vector;
    std::memcpy(&vector, lanes + t * kLanes, sizeof(vector));
    for (int64_t r = 0; r < kRows; ++r) {
      tile[r] += rows[r * stride + t] * vector;
    }
  }
  for (int64_t r = 0; r < kRows; ++r) {
    std::memcpy(sums + r * next, &tile[r], sizeof(Vector));
  }
}

template <int64_t kRows>
void SumTileByDefault(const double* rows, int64_t stride, const double* lanes,
                      int64_t steps, double* sums, int64_t next) {
  SumTile<kRows>(rows, stride, lanes, steps, sums, next);
}

#if defined(__x86_64__)
template <int64_t kRows>
__attribute__((target("avx2"))) void SumTileByAvx2(const double* rows,
                                                   int64_t stride,
                                                   const double* lanes,
                                                   int64_t steps, double* sums,
                                                   int64_t next) {
  SumTile<kRows>(rows, stride, lanes, steps, sums, next);
}

template <int64_t kRows>
__attribute__((target("avx512f"))) void SumTileByAvx512(
    const double* rows, int64_t stride, const double* lanes, int64_t steps,
    double* sums, int64_t next) {
  SumTile<kRows>(rows, stride, lanes, steps, sums, next);
}

template <int64_t kRows>
Tile TileOf() {
  static const Tile tile =
      __builtin_cpu_supports("avx512f") ? SumTileByAvx512<kRows>
      : __builtin_cpu_supports("avx2")  ? SumTileByAvx2<kRows>
                                        : SumTileByDefault<kRows>;
  return tile;
}
#else
template <int64_t kRows>
Tile TileOf() {
  return SumTileByDefault<kRows>;
}
#endif

}  // namespace

BlockSums::BlockSums(int64_t rows, int64_t columns)
    : rows_(rows),
      vectors_((columns + kLanes - 1) / kLanes),
      sums_(static_cast<size_t>(rows * vectors_ * kLanes), 0.0) {
  CHECK_LE(rows, kBlockRows);
  CHECK_LE(columns, kBlockColumns);
}

double* BlockSums::Panel(int64_t steps) {
  panel_.assign(static_cast<size_t>(steps * vectors_ * kLanes), 0.0);
  return panel_.data();
}

void BlockSums::Add(const double* a, int64_t stride, int64_t steps) {
  const int64_t next = vectors_ * kLanes;
  for (int64_t row = 0; row < rows_;) {
    const bool whole = row + kTileRows <= rows_;
    const Tile tile = whole ? TileOf<kTileRows>() : TileOf<1>();
    for (int64_t v = 0; v < vectors_; ++v) {
      tile(a + row * stride, stride, &panel_[v * steps * kLanes], steps,
           &sums_[row * next + v * kLanes], next);
    }
    row += whole ? kTileRows : 1;
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
