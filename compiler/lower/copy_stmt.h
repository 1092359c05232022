// CopyStmt: the same statement with loop variables and allocated buffers of its
// own, so that it can stand in a program beside the original.
#ifndef ASSAY_COMPILER_LOWER_COPY_STMT_H_
#define ASSAY_COMPILER_LOWER_COPY_STMT_H_

#include "compiler/expr/substitute.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// `values` takes the place of free variables of `s`.
tir::Stmt CopyStmt(const tir::Stmt& s,
                   const expr::VarMap<expr::Expr>& values = {});

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_COPY_STMT_H_
