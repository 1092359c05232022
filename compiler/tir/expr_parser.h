// ExprParser: parses expressions. It is the base class of the parser of
// statements in parser.cc, with which it shares the stream of tokens. Private
// to tir/parser.
//
// The algorithm is precedence climbing: ParseExpr(level) parses operands that
// are joined by operators of precedence `level` or higher.
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
  // Returns an error unless all tokens have been taken.
  absl::Status ExpectEnd();

 protected:
  // Maximum nesting depth. The limit prevents stack overflow.
  static constexpr int kMaxDepth = 500;

  const Token& Peek() const { return tokens_[at_]; }
  // Returns the current token and advances to the next token. Does not advance
  // past the kEnd token.
  const Token& Take() {
    return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_[at_];
  }
  bool TakeIf(absl::string_view text) {
    if (!Peek().Is(text)) return false;
    Take();
    return true;
  }

  // Returns an error with the line number of the last token that was taken.
  template <typename... Parts>
  absl::Status Error(const Parts&... parts) const {
    const Token& last = tokens_[at_ > 0 ? at_ - 1 : 0];
    return absl::InvalidArgumentError(
        absl::StrCat("line ", last.line, ": ", parts...));
  }
  // Returns the error `expected <wanted>, found <current token>`, with the line
  // number of the current token.
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
  absl::StatusOr<Expr> ParseTileProduct(expr::Intrinsic intrinsic,
                                        std::vector<Expr> args);
  absl::StatusOr<Expr> ParseVector(bool ramp);
  absl::StatusOr<Expr> ParseConversion(bool reinterpret);
  // Parses expressions separated by commas, up to and including the token
  // `close`.
  absl::StatusOr<std::vector<Expr>> ParseList(absl::string_view close);
  absl::StatusOr<Expr> Binary(expr::ExprKind kind, Expr a, Expr b);

  std::vector<Token> tokens_;
  size_t at_ = 0;
};

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_EXPR_PARSER_H_
