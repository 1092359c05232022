// Fuzz test: simplification preserves the values of random expressions and is
// idempotent.
//
// In half of the rounds the variables have small ranges, so that bounds decide
// a lot; in the other half they have either sign, which exercises the rules
// alone. The environment variables ASSAY_FUZZ_ROUNDS and ASSAY_FUZZ_SEED set
// the number of rounds and the seed; the nightly target sets the first.
#include <algorithm>
#include <cstdlib>

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

TEST(SimplifyFuzzTest, KeepsValuesAndIsIdempotent) {
  const int64_t rounds = FromEnvironment("ASSAY_FUZZ_ROUNDS", 10000);
  const int64_t seed = FromEnvironment("ASSAY_FUZZ_SEED", 20261121);
  SCOPED_TRACE(testing::Message() << "ASSAY_FUZZ_SEED=" << seed);
  Rng rng(seed);
  const Expr x = expr::Var::Make("x"), y = expr::Var::Make("y");
  const Expr f = expr::Var::Make("f");
  const VarBounds small = {{x, {0, 99}}, {y, {0, 7}}, {f, {0, 447}}};
  const VarBounds wide = {{x, {-999, 999}}, {y, {-999, 999}}, {f, {-999, 999}}};
  RandomIndex generator(rng, {x, y, f});
  for (int64_t round = 0; round < rounds; ++round) {
    const Expr e = round % 3 == 0 ? generator.Condition(3) : generator.Index(4);
    const VarBounds& bounds = round % 2 == 0 ? small : wide;
    const Expr simple = Simplify(e, bounds);
    const Expr again = Simplify(simple, bounds);
    ASSERT_TRUE(expr::StructurallyEqual(simple, again))
        << "round " << round << "\n"
        << e << "\n"
        << simple << "\n"
        << again;
    const ConstInterval range = ConstBounds(e, bounds);
    for (int point = 0; point < 12; ++point) {
      IndexValues values;
      for (const auto& [var, within] : bounds) {
        // In half of the cases, values in the range of the constants.
        values[var] = rng.UniformInt(0, 1) == 0
                          ? rng.UniformInt(within.min, within.max)
                          : rng.UniformInt(std::max<int64_t>(within.min, -9),
                                           std::min<int64_t>(within.max, 9));
      }
      const int64_t value = EvalIndex(e, values);
      ASSERT_EQ(value, EvalIndex(simple, values)) << "round " << round << "\n"
                                                  << e << "\n"
                                                  << simple;
      ASSERT_TRUE(range.min <= value && value <= range.max)
          << "round " << round << ": " << e;
    }
  }
}

}  // namespace
}  // namespace assay::tir
