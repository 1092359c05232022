#include "compiler/codegen/llvm/testing/programs.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/codegen/llvm/testing/conv_kernel.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/tir/parser.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::codegen {
namespace {

using expr::Expr;

constexpr int64_t kRandomSeeds = 6;
constexpr int kExpressions = 12;
constexpr int kRows = 5;
constexpr int kLanes = 8;

class IndexGenerator {
 public:
  IndexGenerator(Rng& rng, std::vector<Expr> vars)
      : rng_(rng), vars_(std::move(vars)) {}

  Expr Generate(int depth) {
    if (depth == 0) return Leaf();
    const Expr a = Generate(depth - 1);
    switch (Pick(8)) {
      case 0:
        return a + Generate(depth - 1);
      case 1:
        return a - Generate(depth - 1);
      case 2:
        return a * Constant(-5, 5);
      case 3:
        return a / NonZero();
      case 4:
        return a % NonZero();
      case 5:
        return expr::Min(a, Generate(depth - 1));
      case 6:
        return expr::Max(a, Generate(depth - 1));
      default:
        return expr::SelectOf(Generate(1) < Leaf(), a, Generate(depth - 1));
    }
  }

 private:
  int64_t Pick(int64_t n) { return rng_.UniformInt(0, n - 1); }
  Expr Constant(int64_t lo, int64_t hi) {
    return expr::ConstInt(DType::Int32(), rng_.UniformInt(lo, hi));
  }
  Expr NonZero() {
    const int64_t magnitude = rng_.UniformInt(1, 9);
    return expr::ConstInt(DType::Int32(),
                          Pick(4) == 0 ? -magnitude : magnitude);
  }
  Expr Leaf() {
    if (Pick(3) == 0) return Constant(-20, 20);
    return vars_[Pick(vars_.size())];
  }

  Rng& rng_;
  std::vector<Expr> vars_;
};

// Vectorizes the expression: replaces `var` by the lanes 0, 1, …
Expr Vectorize(const Expr& e, const Expr& var, int lanes) {
  if (e.same_as(var)) return expr::Ramp::Make(0, 1, lanes);
  if (const auto* select = e.As<expr::Select>()) {
    return expr::Select::Make(Vectorize(select->condition, var, lanes),
                              Vectorize(select->true_value, var, lanes),
                              Vectorize(select->false_value, var, lanes));
  }
#define ASSAY_CASE(Kind)                                     \
  if (const auto* node = e.As<struct expr::Kind>()) {        \
    return expr::Kind::Make(Vectorize(node->a, var, lanes),  \
                            Vectorize(node->b, var, lanes)); \
  }
  ASSAY_EXPR_BINARY_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
  return expr::Broadcast::Make(e, lanes);
}

}  // namespace

tir::Function RandomIndices(uint64_t seed) {
  Rng rng(seed);
  const Expr i = expr::Var::Make("i"), j = expr::Var::Make("j");
  IndexGenerator generator(rng, {i, j});
  constexpr int64_t kCells = kRows * kLanes * kExpressions;
  tir::Function f;
  f.name = absl::StrCat("random_indices_", seed);
  f.inputs = {expr::MakeBuffer("table", DType::Float32(), {32})};
  f.outputs = {expr::MakeBuffer("index", DType::Int32(), {kCells}),
               expr::MakeBuffer("scalar", DType::Float32(), {kCells}),
               expr::MakeBuffer("vector", DType::Float32(), {kCells})};
  std::vector<tir::Stmt> scalars, vectors;
  for (int k = 0; k < kExpressions; ++k) {
    const Expr e = generator.Generate(3);
    const Expr row = ((i + 3) * kExpressions + k) * kLanes;
    const Expr at = row + j;
    scalars.push_back(tir::Store::Make(f.outputs[0], {at}, e));
    scalars.push_back(tir::Store::Make(
        f.outputs[1], {at}, expr::Load::Make(f.inputs[0], {e % 32})));
    const Expr lanes = Vectorize(e % 32, j, kLanes);
    vectors.push_back(tir::Store::Make(f.outputs[2],
                                       {expr::Ramp::Make(row, 1, kLanes)},
                                       expr::Load::Make(f.inputs[0], {lanes})));
  }
  vectors.push_back(tir::For::Make(j, 0, kLanes, tir::ForKind::kSerial,
                                   tir::Block::Make(scalars)));
  f.body = tir::For::Make(i, -3, kRows, tir::ForKind::kSerial,
                          tir::Block::Make(vectors));
  return f;
}

absl::StatusOr<std::vector<tir::Function>> LoadPrograms(
    const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  std::vector<std::string> texts;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::StartsWith(line, "func ")) texts.emplace_back();
    if (!texts.empty()) absl::StrAppend(&texts.back(), line, "\n");
  }
  std::vector<tir::Function> programs;
  for (const std::string& one : texts) {
    absl::StatusOr<tir::Function> f = tir::ParseFunction(one);
    if (!f.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(f.status().message(), " of\n", one));
    }
    programs.push_back(*std::move(f));
  }
  for (const int64_t kernel : {1, 3}) {
    for (const bool unroll : {false, true}) {
      ConvShape shape;
      shape.in_blocks = 2;
      shape.out_blocks = 2;
      shape.size = 6;
      shape.columns = 3;
      shape.kernel = kernel;
      shape.unroll = unroll;
      programs.push_back(ConvKernel(shape));
      programs.back().name =
          absl::StrCat("conv", kernel, unroll ? "_unrolled" : "");
    }
  }
  for (int64_t seed = 1; seed <= kRandomSeeds; ++seed) {
    programs.push_back(RandomIndices(seed));
  }
  return programs;
}

}  // namespace assay::codegen
