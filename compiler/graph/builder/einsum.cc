#include "compiler/graph/builder/einsum.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/graph/builder/compose.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

std::string Quoted(absl::string_view text) {
  return absl::StrCat("`", absl::CHexEscape(text.substr(0, 100)), "`");
}

// The axes that `...` stands for, from the last: control characters, which no
// equation has.
constexpr char kLastEllipsisAxis = 31;

// A value with axis names, without duplicates.
struct Term {
  Value value;
  std::string axes;
};

// The letters of one operand, with `...` replaced by the names of `ellipsis`
// axes.
absl::StatusOr<std::string> Letters(absl::string_view text, int64_t ellipsis) {
  std::string axes;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "...") {
      for (int64_t e = ellipsis; e > 0; --e) {
        axes.push_back(static_cast<char>(kLastEllipsisAxis - e + 1));
      }
      i += 2;
    } else if (absl::ascii_isalpha(text[i])) {
      axes.push_back(text[i]);
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("the equation has `", std::string(1, text[i]),
                       "` where a letter or `...` is needed"));
    }
  }
  return axes;
}

// Takes the diagonal of two axes of the same name: the axes are fused, and
// every (extent + 1)th element is taken.
void TakeDiagonals(Compose& c, Term* term) {
  for (size_t i = 0; i < term->axes.size() && c.status().ok(); ++i) {
    const size_t j = term->axes.find(term->axes[i], i + 1);
    if (j == std::string::npos) continue;
    std::vector<int64_t> perm;
    for (size_t d = 0; d < term->axes.size(); ++d) {
      if (d != i && d != j) perm.push_back(static_cast<int64_t>(d));
    }
    Shape shape;
    const Shape old = term->value.type().shape;
    for (const int64_t d : perm) shape.push_back(old[d]);
    const auto axis = static_cast<int64_t>(perm.size());
    perm.push_back(static_cast<int64_t>(i));
    perm.push_back(static_cast<int64_t>(j));
    shape.push_back(old[i] * old[j]);
    term->value = c.Reshape(c.Transpose(term->value, perm), shape);
    term->value = c.Slice(term->value, axis, 0, old[i], old[i] + 1);
    const char name = term->axes[i];
    term->axes.erase(j, 1);
    term->axes.erase(i, 1);
    term->axes.push_back(name);
    i = static_cast<size_t>(-1);
  }
}

// Sums the axes that are not in `kept`.
void SumOthers(Compose& c, const std::set<char>& kept, Term* term) {
  if (!c.status().ok()) return;
  std::vector<int64_t> axes;
  std::string left;
  Shape shape;
  for (size_t d = 0; d < term->axes.size(); ++d) {
    if (kept.count(term->axes[d]) == 0) {
      axes.push_back(static_cast<int64_t>(d));
    } else {
      left.push_back(term->axes[d]);
      shape.push_back(term->value.type().shape[d]);
    }
  }
  if (axes.empty()) return;
  term->value = c.Reshape(c.Sum(term->value, axes), shape);
  term->axes = left;
}

// The axes of `names` in that order, with the axes of each group fused.
Value Grouped(Compose& c, const Term& term, const std::string (&groups)[3],
              const std::map<char, int64_t>& extents) {
  std::vector<int64_t> perm;
  Shape shape;
  for (const std::string& group : groups) {
    int64_t count = 1;
    for (const char axis : group) {
      perm.push_back(static_cast<int64_t>(term.axes.find(axis)));
      count *= extents.at(axis);
    }
    shape.push_back(count);
  }
  return c.Reshape(c.Transpose(term.value, perm), shape);
}

// An axis of one element is repeated if other operands have more elements.
void Broadcast(Compose& c, const std::map<char, int64_t>& extents, Term* term) {
  if (!c.status().ok()) return;
  Shape shape;
  for (const char axis : term->axes) shape.push_back(extents.at(axis));
  if (shape == term->value.type().shape) return;
  term->value =
      c.Node(OpKind::kBroadcastTo, ReshapeAttrs{shape}, {term->value});
}

// The product of both operands, with those of their axes that are in `kept`.
Term Multiply(Compose& c, Term a, Term b, const std::set<char>& kept,
              const std::map<char, int64_t>& extents) {
  std::set<char> for_a = kept, for_b = kept;
  for_a.insert(b.axes.begin(), b.axes.end());
  for_b.insert(a.axes.begin(), a.axes.end());
  SumOthers(c, for_a, &a);
  SumOthers(c, for_b, &b);
  Broadcast(c, extents, &a);
  Broadcast(c, extents, &b);
  if (!c.status().ok()) return a;
  std::string batch, left, right, sum;
  for (const char axis : a.axes) {
    if (b.axes.find(axis) == std::string::npos) {
      left.push_back(axis);
    } else {
      (kept.count(axis) > 0 ? batch : sum).push_back(axis);
    }
  }
  for (const char axis : b.axes) {
    if (a.axes.find(axis) == std::string::npos) right.push_back(axis);
  }
  const Value x = Grouped(c, a, {batch, left, sum}, extents);
  const Value y = Grouped(c, b, {batch, sum, right}, extents);
  Term product = {c.Binary(OpKind::kMatmul, x, y), batch + left + right};
  Shape shape;
  for (const char axis : product.axes) shape.push_back(extents.at(axis));
  product.value = c.Reshape(product.value, shape);
  return product;
}

