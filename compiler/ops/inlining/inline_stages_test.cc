#include "compiler/ops/inlining/inline_stages.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/expr/dag.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/te/tensor.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

using expr::CallOf;
using expr::Expr;
using expr::Intrinsic;
using te::Tensor;

constexpr int64_t kSize = 8;

Tensor Input() {
  return te::Placeholder({kSize, kSize}, DType::Float32(), "x");
}

Expr Tanh(Expr x) { return CallOf(Intrinsic::kTanh, {std::move(x)}); }

// The value of each element as a function of operand and index.
using Value = std::function<Expr(const Tensor&, const Expr&, const Expr&)>;

// The stages t0, t1, … of a chain.
Tensor Chain(int length, const Value& value) {
  Tensor x = Input();
  for (int k = 0; k < length; ++k) {
    x = te::Compute(
        {kSize, kSize}, absl::StrCat("t", k),
        [&](const std::vector<Expr>& i) { return value(x, i[0], i[1]); });
  }
  return x;
}

bool NoneStays(const Tensor&) { return false; }

std::string Stored(const Tensor& output) {
  schedule::Schedule s({output});
  const std::vector<Tensor> stored = InlineStages(s, output, NoneStays);
  EXPECT_TRUE(s.status().ok()) << s.status();
  return absl::StrJoin(stored, " ", [](std::string* out, const Tensor& t) {
    out->append(t.name());
  });
}

TEST(InlineStagesTest, ValuesUsedAtOneIndexAreInlined) {
  EXPECT_EQ(
      Stored(Chain(60, [](const Tensor& x, const Expr& i,
                          const Expr& j) { return x(i, j) * Tanh(x(i, j)); })),
      "");
}

TEST(InlineStagesTest, BodySharesValues) {
  class Counter : public expr::DagVisitor {
   public:
    int calls = 0;

   private:
    void VisitCall(const expr::Call* call) override {
      ++calls;
      DagVisitor::VisitCall(call);
    }
  };
  const Tensor output =
      Chain(60, [](const Tensor& x, const Expr& i, const Expr& j) {
        return x(i, j) * Tanh(x(i, j));
      });
  schedule::Schedule s({output});
  InlineStages(s, output, NoneStays);
  Counter counter;
  counter.Visit(s[output].state().bodies[0]);
  EXPECT_EQ(counter.calls, 60);
}

TEST(InlineStagesTest, ExpensiveValuesUsedAtSeveralIndicesAreStored) {
  // Recomputing t0 and t1 at the transposed index takes few operations.
  EXPECT_EQ(
      Stored(Chain(9, [](const Tensor& x, const Expr& i,
                         const Expr& j) { return Tanh(x(i, j) + x(j, i)); })),
      "t2 t3 t4 t5 t6 t7");
}

// Only one arm of each Select is evaluated. The condition on the last axis
// differs between the lanes of a vector.
TEST(InlineStagesTest, ValuesOfArmsThatExcludeEachOtherAreInlined) {
  const auto tanhs = [](Expr e) {
    for (int k = 0; k < 4; ++k) e = Tanh(e);
    return e;
  };
  const auto joined = [&](bool by_last_axis) {
    return Chain(2, [&](const Tensor& x, const Expr& i, const Expr& j) {
      const Expr& axis = by_last_axis ? j : i;
      return tanhs(
          expr::SelectOf(axis < 2, x(i, j),
                         expr::SelectOf(axis < 4, x(i - 2, j), x(i - 4, j))));
    });
  };
  EXPECT_EQ(Stored(joined(false)), "");
  EXPECT_EQ(Stored(joined(true)), "t0");
}

// As in a convolution over time, which joins shifted parts of its input.
TEST(InlineStagesTest, ValuesOfJoinedSlicesAreInlined) {
  Tensor x = Chain(8, [](const Tensor& t, const Expr& i, const Expr& j) {
    return Tanh(t(i, j));
  });
  std::vector<Tensor> slices;
  for (int k = 0; k < 3; ++k) {
    slices.push_back(te::Compute(
        {kSize - 2, kSize}, absl::StrCat("slice", k),
        [&](const std::vector<Expr>& i) { return x(i[0] + k, i[1]); }));
  }
  const Tensor joined = te::Compute(
      {kSize - 2, 3, kSize}, "joined", [&](const std::vector<Expr>& i) {
        return expr::SelectOf(i[1] < 1, slices[0](i[0], i[2]),
                              expr::SelectOf(i[1] < 2, slices[1](i[0], i[2]),
                                             slices[2](i[0], i[2])));
      });
  EXPECT_EQ(Stored(joined), "");
}

