// StructurallyEqual: compares programs as trees, up to renaming of loop and let
// variables, allocated buffers and function parameters. Names of functions, and
// types, shapes and scopes of buffers must be equal. Names of variables and
// buffers are ignored. Variables and buffers that a statement uses but does not
// declare must be identical nodes.
#ifndef ASSAY_COMPILER_TIR_STRUCTURAL_EQUAL_H_
#define ASSAY_COMPILER_TIR_STRUCTURAL_EQUAL_H_

#include "compiler/expr/structural_equal.h"
#include "compiler/tir/stmt.h"

namespace assay::tir {

bool StructurallyEqual(const Stmt& a, const Stmt& b);
bool StructurallyEqual(const Function& a, const Function& b);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_STRUCTURAL_EQUAL_H_
