// Reads the text that tir/printer.h prints, and nothing else.
//
// For every valid program f, ParseFunction(ToString(f)) is structurally equal
// to f. Types, names and shapes are checked as far as building nodes needs it;
// tir/verifier.h checks the rest. Errors are InvalidArgument and read
// `line 3: unknown buffer `%acc``.
#ifndef ASSAY_COMPILER_TIR_PARSER_H_
#define ASSAY_COMPILER_TIR_PARSER_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// What the free names of a fragment mean; buffers without their `%`.
struct ParseScope {
  std::map<std::string, Expr> vars;
  std::map<std::string, Buffer> buffers;
};

absl::StatusOr<Function> ParseFunction(absl::string_view text);
absl::StatusOr<Stmt> ParseStmt(absl::string_view text,
                               const ParseScope& scope = {});
absl::StatusOr<Expr> ParseExpr(absl::string_view text,
                               const ParseScope& scope = {});

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PARSER_H_
