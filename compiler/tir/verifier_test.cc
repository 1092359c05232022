#include "compiler/tir/verifier.h"

#include <string>

#include "compiler/expr/expr_ops.h"
#include "compiler/tir/parser.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

using expr::MakeBuffer;
using expr::Scope;

class VerifierTest : public ::testing::Test {
 protected:
  std::string Error(const Stmt& body) {
    return std::string(Verify({"f", {in_}, {out_}, body}).message());
  }
  Stmt Loop(const Expr& var, ForKind kind, Stmt body) {
    return For::Make(var, 0, 4, kind, std::move(body));
  }
  Expr At(const Buffer& b, const Expr& index) {
    return expr::Load::Make(b, {index});
  }

  const Buffer in_ = MakeBuffer("in", DType::Float32(), {4});
  const Buffer out_ = MakeBuffer("out", DType::Float32(), {4});
  const Buffer local_ =
      MakeBuffer("local", DType::Float32(), {4}, Scope::kLocal);
  const Expr i_ = expr::Var::Make("i"), j_ = expr::Var::Make("j");
  const Expr one_ = expr::Const(DType::Float32(), 1);
  const Stmt store_ = Store::Make(out_, {0}, one_);
};

TEST_F(VerifierTest, AcceptsValidProgram) {
  const auto f = ParseFunction(R"(
func conv(in %a: float32[4,4], in %s: float32[], out %o: float32[4,4]) {
  parallel i in [0, 4) {
    alloc %acc: local float32[4]
    vectorized j in [0, 4) {
      %acc[j] = exp(%s[])
    }
    unrolled j in [0, 4) {
      %o[i, j] = %acc[j] + %a[i * 4 + j]
    }
  }
  parallel i in [0, 4) {
    %o[i, ramp(0, 1, 4)] = %a[i, ramp(0, 1, 4)]
  }
}
)");
  ASSERT_TRUE(f.ok()) << f.status();
  EXPECT_TRUE(Verify(*f).ok()) << Verify(*f);
}

TEST_F(VerifierTest, ChecksFunctionNameAndBody) {
  EXPECT_EQ(std::string(Verify({"a b", {in_}, {out_}, store_}).message()),
            "function `a b`: the function name is not an identifier");
  EXPECT_EQ(std::string(Verify({"f", {}, {out_}, Stmt()}).message()),
            "function `f`: the function has no body");
}

TEST_F(VerifierTest, ChecksDeclarations) {
  EXPECT_EQ(std::string(Verify({"f", {out_}, {out_}, store_}).message()),
            "function `f`: buffer `%out` is declared twice");
  EXPECT_EQ(std::string(Verify({"f", {local_}, {out_}, store_}).message()),
            "function `f`: parameter `%local` is not in global scope");
  EXPECT_EQ(Error(Allocate::Make(local_, Allocate::Make(local_, store_))),
            "function `f`: buffer `%local` is declared twice");
  const Buffer negative = MakeBuffer("n", DType::Float32(), {-1});
  EXPECT_EQ(Error(Allocate::Make(negative, store_)),
            "function `f`: buffer `%n` has the invalid shape [-1]");
  // Two declarations in sequence are valid.
  EXPECT_EQ(Error(Block::Make({Allocate::Make(local_, store_),
                               Allocate::Make(local_, store_)})),
            "");
}

TEST_F(VerifierTest, ChecksScopeOfVariables) {
  const Stmt use = Store::Make(out_, {i_}, one_);
  EXPECT_EQ(Error(use),
            "function `f`: variable `i` is used outside its loop or let");
  EXPECT_EQ(Error(Block::Make({Loop(i_, ForKind::kSerial, store_), use})),
            "function `f`: variable `i` is used outside its loop or let");
  EXPECT_EQ(Error(For::Make(i_, 0, i_, ForKind::kSerial, store_)),
            "function `f`: variable `i` is used outside its loop or let");
  EXPECT_EQ(Error(Loop(i_, ForKind::kSerial, Loop(i_, ForKind::kSerial, use))),
            "function `f`: variable `i` is rebound inside its own scope");
  const Stmt once = Loop(i_, ForKind::kSerial, use);
  EXPECT_EQ(Error(Block::Make({once, once})), "");
}

