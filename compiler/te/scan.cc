#include "compiler/te/scan.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "runtime/base/check.h"

namespace assay::te {
namespace {

// CHECKs that the three have matching shapes and types, and that `init` does
// not depend on the state.
void CheckParts(const std::string& name, const Tensor& init,
                const Tensor& update, const Tensor& state) {
  CHECK(state.is_state()) << "`" << state.name() << "` of scan `" << name
                          << "` is not a state";
  CHECK(state.ndim() > 0 && update.shape() == state.shape() &&
        update.dtype() == state.dtype())
      << "update `" << update.name() << "` of scan `" << name << "`";
  Shape shape = init.shape();
  CHECK(init.ndim() == state.ndim() && init.dtype() == state.dtype() &&
        shape[0] > 0 && shape[0] <= state.shape()[0])
      << "init `" << init.name() << "` of scan `" << name << "`";
  shape[0] = state.shape()[0];
  CHECK(shape == state.shape())
      << "init `" << init.name() << "` of scan `" << name << "`";
  for (const Tensor& tensor : TopologicalOrder({init})) {
    CHECK(!tensor.same_as(state)) << "init `" << init.name() << "` of scan `"
                                  << name << "` depends on the state";
  }
}

}  // namespace

Tensor ScanState(Shape shape, DType dtype, std::string name) {
  return MakePlaceholder(OpKind::kState, std::move(shape), dtype,
                         std::move(name));
}

std::vector<Tensor> Scan(std::string name, const std::vector<Tensor>& init,
                         const std::vector<Tensor>& update,
                         const std::vector<Tensor>& states) {
  CHECK(!states.empty() && init.size() == states.size() &&
        update.size() == states.size())
      << "parts of scan `" << name << "`";
  for (size_t i = 0; i < states.size(); ++i) {
    CheckParts(name, init[i], update[i], states[i]);
    CHECK(states[i].shape() == states[0].shape() &&
          init[i].shape() == init[0].shape())
        << "states of scan `" << name << "`";
  }
  std::vector<Expr> axes = {expr::Var::Make("t")};
  for (int d = 1; d < states[0].ndim(); ++d) {
    axes.push_back(expr::Var::Make(absl::StrCat("i", d)));
  }
  const int steps = static_cast<int>(init[0].shape()[0]);
  return MakeOutputs(name, states.size(), [&](int i, TensorOp& op) {
    op.op_kind = OpKind::kScan;
    op.axes = axes;
    op.body =
        expr::Select::Make(axes[0] < steps, init[i](axes), update[i](axes));
    op.dtype = states[i].dtype();
    op.shape = states[i].shape();
    op.state = states[i];
  });
}

Tensor Scan(std::string name, const Tensor& init, const Tensor& update,
            const Tensor& state) {
  return Scan(std::move(name), std::vector<Tensor>{init},
              std::vector<Tensor>{update}, std::vector<Tensor>{state})[0];
}

}  // namespace assay::te