struct Equation {
  std::vector<std::string> operands;
  std::string result;
};

// Without `->` the result has the ellipsis and then, in alphabetical order, the
// letters that occur once.
absl::StatusOr<Equation> ReadEquation(std::string text,
                                      absl::Span<const Value> operands) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const size_t arrow = text.find("->");
  const std::vector<std::string> sides =
      absl::StrSplit(text.substr(0, arrow), ',');
  if (sides.size() != operands.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the equation is ", Quoted(text), " but there are ",
                     operands.size(), " operands"));
  }
  Equation equation;
  int64_t ellipsis = 0;
  std::map<char, int> count;
  for (size_t i = 0; i < operands.size(); ++i) {
    const auto letters = static_cast<int64_t>(
        std::count_if(sides[i].begin(), sides[i].end(), absl::ascii_isalpha));
    const int64_t rest = operands[i].type().rank() - letters;
    const bool open = sides[i].find("...") != std::string::npos;
    if (rest < 0 || (rest > 0 && !open) || rest > kLastEllipsisAxis) {
      return absl::InvalidArgumentError(
          absl::StrCat("the equation is ", Quoted(text), " but operand ", i,
                       " is ", operands[i].type().ToString()));
    }
    ellipsis = std::max(ellipsis, rest);
    ASSAY_ASSIGN_OR_RETURN(std::string axes, Letters(sides[i], rest));
    for (const char axis : axes) ++count[axis];
    equation.operands.push_back(std::move(axes));
  }
  if (arrow != std::string::npos) {
    ASSAY_ASSIGN_OR_RETURN(equation.result,
                           Letters(text.substr(arrow + 2), ellipsis));
  } else {
    for (const auto& [axis, times] : count) {
      if (times == 1 || axis <= kLastEllipsisAxis) {
        equation.result.push_back(axis);
      }
    }
  }
  for (const char axis : equation.result) {
    if (count[axis] > 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the equation is ", Quoted(text),
                     ", whose result has an index that no operand has"));
  }
  return equation;
}

// Axes of extent one are repeated.
absl::StatusOr<std::map<char, int64_t>> ReadExtents(
    absl::Span<const Value> operands, const Equation& equation) {
  std::map<char, int64_t> extents;
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::string& axes = equation.operands[i];
    for (size_t d = 0; d < axes.size(); ++d) {
      const Shape& shape = operands[i].type().shape;
      const int64_t extent = shape[d];
      if (shape[axes.find(axes[d])] != extent) {
        return absl::InvalidArgumentError(
            absl::StrCat("operand ", i, " is ", operands[i].type().ToString(),
                         ", which has no diagonal"));
      }
      int64_t& known = extents.emplace(axes[d], extent).first->second;
      if (known == 1) known = extent;
      if (extent == known || extent == 1) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "operand ", i, " is ", operands[i].type().ToString(),
          " but its axis ", d, " has ", known, " elements elsewhere"));
    }
  }
  return extents;
}

}  // namespace

absl::StatusOr<Value> AddEinsum(GraphBuilder& op, std::string text,
                                absl::Span<const Value> operands) {
  ASSAY_ASSIGN_OR_RETURN(const Equation equation,
                         ReadEquation(std::move(text), operands));
  ASSAY_ASSIGN_OR_RETURN(const auto extents, ReadExtents(operands, equation));
  Compose c(op, operands[0]);
  const DType dtype = operands[0].type().dtype;
  Term product;
  for (size_t i = 0; i < operands.size() && c.status().ok(); ++i) {
    Term term = {c.Cast(operands[i], SumType(dtype)), equation.operands[i]};
    TakeDiagonals(c, &term);
    std::set<char> kept(equation.result.begin(), equation.result.end());
    for (size_t later = i + 1; later < operands.size(); ++later) {
      kept.insert(equation.operands[later].begin(),
                  equation.operands[later].end());
    }
    if (i == 0) {
      SumOthers(c, kept, &term);
      product = std::move(term);
    } else {
      product = Multiply(c, product, term, kept, extents);
    }
  }
  if (!c.status().ok()) return c.status();
  Broadcast(c, extents, &product);
  std::vector<int64_t> perm;
  for (const char axis : equation.result) {
    perm.push_back(static_cast<int64_t>(product.axes.find(axis)));
  }
  const Value result = c.Cast(c.Transpose(product.value, perm), dtype);
  ASSAY_RETURN_IF_ERROR(c.status());
  return result;
}

}  // namespace assay::graph
