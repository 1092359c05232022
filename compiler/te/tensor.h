// Tensor expressions: what a kernel computes, independent of how.
//
//   Tensor a = Placeholder({n, k}, DType::Float32(), "a");
//   Tensor b = Placeholder({k, m}, DType::Float32(), "b");
//   ReduceAxis r = MakeReduceAxis(k, "r");
//   Tensor c = Compute({n, m}, "c", [&](const std::vector<Expr>& i) {
//     return Sum(a(i[0], r.var) * b(r.var, i[1]), {r});
//   });
//
// A Tensor is an immutable description; the Read nodes in the bodies are the
// edges of the DAG. Extents are constants. A body is either an expression
// without Reduce, or a single Reduce at the root. Reads must be in bounds:
// guard them with a Select if necessary (a Select does not evaluate a Read in
// the arm not taken). Loop order and storage are decided in compiler/schedule.
//
// A Compute can have several outputs of one shape that are computed together:
// several values per point, or all components of a reduction over tuples
// (compiler/expr/reducer.h, compiler/te/reducers.h):
//
//   std::vector<Tensor> best = ComputeTuple(
//       {n}, "best", [&](const std::vector<Expr>& i) {
//         return ReduceTuple(ArgMax(x.dtype()), {r.var, x(i[0], r.var)}, {r});
//       });  // best[0]: index of the largest element of a row, best[1]: value
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

// kState is a placeholder for the result of a scan (scan.h) in its own update.
enum class OpKind : uint8_t { kPlaceholder, kState, kCompute, kScan, kExtern };

// Body of an Extern (extern.h): statements on the buffers of its tensors.
struct ExternBody {
  tir::Stmt stmt;
  std::vector<expr::TensorRef> inputs;
  std::vector<expr::Buffer> input_buffers, output_buffers;
};

// name, dtype and shape are inherited from expr::TensorNode.
struct TensorOp : expr::TensorNode {
  OpKind op_kind = OpKind::kPlaceholder;
  // kCompute and kScan: one Var per dimension, and the value at that index. All
  // outputs of one operation share the variables. The body of a scan is
  // `select(t < number of init steps, init, update)`.
  std::vector<Expr> axes;
  Expr body;
  expr::TensorRef state;                   // kScan only
  std::shared_ptr<const ExternBody> nest;  // kExtern only, shared by outputs
  // Marker by which schedule templates find a stage ("conv2d", "pad", …).
  // Lowering ignores it.
  std::string tag;
  // Index of this output in its operation. The first output owns the others, so
  // a reference to one keeps all of them alive.
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
  // Returns true if no stage computes it: a placeholder or a state.
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

// Calls the body once, with one index variable per dimension. The variables are
// named by `axis_names`, or i0, i1, … if it is empty; schedules refer to axes
// by these names.
Tensor Compute(Shape shape, std::string name,
               const std::function<Expr(const std::vector<Expr>&)>& body,
               std::string tag = "",
               const std::vector<std::string>& axis_names = {});

// The same with one output per value that the body returns, named `name.0`,
// `name.1`, …, or `name` if there is only one. The values are either bodies
// without Reduce or exactly the result of one ReduceTuple.
std::vector<Tensor> ComputeTuple(
    Shape shape, std::string name,
    const std::function<std::vector<Expr>(const std::vector<Expr>&)>& body,
    std::string tag = "", const std::vector<std::string>& axis_names = {});

ReduceAxis MakeReduceAxis(int64_t extent, std::string name);

Expr Sum(Expr source, std::vector<ReduceAxis> axes);
Expr Prod(Expr source, std::vector<ReduceAxis> axes);
Expr MaxOver(Expr source, std::vector<ReduceAxis> axes);
Expr MinOver(Expr source, std::vector<ReduceAxis> axes);
// All components of the reduction of a tuple.
std::vector<Expr> ReduceTuple(const expr::Reducer& reducer,
                              const std::vector<Expr>& sources,
                              const std::vector<ReduceAxis>& axes);

// The Tensor of a node.
Tensor TensorOf(const expr::TensorRef& ref);

// Creates a tensor without a body. For code that defines new operations.
Tensor MakePlaceholder(OpKind kind, Shape shape, DType dtype, std::string name);
// Creates the outputs of one operation, named as above, and calls `fill` on
// each. For code that defines new operations.
std::vector<Tensor> MakeOutputs(
    const std::string& name, size_t count,
    const std::function<void(int, TensorOp&)>& fill);

// The Tensor that a Read reads.
Tensor TensorOf(const expr::Read& read);

// All outputs of the operation that computes `tensor`, in order.
std::vector<Tensor> OutputsOf(const Tensor& tensor);
// The name of the operation: `best` for `best.1`.
std::string OperationName(const Tensor& tensor);

// The distinct tensors read by expressions, or by the operation that computes a
// tensor, in order of first occurrence.
std::vector<Tensor> TensorsRead(const Expr& e);
std::vector<Tensor> TensorsRead(const std::vector<Expr>& exprs);
std::vector<Tensor> InputsOf(const Tensor& tensor);

// All tensors that `outputs` depend on, producers before consumers, with the
// outputs of one operation adjacent.
std::vector<Tensor> TopologicalOrder(const std::vector<Tensor>& outputs);

// Structural equality of two DAGs: same shapes, types and bodies up to renaming
// of variables and tensors; tags are ignored.
bool StructurallyEqual(const std::vector<Tensor>& a,
                       const std::vector<Tensor>& b);

// `c[i0, i1]: float32[4,8] = sum(a[i0, r] * b[r, i1], r < 16)` or `a:
// float32[4,16]` for a placeholder, one tensor per line, producers first.
std::string ToString(const std::vector<Tensor>& outputs);

}  // namespace assay::te

#endif  // ASSAY_COMPILER_TE_TENSOR_H_
