#include "suites/tune/log/short_workload.h"

#include <string>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

TEST(ShortWorkloadTest, HasOperatorsOperandsAndTheAlgorithm) {
  EXPECT_EQ(
      ShortWorkload("p0: float32[1,4,56,56,16] p1: float32[6,6,2,64,32] "
                    "p2: float32[1,4,1,1,16] v0: float32[1,4,56,56,16] = "
                    "conv2d(p0, p1) {strides=[1,1], groups=1, winograd=4} "
                    "v1: float32[] = constant() {value=[0]} v2: "
                    "float32[1,4,56,56,16] = add(v0, p2) return v2"),
      "conv2d+add float32[1,4,56,56,16] float32[6,6,2,64,32] winograd=4");
  EXPECT_EQ(ShortWorkload("p0: int64[2] v0: int64[2] = neg(p0) return v0"),
            "neg int64[2]");
}

TEST(ShortWorkloadTest, OtherTextIsCut) {
  EXPECT_EQ(ShortWorkload(std::string(100, 'x')), std::string(60, 'x'));
  EXPECT_EQ(ShortWorkload(""), "");
}

}  // namespace
}  // namespace assay::suites
