// Tensor: describes what a kernel computes, as a DAG of tensor expressions.
//
//   Tensor a = Placeholder({n, k}, DType::Float32(), "a");
//   Tensor b = Placeholder({k, m}, DType::Float32(), "b");
//   ReduceAxis r = MakeReduceAxis(k, "r");
//   Tensor c = Compute({n, m}, "c", [&](const std::vector<Expr>& i) {
//     return Sum(a(i[0], r.var) * b(r.var, i[1]), {r});
//   });
//
// A Tensor is immutable. The Read nodes in the bodies are the edges of the DAG.
// Extents are constants. A body is either an expression without Reduce, or a
// Reduce whose operands contain no further Reduce. Every Read that is evaluated
// must be in bounds. A Read whose index may be out of bounds must be in an arm
// of a Select, which evaluates no Read of the arm that is not selected. Loop
// order and storage are decided by the schedule (compiler/schedule).
//
// An operation can have several outputs, which have the same shape and are
// computed together. They are either several values per index, or all
// components of a reduction over tuples (compiler/expr/reducer.h,
// compiler/te/reducers.h):
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

enum class OpKind : uint8_t { kPlaceholder, kCompute, kExtern };

// Body of an Extern (extern.h): a statement that reads `input_buffers`, one per
// tensor of `inputs`, and writes `output_buffers`, one per output.
struct ExternBody {
  tir::Stmt stmt;
  std::vector<expr::TensorRef> inputs;
  std::vector<expr::Buffer> input_buffers, output_buffers;
};

// The node of a Tensor: one output of an operation. It inherits `name`, `dtype`
// and `shape` from expr::TensorNode.
struct TensorOp : expr::TensorNode {
  OpKind op_kind = OpKind::kPlaceholder;
  // For kCompute: `axes` has one Var per dimension, and `body` is the value of
  // the element at the index `axes`. All outputs of one operation have the same
  // variables.
  std::vector<Expr> axes;
  Expr body;
  std::shared_ptr<const ExternBody> nest;  // kExtern only, shared by outputs
  // Marker by which schedule templates find a stage ("conv2d", "pad", …).
  // Lowering ignores it.
  std::string tag;
  // Index of this output among the outputs of its operation.
  int output = 0;
  // The outputs of the operation except the first. The first output owns them;
  // in each of them, `others` is empty. A reference to any output keeps all
  // outputs of the operation alive.
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
  // Placeholders have no stage.
  bool is_placeholder() const { return get()->op_kind == OpKind::kPlaceholder; }
  bool is_extern() const { return get()->op_kind == OpKind::kExtern; }

  // Returns an expression (a Read) for the element at `indices`.
  Expr operator()(std::vector<Expr> indices) const;
  template <typename... Index>
  Expr operator()(Expr first, Index... rest) const {
    return (*this)(std::vector<Expr>{first, rest...});
  }
};

Tensor Placeholder(Shape shape, DType dtype, std::string name);

// Creates a tensor whose element at any index is `body(index)`. Calls `body`
// once, with one index variable per dimension. The variables are named by
// `axis_names`, or i0, i1, … if `axis_names` is empty. Schedules refer to axes
// by these names.
Tensor Compute(Shape shape, std::string name,
               const std::function<Expr(const std::vector<Expr>&)>& body,
               std::string tag = "",
               const std::vector<std::string>& axis_names = {});

// Like Compute, but creates one output per value that `body` returns. The
// outputs are named `name.0`, `name.1`, …, or `name` if there is only one. The
// values must be either expressions without Reduce, or exactly the result of
// one ReduceTuple.
std::vector<Tensor> ComputeTuple(
    Shape shape, std::string name,
    const std::function<std::vector<Expr>(const std::vector<Expr>&)>& body,
    std::string tag = "", const std::vector<std::string>& axis_names = {});

ReduceAxis MakeReduceAxis(int64_t extent, std::string name);

Expr Sum(Expr source, std::vector<ReduceAxis> axes);
Expr Prod(Expr source, std::vector<ReduceAxis> axes);
Expr MaxOver(Expr source, std::vector<ReduceAxis> axes);
Expr MinOver(Expr source, std::vector<ReduceAxis> axes);
// Returns all components of the reduction of the tuple `sources` over `axes`.
std::vector<Expr> ReduceTuple(const expr::Reducer& reducer,
                              const std::vector<Expr>& sources,
                              const std::vector<ReduceAxis>& axes);

// Returns the Tensor that refers to the node `ref`, which must be a TensorOp.
Tensor TensorOf(const expr::TensorRef& ref);

// Creates the `count` outputs of one operation, named `name.0`, `name.1`, …, or
// `name` if there is only one. Calls `fill` with the index and the node of each
// output. For code that defines new operations.
std::vector<Tensor> MakeOutputs(
    const std::string& name, size_t count,
    const std::function<void(int, TensorOp&)>& fill);

// Returns the Tensor that `read` reads.
Tensor TensorOf(const expr::Read& read);

// Returns all outputs of the operation that computes `tensor`, in order.
std::vector<Tensor> OutputsOf(const Tensor& tensor);
// Returns the name of the operation that computes `tensor`, for example `best`
// for the output `best.1`.
std::string OperationName(const Tensor& tensor);

// TensorsRead returns the distinct tensors that the expressions read, in order
// of first occurrence. InputsOf returns the tensors that the operation of
// `tensor` reads, in order of first occurrence. For an extern, the order is
// that of the Input() calls.
std::vector<Tensor> TensorsRead(const Expr& e);
std::vector<Tensor> TensorsRead(const std::vector<Expr>& exprs);
std::vector<Tensor> InputsOf(const Tensor& tensor);

// Returns `outputs` and all tensors on which they depend, producers before
// consumers. The outputs of one operation are adjacent.
std::vector<Tensor> TopologicalOrder(const std::vector<Tensor>& outputs);

// Returns true if the two DAGs have equal operations, shapes, types and bodies,
// up to renaming of variables and tensors. Tags are ignored.
bool StructurallyEqual(const std::vector<Tensor>& a,
                       const std::vector<Tensor>& b);

// Returns one line per tensor, producers first (an extern has further lines for
// its statements). Examples for a placeholder and a Compute:
//   a: float32[4,16]
//   c[i0, i1]: float32[4,8] = sum(a[i0, r] * b[r, i1], r < 16)
std::string ToString(const std::vector<Tensor>& outputs);

}  // namespace assay::te

#endif  // ASSAY_COMPILER_TE_TENSOR_H_
