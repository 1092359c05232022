#include "tests/fuzz/value_mutator.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::fuzz {
namespace {

using ::testing::Contains;
using ::testing::UnorderedElementsAre;

TEST(ValueMutatorTest, DrawsUnusualIntegers) {
  Rng rng(1);
  ValueMutator values(rng);
  std::set<int64_t> drawn;
  for (int i = 0; i < 1000; ++i) drawn.insert(values.Int(40));
  for (const int64_t value : {int64_t{0}, int64_t{-1}, int64_t{39}, int64_t{41},
                              int64_t{-40}, std::numeric_limits<int64_t>::max(),
                              std::numeric_limits<int64_t>::min()}) {
    EXPECT_THAT(drawn, Contains(value));
  }
}

TEST(ValueMutatorTest, DrawsUnusualFloats) {
  Rng rng(1);
  ValueMutator values(rng);
  int infinite = 0, nan = 0;
  for (int i = 0; i < 1000; ++i) {
    const float value = values.Float(3);
    infinite += std::isinf(value) ? 1 : 0;
    nan += std::isnan(value) ? 1 : 0;
  }
  EXPECT_GT(infinite, 0);
  EXPECT_GT(nan, 0);
}

TEST(ValueMutatorTest, ChangesListsOfAttributes) {
  Rng rng(1);
  ValueMutator values(rng);
  std::set<int> lengths;
  for (int i = 0; i < 200; ++i) {
    onnx::AttributeProto attribute;
    attribute.set_type(onnx::AttributeProto::INTS);
    attribute.add_ints(3);
    attribute.add_ints(5);
    values.ChangeAttribute(&attribute);
    lengths.insert(attribute.ints_size());
  }
  EXPECT_THAT(lengths, UnorderedElementsAre(0, 1, 2, 3));
}

TEST(ValueMutatorTest, ChangesEveryPartOfATensor) {
  Rng rng(1);
  ValueMutator values(rng);
  std::set<std::string> parts;
  for (int i = 0; i < 200; ++i) {
    onnx::TensorProto tensor;
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_dims(2);
    tensor.set_raw_data(std::string(16, '\1'));
    const std::string part = values.ChangeTensor(&tensor);
    parts.insert(part);
    EXPECT_EQ(tensor.raw_data().size() != 16, part == "the size of the data");
  }
  EXPECT_THAT(parts,
              UnorderedElementsAre("the shape", "the element type", "the place",
                                   "the size of the data", "an element"));
}

// A tensor may have no data at all.
TEST(ValueMutatorTest, ChangesEmptyTensors) {
  Rng rng(1);
  ValueMutator values(rng);
  for (int i = 0; i < 200; ++i) {
    onnx::TensorProto tensor;
    EXPECT_NE(values.ChangeTensor(&tensor), "");
    EXPECT_GT(tensor.ByteSizeLong(), 0u);
  }
}

}  // namespace
}  // namespace assay::fuzz
