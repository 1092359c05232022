#include "compiler/ops/recurrent/panel_product.h"

#include <string>

#include "compiler/ops/recurrent/state_product.h"
#include "compiler/target/target.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

// An LSTM of 128 units, whose panels have 16 of them: a cache line of floats.
Tiles TilesFor(int64_t batch, const std::string& cpu) {
  const auto target = target::Target::Parse(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=" + cpu + " -num-cores=1");
  EXPECT_TRUE(target.ok()) << target.status();
  return TilesOf({/*steps=*/20, batch, /*directions=*/2, /*panels=*/8,
                  /*gates=*/4, /*units=*/16, /*hidden=*/128},
                 *target);
}

TEST(PanelProductTest, OneSequenceIsMultipliedWithAllGates) {
  EXPECT_FALSE(TilesFor(1, "x86-64-v3").by_gate);
  EXPECT_FALSE(TilesFor(1, "x86-64-v4").by_gate);
}

// With 16 registers, two sequences and all gates leave room for eight units,
// half a cache line.
TEST(PanelProductTest, TwoSequencesReadWholeCacheLines) {
  const Tiles few_registers = TilesFor(2, "x86-64-v3");
  EXPECT_TRUE(few_registers.by_gate);
  EXPECT_EQ(few_registers.rows, 2);
  EXPECT_FALSE(TilesFor(2, "x86-64-v4").by_gate);
}

TEST(PanelProductTest, ManySequencesShareTheWeightsOfAGate) {
  const Tiles tiles = TilesFor(32, "x86-64-v3");
  EXPECT_TRUE(tiles.by_gate);
  EXPECT_EQ(tiles.rows, 16);
}

}  // namespace
}  // namespace assay::ops
