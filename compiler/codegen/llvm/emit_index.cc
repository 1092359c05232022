// FunctionEmitter: index arithmetic (see emitter.h).
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "compiler/codegen/llvm/emitter.h"
#include "compiler/codegen/llvm/vector_index.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/substitute.h"
#include "compiler/tir/simplify/exact.h"
#include "llvm/IR/Constants.h"
#include "runtime/base/check.h"

namespace assay::codegen {

using expr::ExprKind;

llvm::Value* FunctionEmitter::IndexConstant(int64_t value) {
  return llvm::ConstantInt::getSigned(kernel_.index_type(), value);
}

// A loaded value may change anywhere, so it has the current depth.
int FunctionEmitter::DepthOf(const Expr& e) const {
  if (expr::HasLoad(e)) return depth_;
  int depth = 0;
  for (const Expr& var : expr::FreeVars(e)) {
    depth = std::max(depth, vars_.at(var).depth);
  }
  return depth;
}

llvm::Value* FunctionEmitter::EmitIndex(const Expr& e) {
  CHECK(e.dtype() == DType::Int32()) << e << " is not an index";
  const tir::Linear sum = tir::ToLinear(e);
  // Data wraps around in 32 bits.
  return tir::IsExact(sum, bounds_)
             ? EmitIndexSum(sum)
             : builder_.CreateSExt(Emit(e), kernel_.index_type());
}

llvm::Value* FunctionEmitter::EmitNarrowedIndex(const Expr& e) {
  return builder_.CreateTrunc(EmitIndex(e), builder_.getInt32Ty(), "",
                              /*IsNUW=*/false, /*IsNSW=*/true);
}

llvm::Value* FunctionEmitter::EmitIndexSum(const tir::Linear& sum) {
  // Outermost first; for equal depths in the order of the sum.
  std::multimap<int, std::pair<Expr, int64_t>> terms;
  for (const auto& [e, coefficient] : sum.terms) {
    terms.insert({DepthOf(e), {e, coefficient}});
  }
  // Partial sums of 32-bit values do not overflow 64 bits; with 32 bits only
  // the total is known to fit.
  const bool fits = kernel_.index_type()->getBitWidth() == 64;
  llvm::Value* total = nullptr;
  for (const auto& [depth, term] : terms) {
    llvm::Value* value = EmitIndexTerm(term.first);
    if (term.second != 1) {
      value = builder_.CreateMul(value, IndexConstant(term.second), "",
                                 /*HasNUW=*/false, /*HasNSW=*/fits);
    }
    total = total == nullptr
                ? value
                : builder_.CreateAdd(total, value, "", false, fits);
  }
  if (total == nullptr) return IndexConstant(sum.constant);
  if (sum.constant == 0) return total;
  return builder_.CreateAdd(total, IndexConstant(sum.constant), "", false,
                            fits);
}

// ToLinear() treats these nodes as opaque terms.
llvm::Value* FunctionEmitter::EmitIndexTerm(const Expr& e) {
  switch (e.kind()) {
    case ExprKind::kVar:
      return vars_.at(e).value;
    case ExprKind::kMul: {
      if (tir::IsData(e, bounds_)) break;
      const auto* mul = e.As<expr::Mul>();
      llvm::Value* a = EmitIndex(mul->a);
      return builder_.CreateMul(a, EmitIndex(mul->b));
    }
    case ExprKind::kDiv: {
      llvm::Value* a = EmitIndex(e.As<expr::Div>()->a);
      return EmitDivMod(e, a, EmitIndex(e.As<expr::Div>()->b));
    }
    case ExprKind::kMod: {
      llvm::Value* a = EmitIndex(e.As<expr::Mod>()->a);
      return EmitDivMod(e, a, EmitIndex(e.As<expr::Mod>()->b));
    }
    case ExprKind::kMin: {
      llvm::Value* a = EmitIndex(e.As<struct expr::Min>()->a);
      return EmitArithmetic(e.kind(), e.dtype(), a,
                            EmitIndex(e.As<struct expr::Min>()->b));
    }
    case ExprKind::kMax: {
      llvm::Value* a = EmitIndex(e.As<struct expr::Max>()->a);
      return EmitArithmetic(e.kind(), e.dtype(), a,
                            EmitIndex(e.As<struct expr::Max>()->b));
    }
    default:
      break;
  }
  return builder_.CreateSExt(Emit(e), kernel_.index_type());
}

std::vector<llvm::Value*> FunctionEmitter::EmitIndexLanes(const Expr& e) {
  const int lanes = e.dtype().lanes();
  std::vector<llvm::Value*> values;
  for (int lane = 0; lane < lanes; ++lane) {
    const std::optional<Expr> scalar = LaneOf(e, lane);
    if (!scalar.has_value()) break;
    values.push_back(EmitIndex(*scalar));
  }
  if (!values.empty()) return values;
  llvm::Value* vector = Emit(e);
  for (int lane = 0; lane < lanes; ++lane) {
    values.push_back(builder_.CreateSExt(
        builder_.CreateExtractElement(vector, lane), kernel_.index_type()));
  }
  return values;
}

}  // namespace assay::codegen
