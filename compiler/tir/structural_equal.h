// Structural equality of programs: equality of trees up to renaming of loop
// variables, allocated buffers and function parameters. Function names, buffer
// types and scopes are compared; names of variables and buffers are not. Free
// variables and buffers must be the same nodes.
#ifndef ASSAY_COMPILER_TIR_STRUCTURAL_EQUAL_H_
#define ASSAY_COMPILER_TIR_STRUCTURAL_EQUAL_H_

#include "compiler/expr/structural_equal.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

bool StructurallyEqual(const Stmt& a, const Stmt& b);
bool StructurallyEqual(const Function& a, const Function& b);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_STRUCTURAL_EQUAL_H_
