#include "compiler/expr/operations.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "compiler/expr/dag.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/intrinsics.h"
#include "compiler/expr/visitor.h"

namespace assay::expr {
namespace {

constexpr int64_t kElementaryOperations = 12;
constexpr int64_t kIntrinsicOperations = 2;
constexpr int64_t kDivisionOperations = 6;

class OperandCollector : public ExprVisitor {
 public:
  explicit OperandCollector(const Expr& e) { ExprVisitor::Visit(e); }
  void Visit(const Expr& e) override { operands.push_back(e); }
  std::vector<Expr> operands;
};

class LevelCounter {
 public:
  int Count(const Expr& e) {
    if (IsLeaf(e)) return 0;
    const auto found = levels_.find(e.get());
    if (found != levels_.end()) return found->second;
    int levels = 0;
    for (const Expr& operand : OperandsOf(e)) {
      levels = std::max(levels, Count(operand));
    }
    return levels_[e.get()] = levels + 1;
  }

 private:
  absl::flat_hash_map<const ExprNode*, int> levels_;
};

class OperationCounter {
 public:
  int64_t Count(const Expr& e) {
    if (IsLeaf(e)) return 0;
    const auto found = counts_.find(e.get());
    if (found != counts_.end()) return found->second;
    int64_t count = OwnOperations(e);
    for (const Expr& operand : OperandsOf(e)) {
      count = std::min(count + Count(operand), kMaxOperations);
    }
    counts_[e.get()] = count;
    return count;
  }

 private:
  absl::flat_hash_map<const ExprNode*, int64_t> counts_;
};

}  // namespace

int64_t OwnOperations(const Expr& e) {
  if (IsLeaf(e)) return 0;
  if (const auto* call = e.As<Call>()) {
    return IsElementary(call->intrinsic) ? kElementaryOperations
                                         : kIntrinsicOperations;
  }
  return MayDivideByZero(e) ? kDivisionOperations : 1;
}

int64_t CountOperations(const Expr& e) { return OperationCounter().Count(e); }

int CountLevels(const Expr& e) { return LevelCounter().Count(e); }

bool MayDivideByZero(const Expr& e) {
  if (e.dtype().is_float()) return false;
  const Expr* divisor = nullptr;
  if (const auto* div = e.As<Div>()) divisor = &div->b;
  if (const auto* mod = e.As<Mod>()) divisor = &mod->b;
  return divisor != nullptr && AsConstInt(*divisor).value_or(0) == 0;
}

std::vector<Expr> OperandsOf(const Expr& e) {
  return std::move(OperandCollector(e).operands);
}

}  // namespace assay::expr
