#include "compiler/graph/op/op.h"

#include "gtest/gtest.h"

namespace assay::graph {
namespace {

TEST(OpTest, FindOpInvertsOpName) {
#define ASSAY_GRAPH_OP_ROUND_TRIP(kind, name, pattern, attrs, rule) \
  EXPECT_EQ(OpName(OpKind::kind), name);                            \
  EXPECT_EQ(FindOp(name), OpKind::kind);                            \
  EXPECT_EQ(OpPattern(OpKind::kind), PatternKind::pattern);
  ASSAY_FOR_EACH_GRAPH_OP(ASSAY_GRAPH_OP_ROUND_TRIP)
#undef ASSAY_GRAPH_OP_ROUND_TRIP
  EXPECT_EQ(FindOp("conv3d"), std::nullopt);
}

TEST(OpTest, PatternsAreOrderedFromSimpleToOpaque) {
  EXPECT_LT(PatternKind::kElemWise, PatternKind::kBroadcast);
  EXPECT_LT(PatternKind::kBroadcast, PatternKind::kInjective);
  EXPECT_LT(PatternKind::kInjective, PatternKind::kCommReduce);
  EXPECT_LT(PatternKind::kCommReduce, PatternKind::kOutEWiseFusable);
  EXPECT_LT(PatternKind::kOutEWiseFusable, PatternKind::kOpaque);
  EXPECT_EQ(PatternName(PatternKind::kOutEWiseFusable), "out_ewise_fusable");
}

}  // namespace
}  // namespace assay::graph
