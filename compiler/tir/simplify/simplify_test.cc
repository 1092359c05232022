#include "compiler/tir/simplify/simplify.h"

#include <sstream>
#include <string>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/stmt.h"
#include "gtest/gtest.h"

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
  VarBounds bounds_ = {{x_, {0, 99}}, {y_, {0, 7}}, {f_, {0, 447}}};
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

TEST_F(SimplifyTest, FloorsNegativeQuotients) {
  EXPECT_EQ(Simple((y_ - 8) / 8), "-1");
  EXPECT_EQ(Simple((y_ - 8) % 8), "y");
}

TEST_F(SimplifyTest, DecidesByBounds) {
  EXPECT_EQ(Simple(expr::Min(x_, y_ + 100)), "x");
  EXPECT_EQ(Simple(expr::Max(x_ + 1, x_)), "x + 1");
  EXPECT_EQ(Simple(x_ * 8 + y_ < 800), "true");
  EXPECT_EQ(Simple(x_ < 0), "false");
  EXPECT_EQ(Simple(x_ < 50 && y_ < 8), "x < 50");
  EXPECT_EQ(Simple(expr::SelectOf(y_ < 8, x_, y_)), "x");
  EXPECT_TRUE(CanProve(x_ >= 0, bounds_));
  EXPECT_FALSE(CanProve(x_ >= 1, bounds_));
}

TEST_F(SimplifyTest, RecombinesNestedQuotientsAndRemainders) {
  EXPECT_EQ(Simple(f_ / 8 % 7 * 8 + f_ % 8), "f % 56");
  EXPECT_EQ(Simple(f_ / 56 * 56 + f_ / 8 % 7 * 8 + f_ % 8), "f");
  EXPECT_EQ(Simple(f_ / 56 * 7 + f_ / 8 % 7), "f / 8");
  // Not recombined: the factor is not the divisor.
  EXPECT_EQ(Simple(f_ / 8 * 16 + f_ % 8), "f / 8 * 16 + f % 8");
}

TEST_F(SimplifyTest, DividesComparisonsByGcd) {
  EXPECT_EQ(Simple(x_ * 8 + 7 < 64), "x < 8");
  EXPECT_EQ(Simple(x_ * 8 < 60), "x < 8");
  EXPECT_EQ(Simple(x_ * 8 <= 63), "x <= 7");
  EXPECT_EQ(Simple(Expr(12) < x_ * 4 - y_ * 8), "y * 2 + 3 < x");
  EXPECT_EQ(Simple(expr::Eq(x_ * 4, 9)), "false");
  EXPECT_EQ(Simple(expr::Ne(x_ * 4 + 2, y_ * 2 + 1)), "true");
  EXPECT_EQ(Simple(expr::Eq(x_ * 4, 12)), "x == 3");
}

TEST_F(SimplifyTest, ConditionsNarrowBoundsOfArms) {
  EXPECT_EQ(Simple(expr::SelectOf(x_ < 8, x_ / 8, x_)), "select(x < 8, 0, x)");
  EXPECT_EQ(Simple(expr::SelectOf(Expr(90) <= x_ && x_ < 91, x_, y_)),
            "select(90 <= x && x < 91, 90, y)");
  EXPECT_EQ(Simple(expr::SelectOf(x_ < 8, y_, expr::Max(x_, 5))),
            "select(x < 8, y, x)");
  EXPECT_EQ(Simple(expr::SelectOf(expr::Eq(x_, 4), x_ + y_, 0)),
            "select(x == 4, y + 4, 0)");
  // A false conjunction implies neither of its operands.
  EXPECT_EQ(Simple(expr::SelectOf(x_ < 8 && y_ < 4, 0, x_ / 8)),
            "select(x < 8 && y < 4, 0, x / 8)");
}

TEST_F(SimplifyTest, MergesMinAndMax) {
  EXPECT_EQ(Simple(expr::Min(expr::Min(x_, 7), 5)), "min(x, 5)");
  EXPECT_EQ(Simple(expr::Max(4, expr::Max(x_, 3))), "max(x, 4)");
  EXPECT_EQ(Simple(expr::Min(x_, expr::Min(y_, x_))), "min(x, y)");
  // Common terms are factored out, so that they can be divided and cancelled.
  EXPECT_EQ(Simple(expr::Min(x_ * 8 + y_, x_ * 8 + 3) / 8), "x");
  EXPECT_EQ(Simple(expr::Max(x_ + 5, x_ + y_) - x_), "max(y, 5)");
}

