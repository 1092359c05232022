#include "compiler/tir/expr_parser.h"

#include "absl/strings/numbers.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/tir/parse_literal.h"
#include "runtime/base/status_macros.h"

namespace assay::tir {
namespace {

using expr::ExprKind;

constexpr int kMaxLanes = 1024;

Expr MakeBinary(ExprKind kind, Expr a, Expr b) {
  switch (kind) {
#define ASSAY_CASE(Kind)  \
  case ExprKind::k##Kind: \
    return expr::Kind::Make(std::move(a), std::move(b));
    ASSAY_EXPR_BINARY_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
    default:
      return Expr();
  }
}

}  // namespace

absl::Status ExprParser::Unexpected(absl::string_view wanted) const {
  const Token& found = Peek();
  const std::string text = found.kind == Token::Kind::kEnd
                               ? "the end"
                               : absl::StrCat("`", found.text, "`");
  return absl::InvalidArgumentError(absl::StrCat(
      "line ", found.line, ": expected ", wanted, ", found ", text));
}

absl::Status ExprParser::Expect(absl::string_view text) {
  if (TakeIf(text)) return absl::OkStatus();
  return Unexpected(absl::StrCat("`", text, "`"));
}

absl::Status ExprParser::ExpectEnd() {
  if (Peek().kind == Token::Kind::kEnd) return absl::OkStatus();
  return Unexpected("the end");
}

absl::StatusOr<std::string> ExprParser::TakeWord(absl::string_view what) {
  if (Peek().kind != Token::Kind::kWord) return Unexpected(what);
  return Take().text;
}

absl::StatusOr<int64_t> ExprParser::TakeInteger() {
  const bool negative = TakeIf("-");
  int64_t value = 0;
  if (Peek().kind != Token::Kind::kNumber ||
      !absl::SimpleAtoi(Peek().text, &value)) {
    return Unexpected("an integer");
  }
  Take();
  return negative ? -value : value;
}

absl::StatusOr<DType> ExprParser::TakeType() {
  ASSAY_ASSIGN_OR_RETURN(const std::string word, TakeWord("a type"));
  const absl::StatusOr<DType> type = DType::Parse(word);
  return type.ok() ? type : Error(type.status().message());
}

absl::StatusOr<Buffer> ExprParser::TakeBufferUse() {
  ASSAY_RETURN_IF_ERROR(Expect("%"));
  ASSAY_ASSIGN_OR_RETURN(const std::string name, TakeWord("a name"));
  auto found = scope_.buffers.find(name);
  if (found == scope_.buffers.end()) {
    return Error("unknown buffer `%", name, "`");
  }
  return found->second;
}

absl::StatusOr<std::vector<Expr>> ExprParser::ParseIndices(
    const Buffer& buffer) {
  ASSAY_RETURN_IF_ERROR(Expect("["));
  ASSAY_ASSIGN_OR_RETURN(std::vector<Expr> indices, ParseList("]"));
  for (size_t i = 0; i < indices.size(); ++i) {
    const DType type = indices[i].dtype();
    const bool last = i + 1 == indices.size();
    if (type.Element() != DType::Int32() || (!last && type.is_vector())) {
      return Error("index ", i, " of `%", buffer->name, "` is ",
                   type.ToString());
    }
  }
  return indices;
}

absl::StatusOr<std::vector<Expr>> ExprParser::ParseList(
    absl::string_view close) {
  std::vector<Expr> list;
  while (!TakeIf(close)) {
    if (!list.empty()) ASSAY_RETURN_IF_ERROR(Expect(","));
    ASSAY_ASSIGN_OR_RETURN(Expr e, ParseExpr());
    list.push_back(std::move(e));
  }
  return list;
}

absl::StatusOr<Expr> ExprParser::Binary(ExprKind kind, Expr a, Expr b) {
  if (a.dtype() != b.dtype()) {
    return Error("operands of types ", a.dtype().ToString(), " and ",
                 b.dtype().ToString());
  }
  const bool logical = kind == ExprKind::kAnd || kind == ExprKind::kOr;
  const bool any_type = kind == ExprKind::kEQ || kind == ExprKind::kNE;
  if ((!any_type && logical != a.dtype().is_bool()) ||
      (kind == ExprKind::kMod && a.dtype().is_float())) {
    return Error("the operator does not take ", a.dtype().ToString());
  }
  return MakeBinary(kind, std::move(a), std::move(b));
}

// An operator must be on the line where its left operand ends; this separates
// the remainder operator `%` from the `%` of a store on the next line.
const expr::InfixOperator* ExprParser::TakeOperator(int level) {
  if (at_ > 0 && Peek().line != tokens_[at_ - 1].line) return nullptr;
  for (const expr::InfixOperator& candidate : expr::kInfixOperators) {
    if (candidate.precedence < level) continue;
    if (TakeIf(candidate.text)) return &candidate;
  }
  return nullptr;
}

absl::StatusOr<Expr> ExprParser::ParseExpr(int level) {
  if (++depth_ > kMaxDepth) return Error("nested too deeply");
  ASSAY_ASSIGN_OR_RETURN(Expr left, ParsePrimary());
  bool compared = false;  // comparisons do not chain
  for (;;) {
    const expr::InfixOperator* op = TakeOperator(level);
    if (op == nullptr) break;
    if (op->precedence == expr::kComparePrecedence && compared) {
      return Error("comparisons do not chain");
    }
    compared = op->precedence == expr::kComparePrecedence;
    ASSAY_ASSIGN_OR_RETURN(Expr right, ParseExpr(op->precedence + 1));
    ASSAY_ASSIGN_OR_RETURN(left,
                           Binary(op->kind, std::move(left), std::move(right)));
  }
  --depth_;
  return left;
}

absl::StatusOr<Expr> ExprParser::ParsePrimary() {
  const bool negative = TakeIf("-");
  const Token& token = Peek();
  if (token.kind == Token::Kind::kNumber || IsLiteralWord(token.text)) {
    const absl::StatusOr<Expr> value = ParseLiteral(Take().text, negative);
    return value.ok() ? value : Error(value.status().message());
  }
  if (negative) return Unexpected("a number");
  if (TakeIf("(")) {
    ASSAY_ASSIGN_OR_RETURN(Expr e, ParseExpr());
    ASSAY_RETURN_IF_ERROR(Expect(")"));
    return e;
  }
  if (TakeIf("!")) {
    ASSAY_ASSIGN_OR_RETURN(Expr e, ParseExpr(expr::kUnaryPrecedence));
    if (!e.dtype().is_bool()) {
      return Error("`!` does not take ", e.dtype().ToString());
    }
    return expr::Not::Make(std::move(e));
  }
  if (token.Is("%")) {
    ASSAY_ASSIGN_OR_RETURN(Buffer buffer, TakeBufferUse());
    ASSAY_ASSIGN_OR_RETURN(std::vector<Expr> indices, ParseIndices(buffer));
    return expr::Load::Make(std::move(buffer), std::move(indices));
  }
  return ParseWord();
}

absl::StatusOr<Expr> ExprParser::ParseWord() {
  ASSAY_ASSIGN_OR_RETURN(const std::string name, TakeWord("an expression"));
  if (TakeIf("(")) return ParseCall(name);
  if (name == "true" || name == "false") {
    return expr::IntImm::Make(DType::Bool(), name == "true");
  }
  auto found = scope_.vars.find(name);
  if (found == scope_.vars.end()) {
    return Error("unknown variable `", name, "`");
  }
  return found->second;
}

absl::StatusOr<Expr> ExprParser::ParseConversion(bool reinterpret) {
  ASSAY_ASSIGN_OR_RETURN(const DType type, TakeType());
  ASSAY_RETURN_IF_ERROR(Expect(","));
  ASSAY_ASSIGN_OR_RETURN(Expr value, ParseExpr());
  ASSAY_RETURN_IF_ERROR(Expect(")"));
  const int lanes = value.dtype().lanes();
  if (reinterpret ? value.dtype().bits() * lanes != type.bits() * type.lanes()
                  : lanes != type.lanes()) {
    return Error("no conversion of ", value.dtype().ToString(), " to ",
                 type.ToString());
  }
  if (!reinterpret) return expr::Cast::Make(type, std::move(value));
  return expr::Call::Make(type, expr::Intrinsic::kReinterpret,
                          {std::move(value)});
}

absl::StatusOr<Expr> ExprParser::ParseVector(bool ramp) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<Expr> args, ParseList(")"));
  if (args.size() != (ramp ? 3 : 2)) return Error("wrong number of arguments");
  const auto* lanes = args.back().As<expr::IntImm>();
  if (lanes == nullptr || lanes->value < 2 || lanes->value > kMaxLanes) {
    return Error("the number of lanes is not a constant in [2, ", kMaxLanes,
                 "]");
  }
  const DType stride = args[args.size() - 2].dtype();
  if (args[0].dtype().is_vector() || args[0].dtype() != stride) {
    return Error("a vector of ", args[0].dtype().ToString());
  }
  const int count = static_cast<int>(lanes->value);
  if (!ramp) return expr::Broadcast::Make(args[0], count);
  if (args[0].dtype().is_float() || args[0].dtype().is_bool()) {
    return Error("a ramp of ", args[0].dtype().ToString());
  }
  return expr::Ramp::Make(args[0], args[1], count);
}

