// Fuzz test: simplification preserves the values of random expressions and is
// idempotent.
//
// In half of the rounds with indices the variables have small ranges, so that
// bounds decide a lot; in the other half they have either sign, which exercises
// the rules alone. The environment variables ASSAY_FUZZ_ROUNDS and
// ASSAY_FUZZ_SEED set the number of rounds and the seed; the nightly target
// sets the first.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <sstream>

#include "absl/strings/numbers.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/tir/simplify/random_index.h"
#include "compiler/tir/simplify/simplify.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::tir {
namespace {

using expr::Expr;

int64_t FromEnvironment(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  int64_t value = 0;
  return text != nullptr && absl::SimpleAtoi(text, &value) ? value : otherwise;
}

int64_t Rounds() { return FromEnvironment("ASSAY_FUZZ_ROUNDS", 10000); }
int64_t Seed() { return FromEnvironment("ASSAY_FUZZ_SEED", 20261121); }

// A value within the bounds: one in the range of the constants, one near the
// limits of int32, or any.
int64_t ValueWithin(Rng& rng, const ConstInterval& within) {
  const int64_t kind = rng.UniformInt(0, within.is_data ? 2 : 1);
  const int64_t value =
      kind == 0   ? rng.UniformInt(-9, 9)
      : kind == 1 ? rng.UniformInt(within.min, within.max)
                  : (rng.UniformInt(0, 1) == 0 ? within.min : within.max) +
                        rng.UniformInt(-3, 3);
  return std::clamp(value, within.min, within.max);
}

// Checks that `e` and its simplified form have the same value, within the
// bounds of `e`, for random values of the variables.
void CheckValues(Rng& rng, const Expr& e, const VarBounds& bounds) {
  const Expr simple = Simplify(e, bounds);
  const Expr again = Simplify(simple, bounds);
  ASSERT_TRUE(expr::StructurallyEqual(simple, again)) << e << "\n"
                                                      << simple << "\n"
                                                      << again;
  const ConstInterval range = ConstBounds(e, bounds);
  for (int point = 0; point < 12; ++point) {
    IndexValues values;
    for (const auto& [var, within] : bounds) {
      values[var] = ValueWithin(rng, within);
    }
    const int64_t value = EvalIndex(e, values);
    std::ostringstream at;
    for (const auto& [var, v] : values) at << " " << var << "=" << v;
    ASSERT_EQ(value, EvalIndex(simple, values)) << e << "\n"
                                                << simple << "\n"
                                                << at.str();
    ASSERT_TRUE(range.min <= value && value <= range.max) << e << at.str();
  }
}

TEST(SimplifyFuzzTest, KeepsValuesAndIsIdempotent) {
  SCOPED_TRACE(testing::Message() << "ASSAY_FUZZ_SEED=" << Seed());
  Rng rng(Seed());
  const Expr x = expr::Var::Make("x"), y = expr::Var::Make("y");
  const Expr f = expr::Var::Make("f");
  const VarBounds small = {{x, {0, 99}}, {y, {0, 7}}, {f, {0, 447}}};
  const VarBounds wide = {{x, {-999, 999}}, {y, {-999, 999}}, {f, {-999, 999}}};
  RandomIndex generator(rng, {x, y, f});
  for (int64_t round = 0; round < Rounds(); ++round) {
    const Expr e = round % 3 == 0 ? generator.Condition(3) : generator.Index(4);
    CheckValues(rng, e, round % 2 == 0 ? small : wide);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

// The arithmetic of data wraps around, from INT32_MIN to INT32_MAX; that of
// indices does not.
TEST(SimplifyFuzzTest, KeepsValuesOfDataThatOverflows) {
  SCOPED_TRACE(testing::Message() << "ASSAY_FUZZ_SEED=" << Seed());
  Rng rng(Seed());
  const Expr x = expr::Var::Make("x"), y = expr::Var::Make("y");
  const Expr any = expr::Var::Make("any"), other = expr::Var::Make("other");
  const Expr low = expr::Var::Make("low"), few = expr::Var::Make("few");
  const VarBounds bounds = {{x, {0, 99}},
                            {y, {-7, 7}},
                            {any, {INT32_MIN, INT32_MAX, true}},
                            {other, {INT32_MIN, INT32_MAX, true}},
                            {low, {INT32_MIN, 50, true}},
                            {few, {-100, 100, true}}};
  RandomIndex generator(rng, {x, y}, {any, other, low, few});
  for (int64_t round = 0; round < Rounds(); ++round) {
    const Expr e = round % 2 == 0 ? generator.Condition(3) : generator.Index(4);
    CheckValues(rng, e, bounds);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

}  // namespace
}  // namespace assay::tir
