#include "compiler/tir/simplify/simplify.h"

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/numeric.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/tir/stmt.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::tir {
namespace {

using expr::Expr;

std::string Text(const Expr& e) {
  std::ostringstream os;
  os << e;
  return os.str();
}

std::string Text(const Stmt& s) {
  std::ostringstream os;
  os << s;
  return os.str();
}

class SimplifyTest : public testing::Test {
 protected:
  std::string Simple(const Expr& e) { return Text(Simplify(e, bounds_)); }

  Expr x_ = expr::Var::Make("x");
  Expr y_ = expr::Var::Make("y");
  Expr f_ = expr::Var::Make("f");
  Bounds bounds_ = {{x_, {0, 99}}, {y_, {0, 7}}, {f_, {0, 447}}};
};

TEST_F(SimplifyTest, CollectsAndCancels) {
  EXPECT_EQ(Simple(x_ + y_ - x_), "y");
  EXPECT_EQ(Simple(x_ + x_ * 3 + 2 - 5), "x * 4 - 3");
  EXPECT_EQ(Simple((x_ + 1) * 8 - (x_ * 8 + y_)), "8 - y");
  EXPECT_EQ(Simple(x_ - x_), "0");
}

TEST_F(SimplifyTest, UndoesSplitAndFuse) {
  EXPECT_EQ(Simple((x_ * 8 + y_) / 8), "x");
  EXPECT_EQ(Simple((x_ * 8 + y_) % 8), "y");
  EXPECT_EQ(Simple(f_ / 8 * 8 + f_ % 8), "f");
  EXPECT_EQ(Simple((f_ / 56 * 56 + f_ % 56) / 56), "f / 56");
  EXPECT_EQ(Simple((x_ * 16 + y_ * 2 + 1) / 16), "x");
  EXPECT_EQ(Simple((x_ * 8 + y_) / 16), "x / 2");
  EXPECT_EQ(Simple((x_ * 8 + y_) % 16), "y + x % 2 * 8");
  EXPECT_EQ(Simple(f_ / 8 / 7), "f / 56");
  EXPECT_EQ(Simple((f_ + 8) / 8), "f / 8 + 1");
  EXPECT_EQ(Simple(f_ / 448), "0");
}

TEST_F(SimplifyTest, FloorsBelowZero) {
  EXPECT_EQ(Simple((y_ - 8) / 8), "-1");
  EXPECT_EQ(Simple((y_ - 8) % 8), "y");
}

TEST_F(SimplifyTest, DecidesWhatBoundsDecide) {
  EXPECT_EQ(Simple(expr::Min(x_, y_ + 100)), "x");
  EXPECT_EQ(Simple(expr::Max(x_ + 1, x_)), "x + 1");
  EXPECT_EQ(Simple(x_ * 8 + y_ < 800), "true");
  EXPECT_EQ(Simple(x_ < 0), "false");
  EXPECT_EQ(Simple(x_ < 50 && y_ < 8), "x < 50");
  EXPECT_EQ(Simple(expr::SelectOf(y_ < 8, x_, y_)), "x");
  EXPECT_TRUE(CanProve(x_ >= 0, bounds_));
  EXPECT_FALSE(CanProve(x_ >= 1, bounds_));
}

TEST_F(SimplifyTest, GathersVectorIndices) {
  const Expr lanes = expr::Ramp::Make(0, 1, 8);
  const Expr base = expr::Broadcast::Make(x_ * 8, 8);
  EXPECT_EQ(Simple(base + lanes), "ramp(x * 8, 1, 8)");
  EXPECT_EQ(Simple((base + lanes) / expr::Broadcast::Make(8, 8)),
            "broadcast(x, 8)");
  EXPECT_EQ(Simple((base + lanes) % expr::Broadcast::Make(8, 8)),
            "ramp(0, 1, 8)");
  EXPECT_EQ(Simple(lanes * expr::Broadcast::Make(3, 8)), "ramp(0, 3, 8)");
}

TEST_F(SimplifyTest, LoopsBoundTheirVariable) {
  const expr::Buffer a = expr::MakeBuffer("a", DType::Float32(), {64});
  const Expr i = expr::Var::Make("i"), j = expr::Var::Make("j");
  const Stmt store = Store::Make(a, {i * 8 + j}, expr::Const(a->dtype, 1));
  const Stmt guarded = IfThenElse::Make(i * 8 + j < 64, store);
  const Stmt inner = For::Make(j, 0, 8, ForKind::kSerial, guarded);
  const Stmt loops = For::Make(i, 0, 8, ForKind::kSerial, inner);
  const Stmt expected = For::Make(i, 0, 8, ForKind::kSerial,
                                  For::Make(j, 0, 8, ForKind::kSerial, store));
  EXPECT_EQ(Text(Simplify(loops)), Text(expected));
}

TEST_F(SimplifyTest, TrivialLoopsAndDeadBranchesVanish) {
  const expr::Buffer a = expr::MakeBuffer("a", DType::Float32(), {64});
  const Expr i = expr::Var::Make("i");
  const auto store = [&](const Expr& index) {
    return Store::Make(a, {index}, expr::Const(a->dtype, 1));
  };
  EXPECT_EQ(Text(Simplify(For::Make(i, 5, 1, ForKind::kSerial, store(i)))),
            Text(store(5)));
  EXPECT_EQ(Text(Simplify(For::Make(i, 0, 0, ForKind::kSerial, store(i)))),
            Text(Block::Make({})));
  EXPECT_EQ(Text(Simplify(IfThenElse::Make(Expr(1) < 0, store(1), store(2)))),
            Text(store(2)));
}

// Value of an index expression over scalars; the oracle of the fuzz test.
int64_t Eval(const Expr& e, const std::map<const void*, int64_t>& env) {
  if (const auto* n = e.As<expr::IntImm>()) return n->value;
  if (e.As<expr::Var>() != nullptr) return env.at(e.get());
#define ASSAY_EVAL(Kind, value)                             \
  if (const auto* n = e.As<struct expr::Kind>()) {          \
    const int64_t a = Eval(n->a, env), b = Eval(n->b, env); \
    return value;                                           \
  }
  ASSAY_EVAL(Add, a + b)
  ASSAY_EVAL(Sub, a - b)
  ASSAY_EVAL(Mul, a * b)
  ASSAY_EVAL(Div, expr::FloorDiv(a, b))
  ASSAY_EVAL(Mod, expr::FloorMod(a, b))
  ASSAY_EVAL(Min, std::min(a, b))
  ASSAY_EVAL(Max, std::max(a, b))
  ASSAY_EVAL(LT, a < b)
  ASSAY_EVAL(LE, a <= b)
  ASSAY_EVAL(EQ, a == b)
  ASSAY_EVAL(NE, a != b)
  ASSAY_EVAL(And, a && b)
  ASSAY_EVAL(Or, a || b)
#undef ASSAY_EVAL
  if (const auto* n = e.As<expr::Not>()) return !Eval(n->a, env);
  if (const auto* n = e.As<expr::Select>()) {
    return Eval(n->condition, env) ? Eval(n->true_value, env)
                                   : Eval(n->false_value, env);
  }
  ADD_FAILURE() << "unexpected " << Text(e);
  return 0;
}

class Generator {
 public:
  Generator(Rng& rng, std::vector<Expr> vars) : rng_(rng), vars_(vars) {}

  Expr Index(int depth) {
    if (depth == 0 || rng_.UniformInt(0, 5) == 0) {
      if (rng_.UniformInt(0, 3) == 0) {
        return static_cast<int>(rng_.UniformInt(-9, 20));
      }
      return vars_[rng_.UniformInt(0, vars_.size() - 1)];
    }
    const Expr a = Index(depth - 1);
    const auto constant = static_cast<int>(rng_.UniformInt(1, 16));
    switch (rng_.UniformInt(0, 8)) {
      case 0:
      case 1:
        return a + Index(depth - 1);
      case 2:
        return a - Index(depth - 1);
      case 3:
        return a * constant;
      case 4:
        return a / constant;
      case 5:
        return a % constant;
      case 6:
        return expr::Min(a, Index(depth - 1));
      case 7:
        return expr::Max(a, Index(depth - 1));
      default:
        return expr::SelectOf(Condition(depth - 1), a, Index(depth - 1));
    }
  }

  Expr Condition(int depth) {
    const Expr a = Index(depth), b = Index(depth);
    switch (rng_.UniformInt(0, 5)) {
      case 0:
        return a < b;
      case 1:
        return a <= b;
      case 2:
        return expr::Eq(a, b);
      case 3:
        return expr::Ne(a, b);
      case 4:
        return !(a < b);
      default:
        return a < b && b < 7;
    }
  }

 private:
  Rng& rng_;
  std::vector<Expr> vars_;
};

TEST_F(SimplifyTest, FuzzKeepsValuesAndIsIdempotent) {
  Rng rng(20261121);
  Generator generator(rng, {x_, y_, f_});
  for (int round = 0; round < 3000; ++round) {
    const Expr e = round % 3 == 0 ? generator.Condition(3) : generator.Index(4);
    const Expr simple = Simplify(e, bounds_);
    const Expr again = Simplify(simple, bounds_);
    ASSERT_TRUE(expr::StructurallyEqual(simple, again))
        << "round " << round << "\n"
        << e << "\n"
        << simple << "\n"
        << again;
    const ConstInterval range = ConstBounds(e, bounds_);
    for (int point = 0; point < 12; ++point) {
      const std::map<const void*, int64_t> env = {
          {x_.get(), rng.UniformInt(0, 99)},
          {y_.get(), rng.UniformInt(0, 7)},
          {f_.get(), rng.UniformInt(0, 447)}};
      const int64_t value = Eval(e, env);
      ASSERT_EQ(value, Eval(simple, env)) << "round " << round << "\n"
                                          << e << "\n"
                                          << simple;
      ASSERT_TRUE(range.min <= value && value <= range.max)
          << "round " << round << ": " << e;
    }
  }
}

}  // namespace
}  // namespace assay::tir
