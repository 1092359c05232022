#include "compiler/tir/passes/serialize.h"

#include "compiler/tir/passes/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

TEST(SerializeTest, MakesEveryLoopSerial) {
  EXPECT_EQ(RunPass(Serialize, R"(
func f(out %a: float32[4,4,8]) {
  parallel i in [0, 4) {
    pragma unroll_factor 2 {
      for j in [0, 4) {
        unrolled k in [0, 2) {
          vectorized l in [0, 4) {
            %a[i, j, k * 4 + l] = 1f
          }
        }
      }
    }
  }
})"),
            R"(func f(out %a: float32[4,4,8]) {
  for i in [0, 4) {
    for j in [0, 4) {
      for k in [0, 2) {
        for l in [0, 4) {
          %a[i, j, k * 4 + l] = 1f
        }
      }
    }
  }
}
)");
}

}  // namespace
}  // namespace assay::tir
