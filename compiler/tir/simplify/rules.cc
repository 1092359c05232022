#include "compiler/tir/simplify/rules.h"

#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/expr/numeric.h"
#include "compiler/expr/structural_equal.h"
#include "compiler/tir/parser.h"
#include "runtime/base/check.h"

namespace assay::tir {
namespace {

using expr::Expr;
using expr::ExprKind;

// The class of expressions that a rule variable matches.
enum class VariableClass : uint8_t { kInteger, kLogical, kAny, kConstant };

struct RuleVariable {
  const char* name;
  VariableClass matches;
};

constexpr std::array<RuleVariable, 11> kVariables = {{
    {"x", VariableClass::kInteger},
    {"y", VariableClass::kInteger},
    {"z", VariableClass::kInteger},
    {"c1", VariableClass::kConstant},
    {"c2", VariableClass::kConstant},
    {"p", VariableClass::kLogical},
    {"q", VariableClass::kLogical},
    {"r", VariableClass::kLogical},
    {"a", VariableClass::kAny},
    {"b", VariableClass::kAny},
    {"d", VariableClass::kAny},
}};

// The expression bound to each variable; not owned.
using Bindings = std::array<const Expr*, kVariables.size()>;

// A node of the left side of a rule, compiled for matching.
struct PatternNode {
  ExprKind kind;
  int slot = -1;  // index into kVariables, or -1 if not a variable
  DType type;
  int64_t literal = 0;
  std::vector<PatternNode> operands;
};

struct Pattern {
  PatternNode before;
  Expr after, condition;
  // Bit set of the kinds that the second operand may have; all if there is
  // none.
  uint32_t second_kinds = 0;
};

constexpr size_t kKinds = 32;

uint32_t KindBit(ExprKind kind) { return 1u << static_cast<int>(kind); }

// Bit set of the kinds that a pattern node may match.
uint32_t KindsOf(const PatternNode& node) {
  const bool is_constant =
      node.slot >= 0 ? kVariables[node.slot].matches == VariableClass::kConstant
                     : node.kind == ExprKind::kIntImm;
  // A broadcast of a constant is a constant, too.
  if (is_constant) {
    return KindBit(ExprKind::kIntImm) | KindBit(ExprKind::kBroadcast);
  }
  return node.slot >= 0 ? ~0u : KindBit(node.kind);
}

bool Commutes(ExprKind kind) {
  switch (kind) {
    case ExprKind::kAnd:
    case ExprKind::kOr:
    case ExprKind::kMin:
    case ExprKind::kMax:
    case ExprKind::kEQ:
    case ExprKind::kNE:
      return true;
    default:
      return false;
  }
}

// The operands of a node of a kind that occurs in rules.
std::vector<Expr> OperandsOf(const Expr& e) {
#define ASSAY_CASE(Kind) \
  if (const auto* n = e.As<struct expr::Kind>()) return {n->a, n->b};
  ASSAY_EXPR_BINARY_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
  if (const auto* n = e.As<expr::Not>()) return {n->a};
  if (const auto* n = e.As<expr::Select>()) {
    return {n->condition, n->true_value, n->false_value};
  }
  return {};
}

Expr MakeNode(ExprKind kind, const std::vector<Expr>& operands) {
  if (operands.size() == 1) return expr::Not::Make(operands[0]);
  if (operands.size() == 3) {
    return expr::Select::Make(operands[0], operands[1], operands[2]);
  }
  switch (kind) {
#define ASSAY_CASE(Kind)  \
  case ExprKind::k##Kind: \
    return expr::Kind::Make(operands[0], operands[1]);
    ASSAY_EXPR_BINARY_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
    default:
      CHECK(false);
      return Expr();
  }
}

// All variants of `e` in which operands of commutative operators are swapped.
std::vector<Expr> Orders(const Expr& e) {
  const std::vector<Expr> operands = OperandsOf(e);
  if (operands.empty()) return {e};
  std::vector<std::vector<Expr>> choices = {{}};
  for (const Expr& operand : operands) {
    std::vector<std::vector<Expr>> longer;
    for (const Expr& order : Orders(operand)) {
      for (const std::vector<Expr>& before : choices) {
        longer.push_back(before);
        longer.back().push_back(order);
      }
    }
    choices = std::move(longer);
  }
  std::vector<Expr> orders;
  for (std::vector<Expr>& choice : choices) {
    orders.push_back(MakeNode(e.kind(), choice));
    if (!Commutes(e.kind())) continue;
    std::swap(choice[0], choice[1]);
    orders.push_back(MakeNode(e.kind(), choice));
  }
  return orders;
}

class RuleBook {
 public:
  RuleBook();

