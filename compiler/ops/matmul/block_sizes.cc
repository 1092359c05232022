#include "compiler/ops/matmul/block_sizes.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "absl/strings/string_view.h"
#include "compiler/ops/dot_tile.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/register_tile.h"
#include "compiler/ops/schedule_generic.h"

namespace assay::ops {
namespace {

int64_t RoundUp(int64_t value, int64_t multiple) {
  return CeilDiv(value, multiple) * multiple;
}

// The number of threads, or a usual one if it is unknown.
int64_t ExpectedThreads(const target::Target& target) {
  return target.num_cores() > 0 ? target.num_cores() : 4;
}

// Divides `count` items of equal size into parts of about equal size that fit
// in `bytes`; the number of parts is a multiple of `parts_of` if there are
// enough items. Returns the items per part.
int64_t PartSize(int64_t count, int64_t bytes_each, int64_t bytes,
                 int64_t parts_of) {
  const int64_t most = std::clamp<int64_t>(bytes / bytes_each, 1, count);
  int64_t parts = CeilDiv(count, most);
  if (count >= parts_of) parts = CeilDiv(parts, parts_of) * parts_of;
  return CeilDiv(count, std::min(parts, count));
}

// Ratio of the work of the busiest thread to the average when the threads run
// blocks of `size` items out of `count`.
double Unevenness(int64_t count, int64_t size, int64_t threads) {
  const int64_t blocks = CeilDiv(CeilDiv(count, size), threads);
  return static_cast<double>(blocks * size * threads) / count;
}

// A panel of columns is multiplied by all rows of a block, and each row of the
// result is in a different page. A first-level TLB holds 64 pages, including
// those of the panels. Measured: 48 rows are 3 to 7 % faster than 138.
constexpr int64_t kRowsInReach = 48;

// A thread with its own columns does not wait for others but packs the whole
// first operand again; with this many columns the cost is hidden.
constexpr int64_t kColumnsWorthPacking = 256;

// The multiply-adds of a product of few rows that takes as long as starting
// threads for it.
constexpr int64_t kWorkForThreads = 1 << 18;

// Up to this imbalance the threads divide whole matrices, or the columns of few
// rows.
constexpr double kEvenEnough = 1.1;

// The number of vectors in a panel of `n` columns that fewer than kMinRows rows
// are multiplied by. Few rows need many vectors, or else too few accumulators
// are independent of each other to hide the latency of multiply-adds.
int64_t VectorsForFewRows(const target::Target& target, int64_t m, int64_t n) {
  int64_t best = 1;
  double best_cycles = std::numeric_limits<double>::infinity();
  for (const int64_t vectors : kPanelVectors) {
    const bool fits = MaxTileRows(target, vectors) >= m &&
                      (m + 1) * vectors < target.vector_registers();
    if (!fits && vectors > 1) continue;
    const double cycles =
        TileStepCycles(target, m, vectors) *
        static_cast<double>(CeilDiv(n, vectors * FloatLanes(target)));
    if (cycles >= best_cycles) continue;
    best = vectors;
    best_cycles = cycles;
  }
  return best;
}

// The blocks for fewer than kMinRows rows. Each element of the columns is read
// once, so nothing is gained from keeping a part of them in a cache.
Config BlocksForFewRows(const MatmulSizes& s, const target::Target& target,
                        int64_t depth) {
  const int64_t lanes = FloatLanes(target);
  const int64_t vectors =
      s.panel > 0 ? s.panel / lanes : VectorsForFewRows(target, s.m, s.n);
  const int64_t panels = CeilDiv(s.n, vectors * lanes);
  const int64_t threads = ExpectedThreads(target);
  const bool parallel = panels > 1 && s.m * s.n * s.k >= kWorkForThreads;
  return Config()
      .SetKnob("mr", std::min(MaxTileRows(target, vectors), s.m))
      .SetKnob("nr", vectors * lanes)
      .SetKnob("mc", 1)
      .SetKnob("kc", s.panel > 0 ? s.panel_k : RoundUp(s.k, depth))
      .SetKnob("nc", parallel ? CeilDiv(panels, threads) : panels)
      .SetKnob("parallel", parallel ? kOverColumns : kOverRows);
}

}  // namespace

std::vector<graph::Encoding> FloatPanels(const OpInstance& op,
                                         const target::Target& target) {
  const MatmulSizes s = SizesOf(op);
  if (!IsMatrixProduct(op) || op.inputs[0].dtype != DType::Float32() ||
      op.inputs[1].dtype != DType::Float32() || s.n < FloatLanes(target) ||
      s.k < kMinSteps) {
    return {};
  }
  const Config blocks = DefaultBlocks(s, target, 4, /*depth=*/1);
  graph::Panels panels;
  panels.width = blocks.Knob("nr");
  panels.depth = RoundUp(s.k, blocks.Knob("kc"));
  panels.transposed = op.kind == graph::OpKind::kDense;
  return {panels};
}

std::vector<graph::Encoding> IntegerPanels(const OpInstance& op,
                                           const target::Target& target) {
  const DType weights = op.inputs[1].dtype;
  const MatmulSizes s = SizesOf(op);
  if (!IsMatrixProduct(op) || !IsProductOfBytes(op)) return {};
  const DotTile tile = ChooseDotTile(target, op.inputs[0].dtype, weights);
  if (tile.depth == 1 || s.n < FloatLanes(target) || s.k < kMinSteps) {
    return {};
  }
  const Config blocks = DefaultBlocks(s, target, tile.b.bytes(), tile.depth);
  graph::Panels panels;
  panels.width = blocks.Knob("nr");
  panels.depth = RoundUp(s.k, blocks.Knob("kc"));
  panels.factors = tile.depth;
  if (tile.b != weights) panels.dtype = tile.b;
  panels.transposed = op.kind == graph::OpKind::kDense;
  return {panels};
}

Config DefaultBlocks(const MatmulSizes& s, const target::Target& target,
                     int64_t bytes, int64_t depth) {
  if (s.m < kMinRows) return BlocksForFewRows(s, target, depth);
  const int64_t lanes = FloatLanes(target);
  // Two vectors use each broadcast value twice, so that multiply-adds and not
  // loads are the limit.
  int64_t vectors = s.n >= 2 * lanes ? 2 : 1;
  if (s.panel > 0) vectors = s.panel / lanes;
  const int64_t nr = vectors * lanes;
  // As few tiles as possible, of equal size, because a partial tile takes as
  // long as a full one.
  const int64_t tiles = CeilDiv(s.m, MaxTileRows(target, vectors));
  const int64_t mr = CeilDiv(s.m, tiles);
  const int64_t threads = ExpectedThreads(target);
  const bool matrices =
      s.count > 1 && Unevenness(s.count, 1, threads) <= kEvenEnough;
  const int64_t shares = matrices ? 1 : threads;
  int64_t kc = RoundUp(PartSize(s.k, nr * bytes, target.l1_bytes(), 1), depth);
  if (s.panel > 0) kc = LargestDivisor(s.panel_k, kc);
  const int64_t panel_bytes = mr * kc * bytes;
  const int64_t room =
      std::min(target.l2_bytes() * 3 / 8,
               std::max<int64_t>(1, kRowsInReach / mr) * panel_bytes);
  int64_t mc = PartSize(tiles, panel_bytes, room, shares);
  const int64_t l3 = std::max(target.l3_bytes(), target.l2_bytes() * 2);
  const int64_t panels = CeilDiv(s.n, nr);
  int64_t nc = PartSize(panels, nr * kc * bytes, l3 / 4, 1);
  int64_t parallel = matrices ? kOverMatrices : kOverRows;
  const int64_t own = PartSize(panels, nr * kc * bytes, l3 / 4, shares);
  // If the number of threads is unknown, some could be left without columns.
  // The columns of a product with few rows are most of its memory traffic, so
  // each of them should be read by one thread only.
  const double even = std::max(Unevenness(s.m, mc * mr, shares),
                               s.m <= kRowsInReach ? kEvenEnough : 1.0);
  if (!matrices && target.num_cores() > 0 && own * nr >= kColumnsWorthPacking &&
      Unevenness(panels, own, shares) <= even) {
    nc = own;
    // Each block of rows reads all columns of the thread.
    mc = PartSize(tiles, panel_bytes, room, 1);
    if (own < panels) parallel = kOverColumns;
  }
  return Config()
      .SetKnob("mr", mr)
      .SetKnob("nr", nr)
      .SetKnob("mc", mc)
      .SetKnob("kc", kc)
      .SetKnob("nc", nc)
      .SetKnob("parallel", parallel);
}

bool TilesFitIndices(const MatmulSizes& s, const Config& blocks) {
  const auto padded = [&](int64_t extent, absl::string_view tile) {
    return static_cast<double>(RoundUp(extent, blocks.Knob(tile)));
  };
  const auto times =
      static_cast<double>(s.count * CeilDiv(s.k, blocks.Knob("kc")));
  return times * padded(s.m, "mr") * padded(s.n, "nr") <
         std::numeric_limits<int32_t>::max();
}

ConfigSpace BlockSpace(const MatmulSizes& s, const target::Target& target,
                       const Config& base, int64_t depth) {
  const int64_t lanes = FloatLanes(target);
  std::set<int64_t> mr = {base.Knob("mr")}, kc = {base.Knob("kc")},
                    mc = {base.Knob("mc")}, nc = {base.Knob("nc")};
  std::vector<int64_t> nr;
  // Powers of two: code generators split other widths lane by lane.
  for (const int64_t vectors : kPanelVectors) {
    if (s.panel > 0 && vectors * lanes != s.panel) continue;
    nr.push_back(vectors * lanes);
    for (int64_t r = 1; r <= MaxTileRows(target, vectors); ++r) mr.insert(r);
  }
  for (const int64_t parts : {1, 2, 3, 4, 6, 8, 12, 16}) {
    const int64_t part = RoundUp(CeilDiv(s.k, parts), depth);
    kc.insert(s.panel > 0 ? LargestDivisor(s.panel_k, part) : part);
    mc.insert(CeilDiv(CeilDiv(s.m, base.Knob("mr")), parts));
    nc.insert(CeilDiv(CeilDiv(s.n, base.Knob("nr")), parts));
  }
  ConfigSpace space;
  space.DefineKnob("mr", {mr.begin(), mr.end()});
  space.DefineKnob("nr", nr);
  space.DefineKnob("mc", {mc.begin(), mc.end()});
  space.DefineKnob("kc", {kc.begin(), kc.end()});
  space.DefineKnob("nc", {nc.begin(), nc.end()});
  std::vector<int64_t> parallel = {kOverRows, kOverColumns};
  if (s.count > 1) parallel.push_back(kOverMatrices);
  space.DefineKnob("parallel", parallel);
  return space;
}

}  // namespace assay::ops