absl::StatusOr<Expr> ExprParser::ParseCall(const std::string& name) {
  if (name == "cast") return ParseConversion(false);
  if (name == "reinterpret") return ParseConversion(true);
  if (name == "ramp") return ParseVector(true);
  if (name == "broadcast") return ParseVector(false);
  ASSAY_ASSIGN_OR_RETURN(std::vector<Expr> args, ParseList(")"));
  if ((name == "min" || name == "max") && args.size() == 2) {
    return Binary(name == "min" ? ExprKind::kMin : ExprKind::kMax, args[0],
                  args[1]);
  }
  if (name == "select" && args.size() == 3) return ParseSelect(args);
  return ParseIntrinsic(name, std::move(args));
}

absl::StatusOr<Expr> ExprParser::ParseSelect(const std::vector<Expr>& args) {
  const DType condition = args[0].dtype(), type = args[1].dtype();
  if (!condition.is_bool() || type != args[2].dtype() ||
      (condition.is_vector() && condition.lanes() != type.lanes())) {
    return Error("`select` of types ", condition.ToString(), ", ",
                 type.ToString(), " and ", args[2].dtype().ToString());
  }
  return expr::Select::Make(args[0], args[1], args[2]);
}

absl::StatusOr<Expr> ExprParser::ParseIntrinsic(const std::string& name,
                                                std::vector<Expr> args) {
  for (int i = 0; i <= static_cast<int>(expr::kLastIntrinsic); ++i) {
    const auto intrinsic = static_cast<expr::Intrinsic>(i);
    if (name != expr::IntrinsicName(intrinsic)) continue;
    if (args.size() != expr::IntrinsicArity(intrinsic)) {
      return Error("wrong number of arguments");
    }
    if (expr::FindTileFactors(intrinsic) != nullptr) {
      return ParseTileProduct(intrinsic, std::move(args));
    }
    const bool is_dot = expr::FindDotFactors(intrinsic) != nullptr;
    for (const Expr& arg : args) {
      if (arg.dtype() != args[0].dtype() ||
          (is_dot && arg.dtype().Element() != DType::Int32()) ||
          (intrinsic == expr::Intrinsic::kRoundBFloat16 &&
           arg.dtype().Element() != DType::Float32())) {
        return Error("`", name, "` of types ", args[0].dtype().ToString(),
                     " and ", arg.dtype().ToString());
      }
    }
    return expr::CallOf(intrinsic, std::move(args));
  }
  return Error("unknown function `", name, "` of ", args.size(), " arguments");
}

absl::StatusOr<Expr> ExprParser::ParseTileProduct(expr::Intrinsic intrinsic,
                                                  std::vector<Expr> args) {
  constexpr int kLanes = expr::kTileRows * expr::kTileRows;
  const DType sum = expr::FindTileFactors(intrinsic)->sum.WithLanes(kLanes);
  const DType factor = DType::Int32().WithLanes(kLanes);
  if (args[0].dtype() != sum || args[1].dtype() != factor ||
      args[2].dtype() != factor) {
    return Error("`", expr::IntrinsicName(intrinsic), "` of types ",
                 args[0].dtype().ToString(), ", ", args[1].dtype().ToString(),
                 " and ", args[2].dtype().ToString());
  }
  return expr::CallOf(intrinsic, std::move(args));
}

}  // namespace assay::tir
