// Tensor expressions: what a kernel computes, with no word on how.
//
//   Tensor a = Placeholder({n, k}, DType::Float32(), "a");
//   Tensor b = Placeholder({k, m}, DType::Float32(), "b");
//   ReduceAxis r = MakeReduceAxis(k, "r");
//   Tensor c = Compute({n, m}, "c", [&](const std::vector<Expr>& i) {
//     return Sum(a(i[0], r.var) * b(r.var, i[1]), {r});
//   });
//
// A Tensor is an immutable description; the DAG is formed by the Read nodes in
// the bodies. Extents are constants. A body is either an expression without
// Reduce, or one Reduce as its root. Reads must stay inside the tensor read:
// guard with Select where they might not (a Select does not evaluate a Read in
// the arm not taken). How the DAG is looped over is compiler/schedule's
// business.
//
// A Compute can have several outputs of one shape, computed together: several
// values at each point, or all values of a reduction over tuples
// (compiler/expr/reducer.h, compiler/te/reducers.h):
//
//   std::vector<Tensor> best = ComputeTuple(
//       {n}, "best", [&](const std::vector<Expr>& i) {
//         return ReduceTuple(ArgMax(x.dtype()), {r.var, x(i[0], r.var)}, {r});
//       });  // best[0]: where the largest element of each row is, best[1]: it
#ifndef ASSAY_COMPILER_TE_TENSOR_H_
#define ASSAY_COMPILER_TE_TENSOR_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/tir/stmt.h"

namespace assay::te {

using expr::Expr;
using expr::ReduceAxis;

// A state stands for the result of a scan (scan.h) in what that computes.
enum class OpKind : uint8_t { kPlaceholder, kState, kCompute, kScan, kExtern };

// What an Extern (extern.h) does: statements on buffers that stand for tensors.
struct ExternBody {
  tir::Stmt stmt;
  std::vector<expr::TensorRef> inputs;
  std::vector<expr::Buffer> input_buffers, output_buffers;
};

// name, dtype and shape are inherited from expr::TensorNode.
struct TensorOp : expr::TensorNode {
  OpKind op_kind = OpKind::kPlaceholder;
  // kCompute and kScan: one Var per dimension, and the value at them. The
  // outputs of one operation share the variables. A scan's body is
  // `select(t < times of init, init, update)`.
  std::vector<Expr> axes;
  Expr body;
  expr::TensorRef state;                   // kScan only
  std::shared_ptr<const ExternBody> nest;  // kExtern only, of all outputs
  // Free-form marker that templates leave for schedules to find a stage by
  // ("conv2d", "pad", …). Never read by lowering.
  std::string tag;
  // Which output of its operation this is. The first one owns the others, so
  // that whoever holds one of them holds all.
  int output = 0;
  std::vector<std::unique_ptr<TensorOp>> others;
};

class Tensor : public expr::Ref<TensorOp> {
 public:
  using Ref<TensorOp>::Ref;
  Tensor() = default;

  const std::string& name() const { return get()->name; }
  DType dtype() const { return get()->dtype; }
  const Shape& shape() const { return get()->shape; }
  int ndim() const { return static_cast<int>(shape().size()); }
  // Nothing computes it: a placeholder, or a state.
  bool is_placeholder() const { return get()->op_kind <= OpKind::kState; }
  bool is_state() const { return get()->op_kind == OpKind::kState; }
  bool is_extern() const { return get()->op_kind == OpKind::kExtern; }
  bool is_scan() const { return get()->op_kind == OpKind::kScan; }

  // The element at `indices`, as an expression.
  Expr operator()(std::vector<Expr> indices) const;
  template <typename... Index>
  Expr operator()(Expr first, Index... rest) const {
    return (*this)(std::vector<Expr>{first, rest...});
  }
};

Tensor Placeholder(Shape shape, DType dtype, std::string name);

// The body is called once, with one index variable per dimension. The
// variables are named by `axis_names`, or i0, i1, … where it is empty;
// schedules call the axes by these names.
Tensor Compute(Shape shape, std::string name,
               const std::function<Expr(const std::vector<Expr>&)>& body,
               std::string tag = "",
               const std::vector<std::string>& axis_names = {});

// The same with as many outputs as the body has values, named `name.0` and so
// on, or `name` if there is one. The values are bodies without Reduce or, all
// of them, what ReduceTuple returned.
std::vector<Tensor> ComputeTuple(
    Shape shape, std::string name,
    const std::function<std::vector<Expr>(const std::vector<Expr>&)>& body,
    std::string tag = "", const std::vector<std::string>& axis_names = {});

ReduceAxis MakeReduceAxis(int64_t extent, std::string name);

Expr Sum(Expr source, std::vector<ReduceAxis> axes);
Expr Prod(Expr source, std::vector<ReduceAxis> axes);
Expr MaxOver(Expr source, std::vector<ReduceAxis> axes);
Expr MinOver(Expr source, std::vector<ReduceAxis> axes);
// The values of the combination of tuples.
std::vector<Expr> ReduceTuple(const expr::Reducer& reducer,
                              const std::vector<Expr>& sources,
                              const std::vector<ReduceAxis>& axes);

// The Tensor of a node, as reads and operations refer to it.
Tensor TensorOf(const expr::TensorRef& ref);

// A tensor without a body, for those that make operations.
Tensor MakePlaceholder(OpKind kind, Shape shape, DType dtype, std::string name);
// The outputs of one operation, named `name.0` and so on, or `name` if there is
// one, otherwise as `fill` makes them. For those that make operations.
std::vector<Tensor> MakeOutputs(
    const std::string& name, size_t count,
    const std::function<void(int, TensorOp&)>& fill);

// The Tensor behind a Read.
Tensor TensorOf(const expr::Read& read);

// All outputs of the operation that computes `tensor`, in order.
std::vector<Tensor> OutputsOf(const Tensor& tensor);
// What they are called together: `best` for `best.1`.
std::string OperationName(const Tensor& tensor);

// The distinct tensors that expressions, or the operation that computes a
// tensor, read, in order of first occurrence.
std::vector<Tensor> TensorsRead(const Expr& e);
std::vector<Tensor> TensorsRead(const std::vector<Expr>& exprs);
std::vector<Tensor> InputsOf(const Tensor& tensor);

// All tensors that `outputs` depend on, producers before consumers, the outputs
// of one operation together.
std::vector<Tensor> TopologicalOrder(const std::vector<Tensor>& outputs);

// Structural equality of two DAGs: same shapes, types and bodies up to a
// renaming of variables and of tensors; tags do not count.
bool StructurallyEqual(const std::vector<Tensor>& a,
                       const std::vector<Tensor>& b);

// `c[i0, i1]: float32[4,8] = sum(a[i0, r] * b[r, i1], r < 16)` or
// `a: float32[4,16]` for a placeholder, one tensor a line, producers first.
std::string ToString(const std::vector<Tensor>& outputs);

}  // namespace assay::te

#endif  // ASSAY_COMPILER_TE_TENSOR_H_
