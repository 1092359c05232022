#include "suites/kernels/error_verdict.h"

#include <limits>

#include "gtest/gtest.h"

namespace assay::suites {
namespace {

Accuracy WithError(double error) {
  Accuracy accuracy;
  accuracy.max_abs_error = error;
  accuracy.bound = 2e-4;
  accuracy.correct = error <= accuracy.bound;
  if (!accuracy.correct) accuracy.problem = "element 3 is wrong";
  return accuracy;
}

TEST(ErrorVerdictTest, StatesErrorAndBound) {
  const ErrorVerdict exact = JudgeError(WithError(3e-6), 0, "");
  EXPECT_TRUE(exact.correct);
  EXPECT_EQ(exact.text,
            "the largest difference from the reference interpreter is 3.0e-06; "
            "2.0e-04 is allowed");
  // A bound below the usual one does not narrow it.
  EXPECT_EQ(JudgeError(WithError(3e-6), 1e-5, "winograd F(2x2)").text,
            exact.text);
  const ErrorVerdict wrong = JudgeError(WithError(3e-4), 0, "");
  EXPECT_FALSE(wrong.correct);
  EXPECT_EQ(wrong.text, "element 3 is wrong");
}

TEST(ErrorVerdictTest, NamesTheAlgorithmOfAWiderBound) {
  const ErrorVerdict wider =
      JudgeError(WithError(3e-4), 1e-3, "winograd F(6x6)");
  EXPECT_TRUE(wider.correct);
  EXPECT_EQ(wider.text,
            "the largest difference from the reference interpreter is 3.0e-04; "
            "2.0e-03 is allowed, 10 times the usual bound, because the error "
            "of winograd F(6x6) may be 1.0e-03 of the largest output");
  const ErrorVerdict wrong =
      JudgeError(WithError(3e-3), 1e-3, "winograd F(6x6)");
  EXPECT_FALSE(wrong.correct);
  EXPECT_EQ(wrong.text,
            "element 3 is wrong; for winograd F(6x6), 2.0e-03 is allowed");
}

TEST(ErrorVerdictTest, NoBoundAllowsAnInfiniteError) {
  Accuracy wrong = WithError(std::numeric_limits<double>::infinity());
  wrong.bound = 0;
  const ErrorVerdict verdict = JudgeError(wrong, 1e-3, "winograd F(6x6)");
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.text, "element 3 is wrong");
}

TEST(ErrorVerdictTest, IntegersMustBeEqual) {
  Accuracy equal;
  equal.correct = true;
  EXPECT_EQ(JudgeError(equal, 0, "").text,
            "the output is equal to that of the reference interpreter");
}

}  // namespace
}  // namespace assay::suites
