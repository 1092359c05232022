#include "compiler/tir/parser.h"

#include <utility>
#include <vector>

#include "compiler/tir/expr_parser.h"
#include "compiler/tir/lexer.h"
#include "runtime/base/status_macros.h"

namespace assay::tir {
namespace {

class Parser : public ExprParser {
 public:
  using ExprParser::ExprParser;

  absl::StatusOr<Function> ParseFunction();
  // Parses statements up to `}` or the end of the text.
  absl::StatusOr<Stmt> ParseBody();

 private:
  absl::Status ParseParameter(Function* f);
  absl::StatusOr<Buffer> ParseBufferDeclaration(bool with_scope);

  absl::StatusOr<Stmt> ParseBraced();
  absl::StatusOr<Stmt> ParseStmt();
  absl::StatusOr<Stmt> ParseFor(ForKind kind);
  absl::StatusOr<Stmt> ParseIf();
  absl::StatusOr<Stmt> ParsePragma();
  absl::StatusOr<Stmt> ParseAllocate();
  absl::StatusOr<Stmt> ParseLet();
  absl::StatusOr<Stmt> ParsePrefetch();
  absl::StatusOr<Stmt> ParseRestOfBraces();
  absl::StatusOr<Stmt> ParseStore();
};

absl::StatusOr<Buffer> Parser::ParseBufferDeclaration(bool with_scope) {
  ASSAY_RETURN_IF_ERROR(Expect("%"));
  ASSAY_ASSIGN_OR_RETURN(const std::string name, TakeWord("a name"));
  if (scope_.buffers.count(name) > 0) {
    return Error("buffer `%", name, "` is declared twice");
  }
  ASSAY_RETURN_IF_ERROR(Expect(":"));
  expr::Scope scope = expr::Scope::kGlobal;
  if (with_scope) {
    if (TakeIf("local")) {
      scope = expr::Scope::kLocal;
    } else {
      ASSAY_RETURN_IF_ERROR(Expect("global"));
    }
  }
  ASSAY_ASSIGN_OR_RETURN(const DType type, TakeType());
  if (type.is_vector()) return Error("buffer `%", name, "` of vectors");
  ASSAY_RETURN_IF_ERROR(Expect("["));
  Shape shape;
  while (!TakeIf("]")) {
    if (!shape.empty()) ASSAY_RETURN_IF_ERROR(Expect(","));
    ASSAY_ASSIGN_OR_RETURN(const int64_t extent, TakeInteger());
    shape.push_back(extent);
  }
  const absl::StatusOr<int64_t> elements = CheckedNumElements(shape);
  if (!elements.ok()) return Error(elements.status().message());
  Buffer buffer = expr::MakeBuffer(name, type, std::move(shape), scope);
  scope_.buffers[name] = buffer;
  return buffer;
}

absl::Status Parser::ParseParameter(Function* f) {
  const bool input = TakeIf("in");
  if (!input) ASSAY_RETURN_IF_ERROR(Expect("out"));
  if (input && !f->outputs.empty()) return Error("an input after an output");
  ASSAY_ASSIGN_OR_RETURN(Buffer buffer, ParseBufferDeclaration(false));
  (input ? f->inputs : f->outputs).push_back(std::move(buffer));
  return absl::OkStatus();
}

absl::StatusOr<Function> Parser::ParseFunction() {
  Function f;
  ASSAY_RETURN_IF_ERROR(Expect("func"));
  ASSAY_ASSIGN_OR_RETURN(f.name, TakeWord("a name"));
  ASSAY_RETURN_IF_ERROR(Expect("("));
  while (!TakeIf(")")) {
    if (!f.inputs.empty() || !f.outputs.empty()) {
      ASSAY_RETURN_IF_ERROR(Expect(","));
    }
    ASSAY_RETURN_IF_ERROR(ParseParameter(&f));
  }
  ASSAY_ASSIGN_OR_RETURN(f.body, ParseBraced());
  return f;
}

absl::StatusOr<Stmt> Parser::ParseBraced() {
  ASSAY_RETURN_IF_ERROR(Expect("{"));
  if (++depth_ > kMaxDepth) return Error("nested too deeply");
  ASSAY_ASSIGN_OR_RETURN(Stmt body, ParseBody());
  --depth_;
  ASSAY_RETURN_IF_ERROR(Expect("}"));
  return body;
}

absl::StatusOr<Stmt> Parser::ParseBody() {
  std::vector<Stmt> stmts;
  while (Peek().kind != Token::Kind::kEnd && !Peek().Is("}")) {
    ASSAY_ASSIGN_OR_RETURN(Stmt s, ParseStmt());
    stmts.push_back(std::move(s));
  }
  return Block::Make(std::move(stmts));
}

absl::StatusOr<Stmt> Parser::ParseStmt() {
  if (Peek().Is("{")) return ParseBraced();
  if (Peek().Is("%")) return ParseStore();
  if (TakeIf("for")) return ParseFor(ForKind::kSerial);
  if (TakeIf("parallel")) return ParseFor(ForKind::kParallel);
  if (TakeIf("vectorized")) return ParseFor(ForKind::kVectorized);
  if (TakeIf("unrolled")) return ParseFor(ForKind::kUnrolled);
  if (TakeIf("if")) return ParseIf();
  if (TakeIf("pragma")) return ParsePragma();
  if (TakeIf("alloc")) return ParseAllocate();
  if (TakeIf("let")) return ParseLet();
  if (TakeIf("prefetch")) return ParsePrefetch();
  return Unexpected("a statement");
}

absl::StatusOr<Stmt> Parser::ParseFor(ForKind kind) {
  ASSAY_ASSIGN_OR_RETURN(const std::string name, TakeWord("a variable"));
  if (scope_.vars.count(name) > 0) {
    return Error("variable `", name, "` is bound twice");
  }
  ASSAY_RETURN_IF_ERROR(Expect("in"));
  ASSAY_RETURN_IF_ERROR(Expect("["));
  ASSAY_ASSIGN_OR_RETURN(Expr min, ParseExpr());
  ASSAY_RETURN_IF_ERROR(Expect(","));
  const bool extent_given = TakeIf("+");
  ASSAY_ASSIGN_OR_RETURN(Expr extent, ParseExpr());
  ASSAY_RETURN_IF_ERROR(Expect(")"));
  if (min.dtype() != DType::Int32() || extent.dtype() != DType::Int32()) {
    return Error("the bounds of `", name, "` are not int32");
  }
  const auto* zero = min.As<expr::IntImm>();
  if (!extent_given && (zero == nullptr || zero->value != 0)) {
    return Error("write the range of `", name, "` as [min, +extent)");
  }
  Expr var = expr::Var::Make(name);
  scope_.vars[name] = var;
  ASSAY_ASSIGN_OR_RETURN(Stmt body, ParseBraced());
  scope_.vars.erase(name);
  return For::Make(std::move(var), std::move(min), std::move(extent), kind,
                   std::move(body));
}

absl::StatusOr<Stmt> Parser::ParseIf() {
  ASSAY_ASSIGN_OR_RETURN(Expr condition, ParseExpr());
  if (condition.dtype() != DType::Bool()) {
    return Error("the condition is ", condition.dtype().ToString(),
                 ", not bool");
  }
  ASSAY_ASSIGN_OR_RETURN(Stmt then_body, ParseBraced());
  Stmt else_body;
  if (TakeIf("else")) {
    ASSAY_ASSIGN_OR_RETURN(else_body, ParseBraced());
  }
  return IfThenElse::Make(std::move(condition), std::move(then_body),
                          std::move(else_body));
}

absl::StatusOr<Stmt> Parser::ParsePragma() {
  ASSAY_ASSIGN_OR_RETURN(const std::string key, TakeWord("a pragma"));
  ASSAY_ASSIGN_OR_RETURN(const int64_t value, TakeInteger());
  ASSAY_ASSIGN_OR_RETURN(Stmt body, ParseBraced());
  return Pragma::Make(key, value, std::move(body));
}

// The rest of the enclosing braces is the body of an alloc or let. It counts
// towards the depth limit because the parser recurses.
absl::StatusOr<Stmt> Parser::ParseRestOfBraces() {
  if (++depth_ > kMaxDepth) return Error("nested too deeply");
  ASSAY_ASSIGN_OR_RETURN(Stmt body, ParseBody());
  --depth_;
  return body;
}

absl::StatusOr<Stmt> Parser::ParseAllocate() {
  ASSAY_ASSIGN_OR_RETURN(Buffer buffer, ParseBufferDeclaration(true));
  ASSAY_ASSIGN_OR_RETURN(Stmt body, ParseRestOfBraces());
  for (auto it = scope_.buffers.begin(); it != scope_.buffers.end(); ++it) {
    if (it->second.same_as(buffer)) {
      scope_.buffers.erase(it);
      break;
    }
  }
  return Allocate::Make(std::move(buffer), std::move(body));
}

absl::StatusOr<Stmt> Parser::ParseLet() {
  ASSAY_ASSIGN_OR_RETURN(const std::string name, TakeWord("a variable"));
  if (scope_.vars.count(name) > 0) {
    return Error("variable `", name, "` is bound twice");
  }
  ASSAY_RETURN_IF_ERROR(Expect("="));
  ASSAY_ASSIGN_OR_RETURN(Expr value, ParseExpr());
  if (value.dtype() != DType::Int32()) {
    return Error("the value of `", name, "` is ", value.dtype().ToString(),
                 ", not int32");
  }
  Expr var = expr::Var::Make(name);
  scope_.vars[name] = var;
  ASSAY_ASSIGN_OR_RETURN(Stmt body, ParseRestOfBraces());
  scope_.vars.erase(name);
  return Let::Make(std::move(var), std::move(value), std::move(body));
}

absl::StatusOr<Stmt> Parser::ParsePrefetch() {
  ASSAY_ASSIGN_OR_RETURN(Expr element, ParseExpr());
  if (element.As<expr::Load>() == nullptr || element.dtype().is_vector()) {
    return Error("the operand of `prefetch` is not an element of a buffer");
  }
  return Prefetch::Make(std::move(element));
}

absl::StatusOr<Stmt> Parser::ParseStore() {
  ASSAY_ASSIGN_OR_RETURN(Buffer buffer, TakeBufferUse());
  ASSAY_ASSIGN_OR_RETURN(std::vector<Expr> indices, ParseIndices(buffer));
  ASSAY_RETURN_IF_ERROR(Expect("="));
  ASSAY_ASSIGN_OR_RETURN(Expr value, ParseExpr());
  const int lanes = indices.empty() ? 1 : indices.back().dtype().lanes();
  const DType wanted = buffer->dtype.WithLanes(lanes);
  if (value.dtype() != wanted) {
    return Error("a ", value.dtype().ToString(), " stored to ",
                 wanted.ToString(), " elements of `%", buffer->name, "`");
  }
  return Store::Make(std::move(buffer), std::move(indices), std::move(value));
}

template <typename T>
absl::StatusOr<T> Finish(ExprParser& parser, absl::StatusOr<T> result) {
  if (!result.ok()) return result;
  ASSAY_RETURN_IF_ERROR(parser.ExpectEnd());
  return result;
}

}  // namespace

absl::StatusOr<Function> ParseFunction(absl::string_view text) {
  ASSAY_ASSIGN_OR_RETURN(std::vector<Token> tokens, Tokenize(text));
  Parser parser(std::move(tokens), {});
  return Finish(parser, parser.ParseFunction());
}

absl::StatusOr<Stmt> ParseStmt(absl::string_view text,
                               const ParseScope& scope) {
  ASSAY_ASSIGN_OR_RETURN(std::vector<Token> tokens, Tokenize(text));
  Parser parser(std::move(tokens), scope);
  return Finish(parser, parser.ParseBody());
}

absl::StatusOr<Expr> ParseExpr(absl::string_view text,
                               const ParseScope& scope) {
  ASSAY_ASSIGN_OR_RETURN(std::vector<Token> tokens, Tokenize(text));
  ExprParser parser(std::move(tokens), scope);
  return Finish(parser, parser.ParseExpr());
}

}  // namespace assay::tir
