#include "compiler/expr/structural_equal.h"

#include <functional>

#include "compiler/expr/numeric.h"

namespace assay::expr {
namespace {

template <typename T>
int Order(const T& a, const T& b) {
  if (a < b) return -1;
  return b < a ? 1 : 0;
}

int OrderTypes(DType a, DType b) {
  if (int c = Order(a.code(), b.code())) return c;
  if (int c = Order(a.bits(), b.bits())) return c;
  return Order(a.lanes(), b.lanes());
}

int OrderAddresses(const void* a, const void* b) {
  if (a == b) return 0;
  return std::less<const void*>()(a, b) ? -1 : 1;
}

// Compares two trees. With a renaming, only zero versus non-zero is meaningful.
class Comparer {
 public:
  explicit Comparer(Renaming* renaming) : renaming_(renaming) {}

  int Compare(const Expr& a, const Expr& b);
  int Reducers(const Reducer& a, const Reducer& b);

 private:
  // One overload per node layout; both nodes have the same kind and type.
  int Nodes(const IntImm* a, const IntImm* b) {
    return Order(a->value, b->value);
  }
  int Nodes(const FloatImm* a, const FloatImm* b) {
    return Order(FloatToBits(a->dtype, a->value),
                 FloatToBits(b->dtype, b->value));
  }
  int Nodes(const Var* a, const Var* b) {
    if (renaming_ != nullptr) return renaming_->Same(a, b) ? 0 : 1;
    return Order(a->id, b->id);
  }
  int Nodes(const Cast* a, const Cast* b) {
    return Compare(a->value, b->value);
  }
  int Nodes(const Not* a, const Not* b) { return Compare(a->a, b->a); }
#define ASSAY_DEFINE(Kind)                                \
  int Nodes(const struct Kind* a, const struct Kind* b) { \
    if (int c = Compare(a->a, b->a)) return c;            \
    return Compare(a->b, b->b);                           \
  }
  ASSAY_EXPR_BINARY_KINDS(ASSAY_DEFINE)
#undef ASSAY_DEFINE
  int Nodes(const Select* a, const Select* b) {
    if (int c = Compare(a->condition, b->condition)) return c;
    if (int c = Compare(a->true_value, b->true_value)) return c;
    return Compare(a->false_value, b->false_value);
  }
  int Nodes(const Call* a, const Call* b) {
    if (int c = Order(a->intrinsic, b->intrinsic)) return c;
    return All(a->args, b->args);
  }
  int Nodes(const Ramp* a, const Ramp* b) {
    if (int c = Compare(a->base, b->base)) return c;
    return Compare(a->stride, b->stride);
  }
  int Nodes(const Broadcast* a, const Broadcast* b) {
    return Compare(a->value, b->value);
  }
  int Nodes(const Load* a, const Load* b) {
    if (int c = Named(a->buffer, b->buffer)) return c;
    return All(a->indices, b->indices);
  }
  int Nodes(const Read* a, const Read* b) {
    if (int c = Named(a->tensor, b->tensor)) return c;
    return All(a->indices, b->indices);
  }
  int Nodes(const Reduce* a, const Reduce* b);

  // Buffers and tensors.
  template <typename T>
  int Named(const Ref<T>& a, const Ref<T>& b) {
    if (renaming_ != nullptr) return renaming_->Same(a.get(), b.get()) ? 0 : 1;
    if (int c = Order(a->name, b->name)) return c;
    if (int c = OrderTypes(a->dtype, b->dtype)) return c;
    if (int c = Order(a->shape, b->shape)) return c;
    return OrderAddresses(a.get(), b.get());
  }

  int All(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    if (int c = Order(a.size(), b.size())) return c;
    for (size_t i = 0; i < a.size(); ++i) {
      if (int c = Compare(a[i], b[i])) return c;
    }
    return 0;
  }

  Renaming* renaming_;
};

int Comparer::Nodes(const Reduce* a, const Reduce* b) {
  if (int c = Reducers(a->reducer, b->reducer)) return c;
  if (int c = Order(a->value, b->value)) return c;
  if (int c = Order(a->axes.size(), b->axes.size())) return c;
  for (size_t i = 0; i < a->axes.size(); ++i) {
    if (int c = Order(a->axes[i].extent, b->axes[i].extent)) return c;
  }
  if (renaming_ == nullptr) {
    for (size_t i = 0; i < a->axes.size(); ++i) {
      if (int c = Compare(a->axes[i].var, b->axes[i].var)) return c;
    }
    return All(a->sources, b->sources);
  }
  for (size_t i = 0; i < a->axes.size(); ++i) {
    renaming_->Bind(a->axes[i].var.get(), b->axes[i].var.get());
  }
  const int result = All(a->sources, b->sources);
  for (size_t i = 0; i < a->axes.size(); ++i) {
    renaming_->Unbind(a->axes[i].var.get(), b->axes[i].var.get());
  }
  return result;
}

int Comparer::Reducers(const Reducer& a, const Reducer& b) {
  if (a.same_as(b)) return 0;
  if (int c = Order(a->name, b->name)) return c;
  if (int c = Order(a->reorderable, b->reorderable)) return c;
  if (int c = Order(a.size(), b.size())) return c;
  Renaming renaming;
  for (int i = 0; i < a.size(); ++i) {
    renaming.Bind(a->lhs[i].get(), b->lhs[i].get());
    renaming.Bind(a->rhs[i].get(), b->rhs[i].get());
  }
  Comparer comparer(&renaming);
  if (comparer.All(a->results, b->results) == 0 &&
      comparer.All(a->identities, b->identities) == 0) {
    return 0;
  }
  return OrderAddresses(a.get(), b.get());
}

int Comparer::Compare(const Expr& a, const Expr& b) {
  // Not valid with a renaming: it may map a node to another one.
  if (renaming_ == nullptr && a.same_as(b)) return 0;
  if (!a.defined() || !b.defined()) return Order(a.defined(), b.defined());
  if (int c = Order(a.kind(), b.kind())) return c;
  if (int c = OrderTypes(a.dtype(), b.dtype())) return c;
  switch (a.kind()) {
#define ASSAY_CASE(Kind)                                   \
  case ExprKind::k##Kind:                                  \
    return Nodes(static_cast<const struct Kind*>(a.get()), \
                 static_cast<const struct Kind*>(b.get()));
    ASSAY_EXPR_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
  }
  return 0;
}

}  // namespace

void Renaming::Bind(const Counted* left, const Counted* right) {
  to_right_[left] = right;
  to_left_[right] = left;
}

void Renaming::Unbind(const Counted* left, const Counted* right) {
  to_right_.erase(left);
  to_left_.erase(right);
}

bool Renaming::Same(const Counted* left, const Counted* right) const {
  const auto l = to_right_.find(left);
  const auto r = to_left_.find(right);
  if (l == to_right_.end() && r == to_left_.end()) return left == right;
  return l != to_right_.end() && r != to_left_.end() && l->second == right &&
         r->second == left;
}

bool StructurallyEqual(const Expr& a, const Expr& b) {
  Renaming renaming;
  return StructurallyEqual(a, b, renaming);
}

bool StructurallyEqual(const Expr& a, const Expr& b, Renaming& renaming) {
  return Comparer(&renaming).Compare(a, b) == 0;
}

bool StructurallyEqual(const Reducer& a, const Reducer& b) {
  return Comparer(nullptr).Reducers(a, b) == 0;
}

int StructuralCompare(const Expr& a, const Expr& b) {
  return Comparer(nullptr).Compare(a, b);
}

}  // namespace assay::expr
