// CopyStmt: copies a statement with new loop variables and allocated buffers,
// so that original and copy can occur in the same program.
#ifndef ASSAY_COMPILER_LOWER_COPY_STMT_H_
#define ASSAY_COMPILER_LOWER_COPY_STMT_H_

#include "compiler/expr/substitute.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// `values` are substituted for free variables of `s`.
tir::Stmt CopyStmt(const tir::Stmt& s,
                   const expr::VarMap<expr::Expr>& values = {});

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_COPY_STMT_H_