// The code would grow exponentially.
TEST(InlineStagesTest, ManyArmsThatExcludeEachOtherAreStored) {
  EXPECT_NE(Stored(Chain(12,
                         [](const Tensor& x, const Expr& i, const Expr& j) {
                           return Tanh(
                               expr::SelectOf(i < 2, x(i + 1, j), x(i - 2, j)));
                         })),
            "");
}

TEST(InlineStagesTest, CheapValuesUsedAtSeveralIndicesAreInlined) {
  EXPECT_EQ(Stored(Chain(3, [](const Tensor& x, const Expr& i,
                               const Expr& j) { return x(i, j) + x(j, i); })),
            "");
}

TEST(InlineStagesTest, ManyIndicesOfCheapValuesAreStored) {
  const std::string stored =
      Stored(Chain(12, [](const Tensor& x, const Expr& i, const Expr& j) {
        return x(i, j) + x(i, (j + 1) % static_cast<int>(kSize));
      }));
  EXPECT_NE(stored, "");
}

TEST(InlineStagesTest, ValuesWithLargeIndexAreStored) {
  const auto reshape = [](const Tensor& x, const Expr& i, const Expr& j) {
    const Expr flat = i * 3 + j;
    return x(flat / 5 % static_cast<int>(kSize), flat % 5);
  };
  EXPECT_NE(Stored(Chain(12, reshape)), "");
  EXPECT_EQ(Stored(Chain(2, reshape)), "");
}

// As written, the index of the first stage has hundreds of operations.
TEST(InlineStagesTest, ReshapesThatCancelAreInlined) {
  constexpr int n = static_cast<int>(kSize);
  EXPECT_EQ(Stored(Chain(7,
                         [](const Tensor& x, const Expr& i, const Expr& j) {
                           const Expr flat = i * n + j;
                           return Tanh(x(flat / n, flat % n));
                         })),
            "");
}

TEST(InlineStagesTest, DeepValuesAreStored) {
  const auto next = [](const Tensor& x, const Expr& i, const Expr& j) {
    return Tanh(x(i, j));
  };
  EXPECT_EQ(Stored(Chain(90, next)), "");
  EXPECT_EQ(Stored(Chain(250, next)), "t100 t201");
}

// t50 and s50 would have too many levels. Each of them needs s49, the result of
// all stages before.
TEST(InlineStagesTest, ValuesThatSeveralStoredStagesNeedAreStored) {
  Tensor x = Input();
  for (int k = 0; k < 80; ++k) {
    const auto stage = [&](const char* name, const Value& value) {
      return te::Compute(
          {kSize, kSize}, absl::StrCat(name, k),
          [&](const std::vector<Expr>& i) { return value(x, i[0], i[1]); });
    };
    const Tensor t = stage("t", [](const Tensor& y, const Expr& i,
                                   const Expr& j) { return Tanh(y(i, j)); });
    x = stage("s", [&](const Tensor& y, const Expr& i, const Expr& j) {
      return expr::Max(t(i, j), y(i, j));
    });
  }
  EXPECT_EQ(Stored(x), "s49 t50 s50");
}

TEST(InlineStagesTest, StagesAfterAPlacedStageAreInlined) {
  const Tensor x = Input();
  const expr::ReduceAxis r = te::MakeReduceAxis(kSize, "r");
  const Tensor sum =
      te::Compute({kSize, kSize}, "sum", [&](const std::vector<Expr>& i) {
        return te::Sum(x(i[0], r.var) * x(r.var, i[1]), {r});
      });
  Tensor y = sum;
  for (int k = 0; k < 6; ++k) {
    y = te::Compute({kSize, kSize}, absl::StrCat("t", k),
                    [&](const std::vector<Expr>& i) {
                      return Tanh(y(i[0], i[1]) + y(i[1], i[0]));
                    });
  }
  schedule::Schedule s({y});
  EXPECT_TRUE(InlineStages(s, y, [&](const Tensor& tensor) {
                return tensor.same_as(sum);
              }).empty());
  EXPECT_EQ(s[sum].state().placement, schedule::Placement::kRoot);
}

}  // namespace
}  // namespace assay::ops
