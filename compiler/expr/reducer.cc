#include "compiler/expr/reducer.h"

#include <limits>
#include <utility>

#include "compiler/expr/expr.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/numeric.h"
#include "runtime/base/check.h"

namespace assay::expr {
namespace {

const char* NameOf(Combiner combiner) {
  switch (combiner) {
    case Combiner::kSum:
      return "sum";
    case Combiner::kProd:
      return "prod";
    case Combiner::kMin:
      return "min_over";
    case Combiner::kMax:
      return "max_over";
  }
  return "";
}

}  // namespace

Expr CombinerIdentity(Combiner combiner, DType type) {
  switch (combiner) {
    case Combiner::kSum:
      return Const(type, 0);
    case Combiner::kProd:
      return Const(type, 1);
    default:
      break;
  }
  const bool lowest = combiner == Combiner::kMax;
  if (type.is_float()) {
    const double infinity = std::numeric_limits<double>::infinity();
    return Const(type, lowest ? -infinity : infinity);
  }
  const int bits = type.bits();
  if (type.is_bool()) return ConstInt(type, lowest ? 0 : 1);
  if (type.is_uint()) {
    return ConstInt(type, lowest ? 0 : WrapInt(type.Element(), -1));
  }
  const int64_t min = -(int64_t{1} << (bits - 2)) * 2;
  return ConstInt(type, lowest ? min : -(min + 1));
}

Expr Combine(Combiner combiner, Expr a, Expr b) {
  switch (combiner) {
    case Combiner::kSum:
      return Add::Make(std::move(a), std::move(b));
    case Combiner::kProd:
      return Mul::Make(std::move(a), std::move(b));
    case Combiner::kMin:
      return Min::Make(std::move(a), std::move(b));
    case Combiner::kMax:
      return Max::Make(std::move(a), std::move(b));
  }
  CHECK(false);
  return Expr();
}

Reducer MakeReducer(
    std::string name, std::vector<Expr> identities,
    const std::function<std::vector<Expr>(const std::vector<Expr>&,
                                          const std::vector<Expr>&)>& results,
    bool reorderable) {
  auto* node = new ReducerNode;
  const Reducer reducer(node);
  for (const Expr& identity : identities) {
    node->lhs.push_back(Var::Make("a", identity.dtype()));
    node->rhs.push_back(Var::Make("b", identity.dtype()));
  }
  node->name = std::move(name);
  node->results = results(node->lhs, node->rhs);
  node->reorderable = reorderable;
  CHECK(!identities.empty() && node->results.size() == identities.size())
      << "results of reducer `" << node->name << "`";
  for (size_t i = 0; i < identities.size(); ++i) {
    CHECK_EQ(node->results[i].dtype(), identities[i].dtype())
        << "result " << i << " of reducer `" << node->name << "`";
  }
  node->identities = std::move(identities);
  return reducer;
}

Reducer ReducerOf(Combiner combiner, DType type) {
  return MakeReducer(
      NameOf(combiner), {CombinerIdentity(combiner, type)},
      [&](const std::vector<Expr>& a, const std::vector<Expr>& b) {
        return std::vector<Expr>{Combine(combiner, a[0], b[0])};
      },
      true);
}

}  // namespace assay::expr
