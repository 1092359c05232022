// CountUnrolledStores: returns the number of stores that a statement has after
// its unrolled loops are expanded. Passes that copy code use it as a measure of
// code size.
#ifndef ASSAY_COMPILER_TIR_PASSES_STMT_COUNT_H_
#define ASSAY_COMPILER_TIR_PASSES_STMT_COUNT_H_

#include <cstdint>

#include "compiler/tir/stmt.h"

namespace assay::tir {

int64_t CountUnrolledStores(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_STMT_COUNT_H_
