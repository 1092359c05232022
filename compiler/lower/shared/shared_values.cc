#include "compiler/lower/shared/shared_values.h"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "compiler/expr/dag.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/operations.h"
#include "compiler/expr/visitor.h"
#include "runtime/base/shape.h"

namespace assay::lower {
namespace {

using expr::Expr;
using expr::ExprKind;
using expr::ExprNode;

// A value is copied if the copies together have at most this many operations
// more than the value. A limit of a few functions keeps activations such as
// gelu, whose operand is a sum, as they are.
constexpr int64_t kMaxCopied = 24;
// The same for a sum of int32 numbers that depends on data, such as an index
// that is read from a tensor. A reshape divides it by an extent, and only if
// the simplifier sees the sum, most of the division cancels.
constexpr int64_t kMaxCopiedSum = 192;
// A value of fewer operations is always copied.
constexpr int64_t kMinShared = 4;
// Number of levels of an expression above which it is cut.
constexpr int kMaxHeight = 64;

// An arm of a Select, or a union of arms, in which an expression is evaluated.
// The whole body is the context nullptr.
struct Context {
  Context* parent = nullptr;
  int depth = 1;
  // The context is evaluated if `parent` is and `condition` is `holds`.
  Expr condition;
  bool holds = true;
  Expr guard;  // the name of the combined condition, if it has been bound
};

struct Node {
  Expr e;
  int uses = 0;
  int64_t operations = 0;
  int height = 0;
  bool data = false;     // depends on data, so it is no index arithmetic
  bool safe = true;      // can be evaluated for all values of the axes
  bool seen = false;     // a user has set `context`
  bool unknown = false;  // no context describes when the node is needed
  Context* context = nullptr;
};

class Binder : public expr::ExprVisitor {
 public:
  explicit Binder(const tir::VarBounds& axes) : axes_(axes) {}

  SharedValues Run(const std::vector<Expr>& values) {
    for (const Expr& value : values) Visit(value);
    for (const Expr& value : values) Use(value, nullptr);
    for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
      UseOperands(**node);
    }
    // Operands first.
    for (Node* node : order_) Decide(*node);
    for (const Expr& value : values) {
      result_.operations += OperationsOf(value);
      result_.values.push_back(Named(value));
    }
    return std::move(result_);
  }

  // Counts the uses of each node, and lists the nodes in post-order.
  void Visit(const Expr& e) override {
    if (expr::IsLeaf(e)) return;
    const auto [node, is_new] = nodes_.try_emplace(e.get(), nullptr);
    if (is_new) {
      storage_.emplace_back();
      Node* fresh = node->second = &storage_.back();
      fresh->e = e;
      ExprVisitor::Visit(e);
      fresh->uses = 1;
      order_.push_back(fresh);
    } else {
      ++node->second->uses;
    }
  }

 private:
  // Replaces the operands of a node by their names.
  class Namer : public expr::ExprMutator {
   public:
    explicit Namer(Binder& binder) : binder_(binder) {}
    Expr Mutate(const Expr& e) override { return binder_.Named(e); }
    Expr Operands(const Expr& e) { return ExprMutator::Mutate(e); }

   private:
    Binder& binder_;
  };

  // `e` with the names of its shared parts.
  Expr Named(const Expr& e) const {
    const auto found = named_.find(e.get());
    return found == named_.end() ? e : found->second;
  }

  const Node* Find(const Expr& e) const {
    const auto found = nodes_.find(e.get());
    return found == nodes_.end() ? nullptr : found->second;
  }
  int64_t OperationsOf(const Expr& e) const {
    const Node* node = Find(e);
    return node == nullptr ? 0 : node->operations;
  }
  bool IsData(const Expr& e) const {
    const Node* node = Find(e);
    return node != nullptr && node->data;
  }

  static int Depth(Context* context) {
    return context == nullptr ? 0 : context->depth;
  }

  // Selects with the same condition have the same contexts.
  Context* Arm(Context* parent, const Expr& condition, bool holds) {
    Context*& arm = arms_[{parent, condition.get(), holds}];
    if (arm == nullptr) {
      contexts_.push_back(
          {parent, Depth(parent) + 1, condition, holds, Expr()});
      arm = &contexts_.back();
    }
    return arm;
  }

  // Records that `e` is evaluated in `context`.
  void Use(const Expr& e, Context* context) {
    const auto found = nodes_.find(e.get());
    if (found == nodes_.end()) return;
    Node& node = *found->second;
    if (!node.seen) {
      node.context = context;
      node.seen = true;
      return;
    }
    Join(node, context);
  }

  // Extends the context of the node, which is used in a second place.
  void Join(Node& node, Context* other) {
    Context *a = node.context, *b = other;
    const Context *a_below = nullptr, *b_below = nullptr;
    while (a != b) {
      if (Depth(a) >= Depth(b)) {
        a_below = a;
        a = a->parent;
      } else {
        b_below = b;
        b = b->parent;
      }
    }
    const bool one_includes_other = a_below == nullptr || b_below == nullptr;
    const bool both_arms = !one_includes_other && node.context == a_below &&
                           other == b_below &&
                           a_below->condition.same_as(b_below->condition);
    if (!one_includes_other && !both_arms) node.unknown = true;
    node.context = a;
  }

