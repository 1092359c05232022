#include "compiler/expr/printer.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "compiler/expr/numeric.h"
#include "runtime/base/check.h"

namespace assay::expr {
namespace {

// The operator of a binary kind; nullptr if it prints as a call.
const InfixOperator* FindInfix(ExprKind kind) {
  for (const InfixOperator& candidate : kInfixOperators) {
    if (candidate.kind == kind) return &candidate;
  }
  return nullptr;
}

std::string FloatSuffix(DType type) {
  if (type.code() == DType::Code::kBFloat) return "bf16";
  return type.bits() == 32 ? "f" : absl::StrCat("f", type.bits());
}

std::string FloatText(DType type, double value) {
  const std::string suffix = FloatSuffix(type);
  if (std::isnan(value)) return absl::StrCat("nan", suffix);
  if (std::isinf(value)) {
    return absl::StrCat(value < 0 ? "-inf" : "inf", suffix);
  }
  char digits[40];
  for (int precision = 1; precision <= 17; ++precision) {
    std::snprintf(digits, sizeof(digits), "%.*g", precision, value);
    if (RoundFloat(type, std::strtod(digits, nullptr)) == value) break;
  }
  return absl::StrCat(digits, suffix);
}

std::string IntText(DType type, int64_t value) {
  if (type.is_bool()) return value != 0 ? "true" : "false";
  if (type == DType::Int32()) return absl::StrCat(value);
  if (type.is_uint()) {
    return absl::StrCat(static_cast<uint64_t>(value), "u", type.bits());
  }
  return absl::StrCat(value, "i", type.bits());
}

class Printer {
 public:
  Printer(ExprNames& names, std::string* out) : names_(names), out_(out) {}

  // Prints `e`, in parentheses if its precedence is lower than `level`.
  void Print(const Expr& e, int level = 0);

 private:
  template <typename T>
  void PrintBinary(const T* node, const char* function, int level);
  void PrintArgs(const std::vector<Expr>& args, char open, char close);
  void PrintReduce(const Reduce* node);
  void Put(absl::string_view text) { absl::StrAppend(out_, text); }

