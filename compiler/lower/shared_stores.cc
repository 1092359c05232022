#include "compiler/lower/shared_stores.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/expr/operations.h"
#include "compiler/expr/substitute.h"
#include "compiler/lower/shared/shared_values.h"

namespace assay::lower {
namespace {

using expr::Buffer;
using expr::Expr;
using schedule::Stage;
using schedule::StageState;
using tir::Stmt;

// No kernel of a network comes near this limit.
constexpr int64_t kMaxStageOperations = 100000;

// The bounds of the variables in the bodies of the stage.
tir::VarBounds AxisBounds(const StageState& state) {
  tir::VarBounds bounds;
  for (size_t d = 0; d < state.data_axes.size(); ++d) {
    bounds[state.tensor()->axes[d]] = {0, state.tensor().shape()[d] - 1};
  }
  if (const expr::Reduce* reduce = state.reduce()) {
    for (const expr::ReduceAxis& axis : reduce->axes) {
      bounds[axis.var] = {0, axis.extent - 1};
    }
  }
  return bounds;
}

}  // namespace

absl::Status CheckSize(const Stage& stage) {
  const StageState& state = stage.state();
  const std::vector<Expr>& bodies =
      state.reduce() != nullptr ? state.reduce()->sources : state.bodies;
  // This counts shared values as often as they are used, but it is fast.
  int64_t operations = 0;
  for (const Expr& body : bodies) operations += expr::CountOperations(body);
  if (operations <= kMaxStageOperations) return absl::OkStatus();
  const SharedValues shared = BindSharedValues(bodies, AxisBounds(state));
  if (shared.operations <= kMaxStageOperations) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "stage `", stage.name(), "`: its expression has more than ",
      kMaxStageOperations, " operations after other stages have been inlined"));
}

Stmt WithSharedValues(
    const Accesses& accesses, const Stage& stage,
    const std::vector<Expr>& bodies,
    const std::function<Stmt(const std::vector<Expr>&)>& store) {
  const SharedValues shared =
      BindSharedValues(bodies, AxisBounds(stage.state()));
  expr::VarMap<Expr> loads;
  const auto translated = [&](const Expr& e) {
    return expr::Substitute(accesses.BodyOf(stage, e), loads);
  };
  std::vector<Stmt> stmts;
  std::vector<Buffer> buffers;
  for (const auto& [var, value] : shared.shared) {
    buffers.push_back(
        expr::MakeBuffer("shared", var.dtype(), {1}, expr::Scope::kLocal));
    stmts.push_back(tir::Store::Make(buffers.back(), {0}, translated(value)));
    loads[var] = expr::Load::Make(buffers.back(), {0});
  }
  std::vector<Expr> values;
  for (const Expr& value : shared.values) values.push_back(translated(value));
  stmts.push_back(store(values));
  Stmt stmt = tir::Block::Make(std::move(stmts));
  for (auto buffer = buffers.rbegin(); buffer != buffers.rend(); ++buffer) {
    stmt = tir::Allocate::Make(*buffer, std::move(stmt));
  }
  return stmt;
}

}  // namespace assay::lower
