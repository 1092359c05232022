#include "suites/correctness/accuracy.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/element.h"

namespace assay::suites {
namespace {

using ::testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

runtime::NamedTensors Floats(const std::vector<float>& values) {
  const int64_t n = static_cast<int64_t>(values.size());
  return {{"logits", NDArray::FromVector<float>({n}, values)}};
}

TEST(AccuracyTest, TheBoundScalesWithTheLargestElement) {
  // The bound is 1e-4 * 10.
  const Accuracy good =
      CheckOutputs(Floats({10, 0.001f}), Floats({10, 0.0005f}));
  EXPECT_TRUE(good.correct);
  EXPECT_NEAR(good.bound, 1e-3, 1e-9);
  EXPECT_NEAR(good.max_abs_error, 5e-4, 1e-9);
  EXPECT_EQ(good.problem, "");

  const Accuracy bad = CheckOutputs(Floats({10, 0.5f}), Floats({10, 0.25f}));
  EXPECT_FALSE(bad.correct);
  EXPECT_EQ(bad.max_abs_error, 0.25);
  EXPECT_EQ(
      bad.problem,
      "element 1 of output `logits` is 0.5, the reference says 0.25; an "
      "error of at most 1.0e-03 is allowed, which 1 of 2 elements exceed");
}

runtime::NamedTensors FloatsOf(DType type, const std::vector<double>& values) {
  NDArray array(type, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i) {
    StoreFloat(array, static_cast<int64_t>(i), values[i]);
  }
  return {{"logits", array}};
}

TEST(AccuracyTest, OutputsIn16BitsMayDifferBySomeRoundings) {
  const auto check = [](DType type, double second) {
    return CheckOutputs(FloatsOf(type, {16, second}), FloatsOf(type, {16, 0}));
  };
  // The bound of float32 is 1e-4 * 16.
  const Accuracy half = check(DType::Float16(), 0.125);
  EXPECT_TRUE(half.correct) << half.problem;
  EXPECT_NEAR(half.bound, 1.6e-3 + 16 * 16 / 2048.0, 1e-5);
  EXPECT_EQ(half.max_abs_error, 0.125);
  EXPECT_FALSE(check(DType::Float16(), 0.13).correct);

  const Accuracy brain = check(DType::BFloat16(), 1);
  EXPECT_TRUE(brain.correct) << brain.problem;
  EXPECT_NEAR(brain.bound, 1.6e-3 + 16 * 16 / 256.0, 1e-9);
  EXPECT_FALSE(check(DType::BFloat16(), 1.0625).correct);

  EXPECT_FALSE(check(DType::Float16(), kNan).correct);
  EXPECT_FALSE(CheckOutputs(FloatsOf(DType::Float16(), {1}),
                            FloatsOf(DType::BFloat16(), {1}))
                   .correct);
}

TEST(AccuracyTest, RejectsUnexpectedNonFiniteValues) {
  for (const float value : {kNan, kInf, -kInf}) {
    const Accuracy a = CheckOutputs(Floats({1, value}), Floats({1, 2}));
    EXPECT_FALSE(a.correct);
    EXPECT_TRUE(std::isinf(a.max_abs_error));
    // A finite output is wrong if the reference is not finite.
    EXPECT_FALSE(CheckOutputs(Floats({1, 2}), Floats({1, value})).correct);
    EXPECT_TRUE(CheckOutputs(Floats({1, value}), Floats({1, value})).correct);
  }
  EXPECT_FALSE(CheckOutputs(Floats({1, kInf}), Floats({1, -kInf})).correct);
}

TEST(AccuracyTest, ComparesOutputsWithoutFiniteElements) {
  const Accuracy same =
      CheckOutputs(Floats({kNan, -kInf, -kInf}), Floats({kNan, -kInf, -kInf}));
  EXPECT_TRUE(same.correct) << same.problem;
  EXPECT_EQ(JoinRemarks(same),
            "output `logits` has no finite element: it is 1 NaN, 2 -inf, as in "
            "the reference");
  for (const float value : {0.0f, kInf, -kInf}) {
    const Accuracy other = CheckOutputs(Floats({value}), Floats({kNan}));
    EXPECT_FALSE(other.correct);
    EXPECT_THAT(other.problem, HasSubstr("the reference says nan"));
  }
  EXPECT_FALSE(CheckOutputs(Floats({kNan}), Floats({-kInf})).correct);
  EXPECT_FALSE(CheckOutputs(Floats({kInf}), Floats({-kInf})).correct);
}

// Outputs are filled with ones, which are a NaN, before a run.
TEST(AccuracyTest, FindsThatNanWasNotWritten) {
  NDArray unwritten(DType::Float32(), {2});
  std::memset(unwritten.raw(), 0xff, unwritten.num_bytes());
  const runtime::NamedTensors outputs = {{"logits", unwritten}};
  EXPECT_EQ(CheckOutputs(outputs, Floats({kNan, kNan})).problem,
            "output `logits` was not written by the program");
  EXPECT_TRUE(CheckOutputs(outputs, outputs).correct);
}

TEST(AccuracyTest, ExactOutputsHaveNoTolerance) {
  CheckRule rule(1);
  rule[0].exact = true;
  const float one = 1, next = std::nextafter(1.0f, 2.0f);
  EXPECT_TRUE(
      CheckOutputs(Floats({one, kNan}), Floats({one, kNan}), rule).correct);
  // The sign of a zero and denormal numbers may differ.
  EXPECT_TRUE(CheckOutputs(Floats({-0.0f, 1e-39f}), Floats({0.0f, 0.0f}), rule)
                  .correct);
  const Accuracy wrong = CheckOutputs(Floats({next}), Floats({one}), rule);
  EXPECT_FALSE(wrong.correct);
  EXPECT_THAT(wrong.problem, HasSubstr("no error is allowed"));
}

TEST(AccuracyTest, SaysWhatNoiseAllows) {
  CheckRule rule(1);
  rule[0].noise = {1e-3, 1e-4};
  const Accuracy a = CheckOutputs(Floats({1, 0.504f}), Floats({1, 0.5f}), rule);
  EXPECT_TRUE(a.correct) << a.problem;
  EXPECT_NEAR(a.bound, 8e-3, 1e-9);
  EXPECT_EQ(JoinRemarks(a),
            "1 of 2 elements of output `logits` needed this: rounding alone "
            "changes 2 of 2 elements by up to 1.0e-03, so errors of up to "
            "8.0e-03 instead of 1.0e-04 are allowed");
  const Accuracy b = CheckOutputs(Floats({1, 0.51f}), Floats({1, 0.5f}), rule);
  EXPECT_FALSE(b.correct);
  EXPECT_THAT(b.problem, HasSubstr("by too much: rounding alone changes 2 of"));
}

TEST(AccuracyTest, AgreementIsRelativeToTheLargestElement) {
  EXPECT_EQ(AgreementOf(Floats({8, 1, kNan}), Floats({8, 3, kNan}))[0], 0.25);
  EXPECT_EQ(AgreementOf(Floats({0}), Floats({0}))[0], 0);
  EXPECT_EQ(AgreementOf(Floats({1}), Floats({0}))[0], std::nullopt);
}

TEST(AccuracyTest, ShapeTypeAndNumberMustMatch) {
  EXPECT_EQ(CheckOutputs(Floats({1, 2}), Floats({1, 2, 3})).problem,
            "output `logits` is float32[2], the reference says float32[3]");
  const runtime::NamedTensors ints = {
      {"logits", NDArray::FromVector<int32_t>({1}, {1})}};
  EXPECT_EQ(CheckOutputs(ints, Floats({1})).problem,
            "output `logits` is int32[1], the reference says float32[1]");
  EXPECT_EQ(CheckOutputs({}, Floats({1})).problem,
            "there are 0 outputs, the reference has 1");
  EXPECT_FALSE(CheckOutputs({}, {}).correct);
}

TEST(AccuracyTest, IntegersMustBeEqual) {
  const runtime::NamedTensors one = {
      {"n", NDArray::FromVector<int64_t>({1}, {1})}};
  const runtime::NamedTensors two = {
      {"n", NDArray::FromVector<int64_t>({1}, {2})}};
  EXPECT_TRUE(CheckOutputs(one, one).correct);
  EXPECT_FALSE(CheckOutputs(one, two).correct);
}

TEST(AccuracyTest, ReportsTheWorstOfSeveralOutputs) {
  runtime::NamedTensors reference = Floats({1});
  runtime::NamedTensors outputs = Floats({1.00001f});
  reference.push_back({"second", NDArray::FromVector<float>({1}, {100})});
  outputs.push_back({"second", NDArray::FromVector<float>({1}, {101})});
  const Accuracy a = CheckOutputs(outputs, reference);
  EXPECT_FALSE(a.correct);
  EXPECT_EQ(a.max_abs_error, 1);
  EXPECT_THAT(a.problem, HasSubstr("output `second`"));
}

TEST(AccuracyTest, SameBitsIsExact) {
  EXPECT_TRUE(SameBits(Floats({1, kNan}), Floats({1, kNan})));
  EXPECT_FALSE(SameBits(Floats({1}), Floats({1.0000001f})));
  EXPECT_FALSE(SameBits(Floats({0.0f}), Floats({-0.0f})));
  EXPECT_FALSE(SameBits(Floats({1}), {}));
}

}  // namespace
}  // namespace assay::suites