  ExprNames& names_;
  std::string* out_;
};

void Printer::PrintArgs(const std::vector<Expr>& args, char open, char close) {
  out_->push_back(open);
  for (size_t i = 0; i < args.size(); ++i) {
    if (i > 0) Put(", ");
    Print(args[i]);
  }
  out_->push_back(close);
}

template <typename T>
void Printer::PrintBinary(const T* node, const char* function, int level) {
  const InfixOperator* infix = FindInfix(T::kKind);
  if (infix == nullptr) {
    Put(function);
    PrintArgs({node->a, node->b}, '(', ')');
    return;
  }
  const int precedence = infix->precedence;
  const bool parenthesize = precedence < level;
  if (parenthesize) Put("(");
  Print(node->a, precedence + (precedence == kComparePrecedence ? 1 : 0));
  absl::StrAppend(out_, " ", infix->text, " ");
  Print(node->b, precedence + 1);
  if (parenthesize) Put(")");
}

void Printer::PrintReduce(const Reduce* node) {
  for (const ReduceAxis& axis : node->axes) {
    names_.vars.NameOf(axis.var.get(), axis.var.As<Var>()->name);
  }
  Put(node->reducer->name);
  Put("(");
  for (size_t i = 0; i < node->sources.size(); ++i) {
    if (i > 0) Put(", ");
    Print(node->sources[i]);
  }
  for (const ReduceAxis& axis : node->axes) {
    absl::StrAppend(out_, ", ", names_.vars.NameOf(axis.var.get(), ""), " < ",
                    axis.extent);
  }
  Put(")");
  if (node->reducer.size() > 1) absl::StrAppend(out_, ".", node->value);
  for (const ReduceAxis& axis : node->axes) {
    names_.vars.Release(axis.var.get());
  }
}

void Printer::Print(const Expr& e, int level) {
  if (!e.defined()) return Put("<undefined>");
  switch (e.kind()) {
    case ExprKind::kIntImm:
      return Put(IntText(e.dtype(), e.As<IntImm>()->value));
    case ExprKind::kFloatImm:
      return Put(FloatText(e.dtype(), e.As<FloatImm>()->value));
    case ExprKind::kVar:
      return Put(names_.vars.NameOf(e.get(), e.As<Var>()->name));
    case ExprKind::kCast:
      absl::StrAppend(out_, "cast(", e.dtype().ToString(), ", ");
      Print(e.As<Cast>()->value);
      return Put(")");
    case ExprKind::kMin:
      return PrintBinary(e.As<struct Min>(), "min", level);
    case ExprKind::kMax:
      return PrintBinary(e.As<struct Max>(), "max", level);
#define ASSAY_INFIX(Kind) \
  case ExprKind::k##Kind: \
    return PrintBinary(e.As<Kind>(), "", level);
      ASSAY_INFIX(Add)
      ASSAY_INFIX(Sub)
      ASSAY_INFIX(Mul)
      ASSAY_INFIX(Div)
      ASSAY_INFIX(Mod)
      ASSAY_INFIX(EQ)
      ASSAY_INFIX(NE)
      ASSAY_INFIX(LT)
      ASSAY_INFIX(LE)
      ASSAY_INFIX(And)
      ASSAY_INFIX(Or)
#undef ASSAY_INFIX
    case ExprKind::kNot:
      Put("!");
      return Print(e.As<Not>()->a, kUnaryPrecedence);
    case ExprKind::kSelect: {
      const Select* s = e.As<Select>();
      Put("select");
      return PrintArgs({s->condition, s->true_value, s->false_value}, '(', ')');
    }
    case ExprKind::kCall: {
      const Call* call = e.As<Call>();
      Put(IntrinsicName(call->intrinsic));
      if (call->intrinsic != Intrinsic::kReinterpret) {
        return PrintArgs(call->args, '(', ')');
      }
      absl::StrAppend(out_, "(", e.dtype().ToString(), ", ");
      Print(call->args[0]);
      return Put(")");
    }
    case ExprKind::kRamp: {
      const Ramp* ramp = e.As<Ramp>();
      Put("ramp");
      return PrintArgs({ramp->base, ramp->stride, e.dtype().lanes()}, '(', ')');
    }
    case ExprKind::kBroadcast:
      Put("broadcast");
      return PrintArgs({e.As<Broadcast>()->value, e.dtype().lanes()}, '(', ')');
    case ExprKind::kLoad: {
      const Load* load = e.As<Load>();
      absl::StrAppend(
          out_, "%",
          names_.buffers.NameOf(load->buffer.get(), load->buffer->name));
      return PrintArgs(load->indices, '[', ']');
    }
    case ExprKind::kRead: {
      const Read* read = e.As<Read>();
      Put(read->tensor->name);
      return PrintArgs(read->indices, '[', ']');
    }
    case ExprKind::kReduce:
      return PrintReduce(e.As<Reduce>());
  }
}

// Names that the parser would read as literals.
bool IsReserved(absl::string_view name) {
  if (name == "true" || name == "false") return true;
  const absl::string_view head = name.substr(0, 3);
  if (head != "inf" && head != "nan") return false;
  const absl::string_view tail = name.substr(3);
  return tail == "f" || tail == "f16" || tail == "f64" || tail == "bf16";
}

std::string Sanitize(absl::string_view hint) {
  std::string name(hint.data(), hint.size());
  for (char& c : name) {
    const bool allowed = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                         (c >= '0' && c <= '9') || c == '_' || c == '.';
    if (!allowed) c = '_';
  }
  const bool starts_well =
      !name.empty() && name[0] != '.' && (name[0] < '0' || name[0] > '9');
  return starts_well ? name : absl::StrCat("_", name);
}

}  // namespace

const std::string& NameTable::NameOf(const Counted* node,
                                     absl::string_view hint) {
  auto found = names_.find(node);
  if (found != names_.end()) return found->second;
  const std::string base = Sanitize(hint);
  std::string name = base;
  for (int suffix = 1; IsReserved(name) || taken_.count(name) > 0; ++suffix) {
    name = absl::StrCat(base, "_", suffix);
  }
  taken_.insert(name);
  return names_[node] = name;
}

void NameTable::Release(const Counted* node) {
  auto found = names_.find(node);
  if (found == names_.end()) return;
  taken_.erase(found->second);
  names_.erase(found);
}

void PrintExpr(const Expr& e, ExprNames& names, std::string* out) {
  Printer(names, out).Print(e);
}

std::string ToString(const Expr& e) {
  ExprNames names;
  std::string text;
  PrintExpr(e, names, &text);
  return text;
}

std::ostream& operator<<(std::ostream& os, const Expr& e) {
  return os << ToString(e);
}

}  // namespace assay::expr