TEST_F(VerifierTest, ChecksScopeOfBuffers) {
  const Stmt use = Store::Make(out_, {0}, At(local_, 0));
  EXPECT_EQ(Error(use),
            "function `f`: buffer `%local` is used outside its allocation");
  EXPECT_EQ(Error(Block::Make({Allocate::Make(local_, store_), use})),
            "function `f`: buffer `%local` is used outside its allocation");
  EXPECT_EQ(Error(Allocate::Make(local_, use)), "");
}

TEST_F(VerifierTest, ChecksIndices) {
  const Buffer grid = MakeBuffer("grid", DType::Float32(), {2, 2, 2});
  const auto store = [&](std::vector<Expr> indices) {
    return Allocate::Make(grid, Store::Make(grid, std::move(indices), one_));
  };
  EXPECT_EQ(Error(store({0, 0, 0})), "");
  EXPECT_EQ(Error(store({0})), "");
  EXPECT_EQ(Error(store({0, 0})),
            "function `f`: 2 indices for `%grid` of shape [2,2,2]");
  EXPECT_EQ(Error(store({expr::ConstInt(DType::Int64(), 0)})),
            "function `f`: index 0 of `%grid` is int64");
  EXPECT_EQ(Error(store({0, expr::Ramp::Make(0, 1, 2), 0})),
            "function `f`: index 1 of `%grid` is int32x2");
}

TEST_F(VerifierTest, RejectsStoreToInput) {
  EXPECT_EQ(Error(Store::Make(in_, {0}, one_)),
            "function `f`: input `%in` is stored to");
}

TEST_F(VerifierTest, ChecksParallelLoops) {
  EXPECT_EQ(
      Error(Loop(i_, ForKind::kParallel, Loop(j_, ForKind::kParallel, store_))),
      "function `f`: the parallel loop over `j` is inside another "
      "parallel loop");
  const Stmt use = Store::Make(local_, {i_}, one_);
  EXPECT_EQ(
      Error(Allocate::Make(local_, Loop(i_, ForKind::kParallel, use))),
      "function `f`: local buffer `%local` is used across a parallel loop");
  EXPECT_EQ(Error(Loop(i_, ForKind::kParallel, Allocate::Make(local_, use))),
            "");
}

TEST_F(VerifierTest, VectorizedAndUnrolledExtentsMustBeConstant) {
  for (ForKind kind : {ForKind::kVectorized, ForKind::kUnrolled}) {
    EXPECT_EQ(
        Error(Loop(i_, ForKind::kSerial, For::Make(j_, 0, i_, kind, store_))),
        "function `f`: the extent of the vectorized or unrolled loop "
        "over `j` is not a constant");
  }
}

TEST_F(VerifierTest, RejectsTensorExpressionNodes) {
  auto* tensor = new expr::TensorNode;
  tensor->name = "t";
  tensor->shape = {4};
  const Expr read = expr::Read::Make(expr::TensorRef(tensor), {0});
  EXPECT_EQ(Error(Store::Make(out_, {0}, read)),
            "function `f`: tensor `t` is read in a loop program");
  EXPECT_EQ(Error(Store::Make(
                out_, {0},
                expr::Reduce::Make(expr::Combiner::kSum, one_, {{j_, 4}}))),
            "function `f`: a reduction is left in a loop program");
}

TEST_F(VerifierTest, ChecksPragmaKeys) {
  EXPECT_EQ(Error(Pragma::Make("a b", 1, store_)),
            "function `f`: pragma key `a b` is not an identifier");
}

TEST_F(VerifierTest, ChecksLoweredPrograms) {
  const auto error = [&](const Stmt& body) {
    return std::string(VerifyLowered({"f", {in_}, {out_}, body}).message());
  };
  EXPECT_EQ(error(store_), "");
  EXPECT_EQ(error(Loop(i_, ForKind::kUnrolled, store_)),
            "function `f`: the vectorized or unrolled loop over `i` is left "
            "after lowering");
  const Buffer grid = MakeBuffer("grid", DType::Float32(), {2, 2});
  EXPECT_EQ(error(Allocate::Make(grid, Store::Make(grid, {0, 0}, one_))),
            "function `f`: 2 indices for `%grid` of shape [2,2]");
  EXPECT_EQ(error(Store::Make(out_, {0},
                              expr::CallOf(expr::Intrinsic::kTanh, {one_}))),
            "function `f`: a call of `tanh` is left after lowering");
}

}  // namespace
}  // namespace assay::tir
