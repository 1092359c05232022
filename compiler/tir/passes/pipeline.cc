#include "compiler/tir/passes/pipeline.h"

#include "compiler/tir/passes/flatten.h"
#include "compiler/tir/passes/unroll.h"
#include "compiler/tir/passes/vectorize.h"
#include "compiler/tir/simplify/simplify.h"

namespace assay::tir {

Function LowerLoops(const Function& function, const PassObserver& observer) {
  Function f = function;
  const auto run = [&](absl::string_view name, auto pass) {
    Stmt body = pass(f.body);
    const bool changed = !body.same_as(f.body);
    f.body = body;
    if (observer) observer(name, changed, f);
  };
  const auto simplify = [](const Stmt& s) { return Simplify(s); };
  // Before flatten, while the extents of single dimensions are still visible.
  run("simplify", simplify);
  run("flatten", Flatten);
  // Before unroll, so that one vector statement is copied, not one per lane.
  run("vectorize", Vectorize);
  run("unroll", Unroll);
  // Gathers the indices into ramps and folds what unrolling made constant.
  run("simplify", simplify);
  return f;
}

}  // namespace assay::tir