  const std::vector<Rule>& rules() const { return rules_; }
  Expr Apply(const Expr& e) const;

 private:
  Expr Parse(absl::string_view text) const;
  // Index of a rule variable.
  int SlotOf(const Expr& var) const;
  PatternNode PatternOf(const Expr& e) const;
  void Add(Pattern pattern);
  // Substitutes the bindings into `pattern`. Literals get type `root`, or that
  // of the bound constants if `root` is bool and they are integers. Undefined
  // if a literal does not fit its type.
  Expr Instantiate(const Expr& pattern, const Bindings& bindings,
                   DType root) const;

  ParseScope scope_;
  std::vector<Expr> variables_;
  std::vector<Rule> rules_;
  // Indexed by the kinds of the root and of its first operand, in rule order.
  std::array<std::array<std::vector<Pattern>, kKinds>, kKinds> patterns_;
};

RuleBook::RuleBook() {
  for (const RuleVariable& variable : kVariables) {
    const bool logic = variable.matches == VariableClass::kLogical;
    variables_.push_back(
        expr::Var::Make(variable.name, logic ? DType::Bool() : DType::Int32()));
    scope_.vars[variable.name] = variables_.back();
  }
  const auto add = [&](const char* before, const char* after,
                       const char* condition) {
    rules_.push_back({absl::StrCat(before, " -> ", after,
                                   *condition ? " if " : "", condition),
                      Parse(before), Parse(after),
                      *condition ? Parse(condition) : Expr()});
  };
#define RULE(before, after, condition) add(before, after, condition);
#include "compiler/tir/simplify/rules.inc"
#undef RULE
  for (const Rule& rule : rules_) {
    std::vector<Expr> known;
    for (const Expr& order : Orders(rule.before)) {
      bool is_new = true;
      for (const Expr& other : known) {
        is_new = is_new && !expr::StructurallyEqual(order, other);
      }
      if (!is_new) continue;
      known.push_back(order);
      Add({PatternOf(order), rule.after, rule.condition});
    }
  }
}

void RuleBook::Add(Pattern pattern) {
  const std::vector<PatternNode>& operands = pattern.before.operands;
  pattern.second_kinds = operands.size() > 1 ? KindsOf(operands[1]) : ~0u;
  const uint32_t first_kinds = KindsOf(operands[0]);
  auto& by_first = patterns_[static_cast<size_t>(pattern.before.kind)];
  for (size_t kind = 0; kind < kKinds; ++kind) {
    if ((first_kinds >> kind & 1) != 0) by_first[kind].push_back(pattern);
  }
}

Expr RuleBook::Parse(absl::string_view text) const {
  const absl::StatusOr<Expr> e = ParseExpr(text, scope_);
  CHECK(e.ok()) << "rule `" << text << "`: " << e.status();
  return *e;
}

int RuleBook::SlotOf(const Expr& var) const {
  for (size_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i].same_as(var)) return static_cast<int>(i);
  }
  CHECK(false) << var << " is not a variable of rules";
  return 0;
}

PatternNode RuleBook::PatternOf(const Expr& e) const {
  PatternNode node = {e.kind(), -1, e.dtype(), 0, {}};
  if (e.kind() == ExprKind::kVar) node.slot = SlotOf(e);
  if (const auto* literal = e.As<expr::IntImm>()) {
    node.literal = literal->value;
  }
  for (const Expr& operand : OperandsOf(e)) {
    node.operands.push_back(PatternOf(operand));
  }
  return node;
}

bool ClassContains(VariableClass matches, const Expr& e) {
  const bool logic = e.dtype().is_bool();
  const bool integer = !logic && !e.dtype().is_float();
  switch (matches) {
    case VariableClass::kInteger:
      return integer;
    case VariableClass::kLogical:
      return logic;
    case VariableClass::kConstant:
      return integer && expr::AsConstInt(e).has_value();
    case VariableClass::kAny:
      return true;
  }
  return false;
}