TEST_F(SimplifyTest, FoldsVectorIndices) {
  const Expr lanes = expr::Ramp::Make(0, 1, 8);
  const Expr base = expr::Broadcast::Make(x_ * 8, 8);
  EXPECT_EQ(Simple(base + lanes), "ramp(x * 8, 1, 8)");
  EXPECT_EQ(Simple((base + lanes) / expr::Broadcast::Make(8, 8)),
            "broadcast(x, 8)");
  EXPECT_EQ(Simple((base + lanes) % expr::Broadcast::Make(8, 8)),
            "ramp(0, 1, 8)");
  EXPECT_EQ(Simple(lanes * expr::Broadcast::Make(3, 8)), "ramp(0, 3, 8)");
  EXPECT_EQ(Simple(base + lanes < expr::Broadcast::Make(800, 8)),
            "broadcast(true, 8)");
  EXPECT_EQ(Simple(lanes < expr::Broadcast::Make(4, 8)),
            "ramp(0, 1, 8) < broadcast(4, 8)");
}

// Elements of a buffer can have any value, and sums and products of them wrap
// around.
TEST_F(SimplifyTest, DataMayOverflow) {
  const expr::Buffer a = expr::MakeBuffer("a", DType::Int32(), {64});
  const Expr d = expr::Load::Make(a, {x_});
  // Rearranged modulo 2^32.
  EXPECT_EQ(Simple(d + 3 - d), "3");
  EXPECT_EQ(Simple(d * 4 + d * 3 - 1 + 2), "%a[x] * 7 + 1");
  EXPECT_EQ(Simple(d * 65536 * 65536), "0");
  EXPECT_EQ(Simple(d * 65536 * 32768), "%a[x] * -2147483648");
  // Not read as integers.
  EXPECT_EQ(Simple(d * 2 / 2), "%a[x] * 2 / 2");
  EXPECT_EQ(Simple(d * 3 % 3), "%a[x] * 3 % 3");
  EXPECT_EQ(Simple(d < d + 1), "%a[x] < %a[x] + 1");
  EXPECT_EQ(Simple(d * 2 < 8), "%a[x] * 2 < 8");
  EXPECT_EQ(Simple(d - x_ < 0), "%a[x] - x < 0");
  EXPECT_EQ(Simple(expr::Max(d, d + 1)), "max(%a[x], %a[x] + 1)");
  EXPECT_EQ(Simple(x_ + 3 < d + 5), "x + 3 < %a[x] + 5");
  EXPECT_EQ(Simple(expr::SelectOf(x_ + d < 8, expr::Min(x_, 50), 0)),
            "select(x + %a[x] < 8, min(x, 50), 0)");
  // A single element has no arithmetic.
  EXPECT_EQ(Simple(d + 1 < d + 1), "false");
  EXPECT_EQ(Simple(d < 5 && d < 7), "%a[x] < 5");
  EXPECT_EQ(Simple(expr::SelectOf(Expr(x_) < d, d, d)), "%a[x]");
  // Small bounds exclude an overflow.
  const Expr small = d % 16;
  EXPECT_EQ(Simple(small * 2 / 2), "%a[x] % 16");
  EXPECT_EQ(Simple(small * 8 + y_ < 128), "true");
  EXPECT_EQ(Simple((small * 8 + y_) / 8), "%a[x] % 16");
  const expr::Buffer b = expr::MakeBuffer("b", DType::UInt(8), {64});
  const Expr byte = expr::Cast::Make(DType::Int32(), expr::Load::Make(b, {x_}));
  EXPECT_EQ(Simple(byte - 128 < 128), "true");
  EXPECT_EQ(Simple(byte * 4 < 8), "cast(int32, %b[x]) < 2");
}

TEST_F(SimplifyTest, NamedDataMayOverflow) {
  const expr::Buffer a = expr::MakeBuffer("a", DType::Int32(), {64});
  const Expr t = expr::Var::Make("t");
  const Stmt store = Store::Make(a, {0}, t * 2 / 2);
  const Stmt data = Let::Make(t, expr::Load::Make(a, {1}), store);
  EXPECT_EQ(Text(Simplify(data)), Text(data));
  const Expr i = expr::Var::Make("i");
  const auto loop = [&](const Stmt& body) {
    return For::Make(i, 0, 9, ForKind::kSerial, body);
  };
  EXPECT_EQ(Text(Simplify(loop(Let::Make(t, i * i, store)))),
            Text(loop(Let::Make(t, i * i, Store::Make(a, {0}, t)))));
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

TEST_F(SimplifyTest, RemovesTrivialLoopsAndDeadBranches) {
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

TEST_F(SimplifyTest, AppliesRulesToOperandsAndResults) {
  EXPECT_EQ(Simple(x_ < 50 && !(x_ >= 40)), "x < 40");
  EXPECT_EQ(Simple((x_ < 50 && y_ < 3) || (x_ < 50 && y_ < 3)),
            "x < 50 && y < 3");
  EXPECT_EQ(Simple(expr::Max(expr::Min(x_, 5), 9) + 1), "10");
  EXPECT_EQ(Simple(expr::SelectOf(!(x_ < 7), x_, y_)), "select(7 <= x, x, y)");
  EXPECT_EQ(Simple(expr::Eq(x_, 3) && y_ < 2 && expr::Ne(x_, 3)),
            "x == 3 && y < 2 && x != 3");
}

}  // namespace
}  // namespace assay::tir
