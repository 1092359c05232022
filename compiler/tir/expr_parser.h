// The expression part of the parser, and the token stream shared with the
// statement part. Private to tir/parser.
//
// Precedence climbing: ParseExpr(level) parses operands joined by operators of
// precedence `level` or higher.
#ifndef ASSAY_COMPILER_TIR_EXPR_PARSER_H_
#define ASSAY_COMPILER_TIR_EXPR_PARSER_H_

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "compiler/expr/printer.h"
#include "compiler/tir/lexer.h"
#include "compiler/tir/parser.h"

namespace assay::tir {

class ExprParser {
 public:
  ExprParser(std::vector<Token> tokens, ParseScope scope)
      : scope_(std::move(scope)), tokens_(std::move(tokens)) {}

  absl::StatusOr<Expr> ParseExpr(int level = 0);
  absl::Status ExpectEnd();

 protected:
  // Limit of the nesting depth; prevents stack overflow.
  static constexpr int kMaxDepth = 500;

  const Token& Peek() const { return tokens_[at_]; }
  // Does not advance past the kEnd token.
  const Token& Take() {
    return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_[at_];
  }
  bool TakeIf(absl::string_view text) {
    if (!Peek().Is(text)) return false;
    Take();
    return true;
  }

  // An error at the line of the last token taken.
  template <typename... Parts>
  absl::Status Error(const Parts&... parts) const {
    const Token& last = tokens_[at_ > 0 ? at_ - 1 : 0];
    return absl::InvalidArgumentError(
        absl::StrCat("line ", last.line, ": ", parts...));
  }
  // `expected X, found Y` at the line of Y.
  absl::Status Unexpected(absl::string_view wanted) const;

  absl::Status Expect(absl::string_view text);
  absl::StatusOr<std::string> TakeWord(absl::string_view what);
  absl::StatusOr<int64_t> TakeInteger();
  absl::StatusOr<DType> TakeType();
  absl::StatusOr<Buffer> TakeBufferUse();
  absl::StatusOr<std::vector<Expr>> ParseIndices(const Buffer& buffer);

  ParseScope scope_;
  int depth_ = 0;

 private:
  const expr::InfixOperator* TakeOperator(int level);
  absl::StatusOr<Expr> ParsePrimary();
  absl::StatusOr<Expr> ParseWord();
  absl::StatusOr<Expr> ParseCall(const std::string& name);
  absl::StatusOr<Expr> ParseSelect(const std::vector<Expr>& args);
  absl::StatusOr<Expr> ParseIntrinsic(const std::string& name,
                                      std::vector<Expr> args);
  absl::StatusOr<Expr> ParseVector(bool ramp);
  absl::StatusOr<Expr> ParseConversion(bool reinterpret);
  // Comma-separated expressions up to and including `close`.
  absl::StatusOr<std::vector<Expr>> ParseList(absl::string_view close);
  absl::StatusOr<Expr> Binary(expr::ExprKind kind, Expr a, Expr b);

  std::vector<Token> tokens_;
  size_t at_ = 0;
};

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_EXPR_PARSER_H_
