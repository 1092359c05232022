// StructurallyEqual: compares programs as trees, up to renaming of variables
// (For, Let), allocated buffers and function parameters. The names of variables
// and buffers are ignored. The names of functions must be equal. Corresponding
// buffers must have equal types, shapes and scopes. A variable or buffer that a
// statement uses but does not declare must be the same node in both programs.
#ifndef ASSAY_COMPILER_TIR_STRUCTURAL_EQUAL_H_
#define ASSAY_COMPILER_TIR_STRUCTURAL_EQUAL_H_

#include "compiler/expr/structural_equal.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

bool StructurallyEqual(const Stmt& a, const Stmt& b);
bool StructurallyEqual(const Function& a, const Function& b);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_STRUCTURAL_EQUAL_H_
