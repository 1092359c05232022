// Statements that store the values of a stage, after the values that these
// share have been computed (shared/shared_values.h).
#ifndef ASSAY_COMPILER_LOWER_SHARED_STORES_H_
#define ASSAY_COMPILER_LOWER_SHARED_STORES_H_

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "compiler/expr/expr.h"
#include "compiler/lower/accesses.h"
#include "compiler/schedule/stage.h"
#include "compiler/tir/stmt.h"

namespace assay::lower {

// Returns InvalidArgument, with the name of the stage, if the expressions of
// the stage are too large to be compiled. This happens only if many stages are
// inlined into one that needs most of them at many different indices.
absl::Status CheckSize(const schedule::Stage& stage);

// Returns store(values) for the translations of `bodies`, which are the bodies
// of the stage or parts of them (Accesses::BodyOf), and the statements that
// compute their shared values.
tir::Stmt WithSharedValues(
    const Accesses& accesses, const schedule::Stage& stage,
    const std::vector<expr::Expr>& bodies,
    const std::function<tir::Stmt(const std::vector<expr::Expr>&)>& store);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_SHARED_STORES_H_
