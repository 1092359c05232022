// Parses the text form defined by tir/printer.h.
//
// For every valid Function f, ParseFunction(ToString(f)) is structurally equal
// to f. The parser checks only what is needed to create nodes: that names are
// declared exactly once, that types match, and that shapes are valid. Use
// tir/verifier.h to check the other rules of loop programs. Errors are
// InvalidArgument, with messages such as `line 3: unknown buffer `%acc``.
#ifndef ASSAY_COMPILER_TIR_PARSER_H_
#define ASSAY_COMPILER_TIR_PARSER_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

// Definitions of the variables and buffers that the text of a statement or an
// expression uses but does not declare. The names of buffers are written
// without `%`.
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
