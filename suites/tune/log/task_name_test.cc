#include "suites/tune/log/task_name.h"

#include <string>

#include "absl/strings/ascii.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::suites {
namespace {

std::string Name(absl::string_view anchor) { return TaskName("", anchor); }

TEST(TaskNameTest, NamesConvolutions) {
  EXPECT_EQ(Name("conv2d(float32[1,64,56,56], float32[64,64,3,3]) -> "
                 "float32[1,64,56,56] {strides=[1,1], padding=[1,1,1,1], "
                 "dilations=[1,1], groups=1}"),
            "conv2d 64x56x56 3x3");
  EXPECT_EQ(Name("conv2d(float32[1,64,56,56]@blocks(16), "
                 "float32[128,64,3,3]@filters(in=16,out=16), float32[128]) -> "
                 "float32[1,128,28,28]@blocks(16) {strides=[2,2], "
                 "padding=[1,1,1,1], dilations=[1,1], groups=1}"),
            "conv2d 64x56x56→128 3x3/2 nchw16c");
  EXPECT_EQ(Name("conv2d(float32[1,64,56,56]@blocks(16), "
                 "float32[64,64,3,3]@winograd(m=4,block=16)) -> "
                 "float32[1,64,56,56]@blocks(16) {strides=[1,1], "
                 "padding=[1,1,1,1], dilations=[1,1], groups=1}"),
            "conv2d 64x56x56 3x3 nchw16c winograd(m=4,block=16)");
  EXPECT_EQ(Name("conv2d(int8[8,32,14,14]@blocks(16), "
                 "int8[32,1,3,3]@filters(in=1,out=16)) -> "
                 "int32[8,32,14,14]@blocks(16) {strides=[1,2], "
                 "padding=[2,2,2,2], dilations=[2,2], groups=32}"),
            "conv2d 32x14x14 batch 8 3x3/1x2 dilated 2 depthwise nchw16c int8");
  EXPECT_EQ(Name("conv2d_transpose(float32[1,8,28,28], float32[8,4,4,4]) -> "
                 "float32[1,8,56,56] {strides=[2,2], padding=[1,1,1,1], "
                 "dilations=[1,1], output_padding=[0,0], groups=2}"),
            "conv2d_transpose 8x28x28 4x4/2 groups 2");
}

TEST(TaskNameTest, NamesOtherOperatorsByTheShapesOfTheirOperands) {
  EXPECT_EQ(Name("dense(float32[1,512], float32[1000,512], float32[1000]) -> "
                 "float32[1,1000] {transposed=1}"),
            "dense 1x512 1000x512");
  EXPECT_EQ(Name("reduce_sum(float16[], float32[2]) -> float16[]"),
            "reduce_sum scalar 2 float16");
  EXPECT_EQ(Name("random() -> float32[2,2]"), "random");
  // A convolution with the shapes of no convolution.
  EXPECT_EQ(Name("conv2d(float32[4], float32[4,4,4,4]) -> float32[4]"),
            "conv2d 4 4x4x4x4");
}

TEST(TaskNameTest, OtherOperatorsOfTheKernelFollow) {
  EXPECT_EQ(TaskName("p0: float32[1,2] p1: float32[2,2] v0: float32[1,2] = "
                     "dense(p0, p1) v1: float32[1,2] = add(v0, p2) v2: "
                     "float32[1,2] = relu(v1) return v2",
                     "dense(float32[1,2], float32[2,2]) -> float32[1,2]"),
            "dense 1x2 2x2 +add+relu");
}

TEST(TaskNameTest, NamesKernelsWithoutAnchorByTheirOperators) {
  EXPECT_EQ(TaskName("p0: float32[1,8] p1: float32[1,8] v0: float32[1,8] = "
                     "add(p0, p1) v1: float32[] = constant() {value=[0.5]} "
                     "v2: float16[1,8] = cast(v0) {to=float16} return v2",
                     ""),
            "add+cast 1x8 float16");
  EXPECT_EQ(
      TaskName("p0: float32[8] v0: float32[8] = exp(p0) v1: float32[8] = "
               "exp(v0) v2: float32[8] = exp(v1) v3: float32[8] = abs(v2) "
               "v4: float32[8] = abs(v3) return v4",
               ""),
      "exp+exp+exp+2 more 8");
}

TEST(TaskNameTest, ArbitraryTextIsCutAndMadePrintable) {
  EXPECT_EQ(TaskName("", ""), "unknown");
  EXPECT_EQ(TaskName("who knows", ""), "who knows");
  EXPECT_EQ(Name("conv2d(\x1b[2Jfloat32) -> x"), "conv2d(?[2Jfloat32) -> x");
  EXPECT_EQ(Name(std::string(5000, 'x')).size(), kTaskNameLength);
  EXPECT_EQ(
      Name("f(float32[" + std::string(5000, '9') + "]) -> float32[1]").size(),
      kTaskNameLength);
}

// Names of mutated texts are printable, too.
TEST(TaskNameTest, MutationsDoNoHarm) {
  const std::string anchor =
      "conv2d(float32[1,64,56,56]@blocks(16), "
      "float32[64,64,3,3]@winograd(m=4,block=16)) -> "
      "float32[1,64,56,56]@blocks(16) {strides=[1,1], groups=1}";
  Rng rng(5);
  for (int i = 0; i < 5000; ++i) {
    std::string text = anchor;
    for (int k = 0; k < 3; ++k) {
      const auto at = static_cast<size_t>(
          rng.UniformInt(0, static_cast<int64_t>(text.size()) - 1));
      if (rng.UniformInt(0, 1) == 0) {
        text.erase(at, 1);
      } else {
        text[at] = static_cast<char>(rng.UniformInt(0, 255));
      }
    }
    for (const std::string& name : {Name(text), TaskName(text, "")}) {
      EXPECT_FALSE(name.empty());
      EXPECT_LE(name.size(), kTaskNameLength);
      for (const char c : name) {
        EXPECT_FALSE(absl::ascii_iscntrl(static_cast<unsigned char>(c)));
      }
    }
  }
}

}  // namespace
}  // namespace assay::suites