  void UseOperands(const Node& node) {
    if (const auto* select = node.e.As<expr::Select>()) {
      Use(select->condition, node.context);
      Use(select->true_value, Arm(node.context, select->condition, true));
      Use(select->false_value, Arm(node.context, select->condition, false));
      Inherit(node, select->condition);
      Inherit(node, select->true_value);
      Inherit(node, select->false_value);
      return;
    }
    for (const Expr& operand : expr::OperandsOf(node.e)) {
      Use(operand, node.context);
      Inherit(node, operand);
    }
  }

  void Inherit(const Node& user, const Expr& operand) {
    const auto found = nodes_.find(operand.get());
    if (found != nodes_.end() && user.unknown) found->second->unknown = true;
  }

  bool IsSafe(const Expr& e) const {
    if (expr::MayDivideByZero(e)) return false;
    const auto* read = e.As<expr::Read>();
    if (read == nullptr) return true;
    for (size_t d = 0; d < read->indices.size(); ++d) {
      if (!tir::ConstBounds(Named(read->indices[d]), axes_)
               .Within(0, read->tensor->shape[d] - 1)) {
        return false;
      }
    }
    return true;
  }

  void Decide(Node& node) {
    node.operations = expr::OwnOperations(node.e);
    node.data = node.e.kind() == ExprKind::kRead ||
                !(node.e.dtype() == DType::Int32() || node.e.dtype().is_bool());
    for (const Expr& operand : expr::OperandsOf(node.e)) {
      const Node* part = Find(operand);
      if (part == nullptr) continue;
      node.operations =
          std::min(node.operations + part->operations, expr::kMaxOperations);
      node.height = std::max(node.height, part->height + 1);
      node.data = node.data || part->data;
      node.safe = node.safe && part->safe;
    }
    const Expr value = Namer(*this).Operands(node.e);
    named_[node.e.get()] = value;
    node.safe = node.safe && IsSafe(node.e);
    if (!node.data || !(IsRepeated(node) || node.height >= kMaxHeight)) return;
    if (!node.safe && node.unknown) return;
    Bind(node, node.safe ? value : Guarded(value, node.context));
  }

  static bool IsRepeated(const Node& node) {
    const bool is_sum =
        node.e.dtype() == DType::Int32() &&
        (node.e.kind() == ExprKind::kAdd || node.e.kind() == ExprKind::kSub);
    return node.operations >= kMinShared &&
           (node.uses - 1) * node.operations >
               (is_sum ? kMaxCopiedSum : kMaxCopied);
  }

  // Computes the value of `node` here, and uses its name from now on.
  void Bind(Node& node, const Expr& value) {
    named_[node.e.get()] = Bind(value, node.operations);
    node.operations = 1;
    node.height = 0;
    node.safe = true;
  }
  Expr Bind(const Expr& value, int64_t operations) {
    const Expr var = expr::Var::Make(absl::StrCat("v", result_.shared.size()),
                                     value.dtype());
    result_.shared.push_back({var, value});
    result_.operations =
        std::min(result_.operations + operations, expr::kMaxOperations);
    return var;
  }

  Expr Guarded(const Expr& value, Context* context) {
    const Expr guard = GuardOf(context);
    if (!guard.defined()) return value;
    return expr::Select::Make(guard, value, expr::Const(value.dtype(), 0));
  }

  // The condition of a context and all contexts around it; undefined if it
  // always holds.
  Expr GuardOf(Context* context) {
    if (context == nullptr) return Expr();
    if (context->guard.defined()) return context->guard;
    const Expr outer = GuardOf(context->parent);
    Expr condition = Named(context->condition);
    if (!context->holds) condition = expr::Not::Make(condition);
    if (outer.defined()) {
      condition = expr::Select::Make(outer, condition,
                                     expr::ConstInt(DType::Bool(), 0));
    }
    const bool cheap = !outer.defined() && !IsData(context->condition) &&
                       OperationsOf(context->condition) < kMinShared;
    context->guard =
        cheap ? condition
              : Bind(condition, 2 + OperationsOf(context->condition));
    return context->guard;
  }

  const tir::VarBounds& axes_;
  std::deque<Node> storage_;
  std::deque<Context> contexts_;
  std::map<std::tuple<Context*, const ExprNode*, bool>, Context*> arms_;
  absl::flat_hash_map<const ExprNode*, Node*> nodes_;
  std::vector<Node*> order_;
  absl::flat_hash_map<const ExprNode*, Expr> named_;
  SharedValues result_;
};

}  // namespace

SharedValues BindSharedValues(const std::vector<Expr>& values,
                              const tir::VarBounds& axes) {
  return Binder(axes).Run(values);
}

}  // namespace assay::lower
