#include "compiler/tir/simplify/linear.h"

#include <iterator>
#include <utility>

#include "compiler/expr/expr_ops.h"
#include "compiler/expr/numeric.h"

namespace assay::tir {

using expr::Expr;

Linear Linear::Constant(int64_t value) {
  Linear result;
  result.constant = value;
  return result;
}

Linear Linear::Term(const Expr& term) {
  Linear result;
  result.terms[term] = 1;
  return result;
}

void Linear::Add(const Linear& other, int64_t scale) {
  for (const auto& [term, coefficient] : other.terms) {
    AddTerm(term, coefficient * scale);
  }
  constant += other.constant * scale;
}

void Linear::AddTerm(const Expr& term, int64_t coefficient) {
  if (coefficient == 0) return;
  const auto [it, inserted] = terms.try_emplace(term, coefficient);
  if (inserted) return;
  it->second += coefficient;
  if (it->second == 0) terms.erase(it);
}

void Linear::Scale(int64_t factor) {
  if (factor == 0) terms.clear();
  for (auto& [term, coefficient] : terms) coefficient *= factor;
  constant *= factor;
}

void Linear::Wrap() {
  constant = expr::WrapInt(DType::Int32(), constant);
  for (auto it = terms.begin(); it != terms.end();) {
    it->second = expr::WrapInt(DType::Int32(), it->second);
    it = it->second == 0 ? terms.erase(it) : std::next(it);
  }
}

namespace {

// Returns true if `v` is subtracted as -v. INT32_MIN is its own opposite.
bool IsSubtracted(int64_t v) { return v < 0 && v != INT32_MIN; }

}  // namespace

Expr Linear::ToExpr() const {
  const auto imm = [](int64_t v) {
    return expr::ConstInt(DType::Int32(), expr::WrapInt(DType::Int32(), v));
  };
  Expr sum;
  for (const auto& [term, coefficient] : terms) {
    if (IsSubtracted(coefficient)) continue;
    const Expr product = term * imm(coefficient);
    sum = sum.defined() ? sum + product : product;
  }
  // Without a positive term the constant comes first.
  bool constant_done = false;
  if (!sum.defined()) {
    sum = imm(constant);
    constant_done = true;
  }
  for (const auto& [term, coefficient] : terms) {
    if (IsSubtracted(coefficient)) sum = sum - term * imm(-coefficient);
  }
  if (constant_done || constant == 0) return sum;
  return IsSubtracted(constant) ? sum - imm(-constant) : sum + imm(constant);
}

Linear ToLinear(const Expr& e) {
  if (const auto* imm = e.As<expr::IntImm>()) {
    return Linear::Constant(imm->value);
  }
  if (const auto* add = e.As<expr::Add>()) {
    Linear sum = ToLinear(add->a);
    sum.Add(ToLinear(add->b));
    sum.Wrap();
    return sum;
  }
  if (const auto* sub = e.As<expr::Sub>()) {
    Linear sum = ToLinear(sub->a);
    sum.Add(ToLinear(sub->b), -1);
    sum.Wrap();
    return sum;
  }
  if (const auto* mul = e.As<expr::Mul>()) {
    Linear a = ToLinear(mul->a);
    Linear b = ToLinear(mul->b);
    if (a.IsConstant()) std::swap(a, b);
    if (b.IsConstant()) {
      a.Scale(b.constant);
      a.Wrap();
      return a;
    }
  }
  return Linear::Term(e);
}

Linear Difference(const Expr& a, const Expr& b) {
  Linear difference = ToLinear(a);
  difference.Add(ToLinear(b), -1);
  return difference;
}

}  // namespace assay::tir
