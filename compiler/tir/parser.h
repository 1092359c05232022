// Parses the text form defined by tir/printer.h.
//
// For every valid program f, ParseFunction(ToString(f)) is structurally equal
// to f. Types, names and shapes are checked as far as the construction of nodes
// requires it; tir/verifier.h checks the rest. Errors are InvalidArgument and
// of the form `line 3: unknown buffer `%acc``.
#ifndef ASSAY_COMPILER_TIR_PARSER_H_
#define ASSAY_COMPILER_TIR_PARSER_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// Definitions of the free names of a fragment; buffer names without `%`.
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
