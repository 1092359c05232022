// CopyStmt: copies a statement. The loop variables and the allocated buffers of
// the copy are new, so that the original and the copy can occur in the same
// program.
#ifndef ASSAY_COMPILER_LOWER_COPY_STMT_H_
#define ASSAY_COMPILER_LOWER_COPY_STMT_H_

#include "compiler/expr/substitute.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// `values` maps free variables of `s` to the expressions that replace them in
// the copy.
tir::Stmt CopyStmt(const tir::Stmt& s,
                   const expr::VarMap<expr::Expr>& values = {});

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_COPY_STMT_H_
