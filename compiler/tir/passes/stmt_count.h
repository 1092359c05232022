// CountUnrolledStores: the number of stores in a statement after its unrolled
// loops are expanded, a measure of code size for passes that copy code.
#ifndef ASSAY_COMPILER_TIR_PASSES_STMT_COUNT_H_
#define ASSAY_COMPILER_TIR_PASSES_STMT_COUNT_H_

#include <cstdint>

#include "compiler/tir/stmt.h"

namespace assay::tir {

int64_t CountUnrolledStores(const Stmt& s);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_PASSES_STMT_COUNT_H_