bool Match(const PatternNode& pattern, const Expr& e, Bindings& bindings) {
  if (pattern.slot >= 0) {
    const Expr*& bound = bindings[pattern.slot];
    if (bound != nullptr) return expr::StructurallyEqual(*bound, e);
    if (!ClassContains(kVariables[pattern.slot].matches, e)) return false;
    bound = &e;
    return true;
  }
  if (pattern.kind == ExprKind::kIntImm) {
    return e.dtype().is_bool() == pattern.type.is_bool() &&
           expr::IsConstInt(e, pattern.literal);
  }
  if (pattern.kind != e.kind()) return false;
  const std::vector<PatternNode>& operands = pattern.operands;
  switch (pattern.kind) {
#define ASSAY_CASE(Kind)                         \
  case ExprKind::k##Kind: {                      \
    const auto* n = e.As<struct expr::Kind>();   \
    return Match(operands[0], n->a, bindings) && \
           Match(operands[1], n->b, bindings);   \
  }
    ASSAY_EXPR_BINARY_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
    case ExprKind::kNot:
      return Match(operands[0], e.As<expr::Not>()->a, bindings);
    case ExprKind::kSelect: {
      const auto* n = e.As<expr::Select>();
      return Match(operands[0], n->condition, bindings) &&
             Match(operands[1], n->true_value, bindings) &&
             Match(operands[2], n->false_value, bindings);
    }
    default:
      return false;
  }
}

// Type of c1 or c2; a comparison rule with integer literals has one of them.
DType ConstantType(const Bindings& bindings) {
  for (size_t i = 0; i < kVariables.size(); ++i) {
    if (kVariables[i].matches == VariableClass::kConstant &&
        bindings[i] != nullptr) {
      return bindings[i]->dtype();
    }
  }
  CHECK(false) << "an integer literal in a rule without c1 or c2";
  return DType::Int32();
}

Expr RuleBook::Instantiate(const Expr& pattern, const Bindings& bindings,
                           DType root) const {
  if (pattern.kind() == ExprKind::kVar) {
    return *bindings[SlotOf(pattern)];
  }
  if (const auto* literal = pattern.As<expr::IntImm>()) {
    const bool number = !pattern.dtype().is_bool() && root.is_bool();
    const DType type = number ? ConstantType(bindings) : root;
    if (expr::WrapInt(type.Element(), literal->value) != literal->value) {
      return Expr();
    }
    return expr::ConstInt(type, literal->value);
  }
  std::vector<Expr> operands;
  for (const Expr& operand : OperandsOf(pattern)) {
    operands.push_back(Instantiate(operand, bindings, root));
    if (!operands.back().defined()) return Expr();
  }
  if (operands.size() == 1) return !operands[0];
  if (operands.size() == 3) {
    return expr::SelectOf(operands[0], operands[1], operands[2]);
  }
  return expr::BinaryOf(pattern.kind(), operands[0], operands[1]);
}

// The kinds of the first two operands; that of a single operand twice.
std::pair<ExprKind, ExprKind> OperandKinds(const Expr& e) {
  switch (e.kind()) {
#define ASSAY_CASE(Kind)                       \
  case ExprKind::k##Kind: {                    \
    const auto* n = e.As<struct expr::Kind>(); \
    return {n->a.kind(), n->b.kind()};         \
  }
    ASSAY_EXPR_BINARY_KINDS(ASSAY_CASE)
#undef ASSAY_CASE
    case ExprKind::kNot: {
      const ExprKind kind = e.As<expr::Not>()->a.kind();
      return {kind, kind};
    }
    case ExprKind::kSelect: {
      const auto* n = e.As<expr::Select>();
      return {n->condition.kind(), n->true_value.kind()};
    }
    default:
      return {e.kind(), e.kind()};
  }
}

Expr RuleBook::Apply(const Expr& e) const {
  const auto [first, second] = OperandKinds(e);
  for (const Pattern& pattern :
       patterns_[static_cast<size_t>(e.kind())][static_cast<size_t>(first)]) {
    if ((pattern.second_kinds & KindBit(second)) == 0) continue;
    Bindings bindings = {};
    if (!Match(pattern.before, e, bindings)) continue;
    if (pattern.condition.defined() &&
        !expr::IsConstInt(Instantiate(pattern.condition, bindings, e.dtype()),
                          1)) {
      continue;
    }
    Expr after = Instantiate(pattern.after, bindings, e.dtype());
    // The types differ if a scalar condition selects between vectors.
    if (after.dtype() == e.dtype()) return after;
  }
  return Expr();
}

const RuleBook& Book() {
  static const RuleBook* book = new RuleBook;
  return *book;
}

}  // namespace

const std::vector<Rule>& AllRules() { return Book().rules(); }

Expr ApplyRules(const Expr& e) { return Book().Apply(e); }

}  // namespace assay::tir
