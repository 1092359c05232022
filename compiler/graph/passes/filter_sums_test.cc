#include "compiler/graph/passes/filter_sums.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// Returns true if FilterSums has this result for the product that is the output
// of the graph in `text`, with its own weights and the uint8 zero point 3. The
// weights are constant, so the result must be constant.
bool ThreeTimesSumsAre(absl::string_view text, const Shape& shape,
                       const std::vector<int32_t>& values) {
  const std::unique_ptr<Graph> graph = GraphFromText(text);
  Node* product = graph->outputs()[0].value.node;
  FoldingBuilder add(*graph, product);
  const Value zero = add.IntScalar(DType::UInt(8), 3);
  const Value sums = FilterSums(add, product, product->input(1), zero).value();
  return BitwiseEqual(sums.node->attrs_as<ConstantAttrs>().value,
                      NDArray::FromVector<int32_t>(shape, values));
}

TEST(FilterSumsTest, FiltersOfConvolutionsAreOnAxisOneOfTheResult) {
  constexpr char kConv[] = R"(
      graph g(%x: uint8[1,1,1,2]) -> (%2) {
        %1: int8[2,1,1,2] = constant {value=[1,2,100,100]}
        %2: int32[1,2,1,1] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
      })";
  EXPECT_TRUE(ThreeTimesSumsAre(kConv, {2, 1, 1}, {9, 600}));
}

TEST(FilterSumsTest, FiltersOfDenseAreRowsOfItsWeights) {
  constexpr char kDense[] = R"(
      graph g(%x: uint8[1,2]) -> (%2) {
        %1: int8[2,2] = constant {value=[1,2,3,-5]}
        %2: int32[1,2] = dense(%x, %1)
      })";
  EXPECT_TRUE(ThreeTimesSumsAre(kDense, {2}, {9, -6}));
}

TEST(FilterSumsTest, FiltersOfMatmulAreColumnsOfEachMatrix) {
  constexpr char kMatmul[] = R"(
      graph g(%x: uint8[1,2]) -> (%2) {
        %1: int8[2,2,1] = constant {value=[1,2,3,-5]}
        %2: int32[2,1,1] = matmul(%x, %1)
      })";
  EXPECT_TRUE(ThreeTimesSumsAre(kMatmul, {2, 1, 1}, {9, -6}));
}

TEST(FilterSumsTest, ColumnsOfSeveralMatrices) {
  constexpr char kMatmul[] = R"(
      graph g(%x: uint8[1,2]) -> (%2) {
        %1: int8[2,2,3] = constant {value=[1,2,3,10,20,30,-1,-2,-3,4,5,6]}
        %2: int32[2,1,3] = matmul(%x, %1)
      })";
  EXPECT_TRUE(ThreeTimesSumsAre(kMatmul, {2, 1, 3}, {33, 66, 99, 9, 9, 9}));
}

}  // namespace
}  // namespace assay::graph
