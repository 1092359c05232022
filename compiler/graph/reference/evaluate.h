// The reference interpreter of graphs. It is the oracle with which all other
// ways of running a model are compared.
//
// The interpreter evaluates one operator after another. It follows the
// definitions of the operators in compiler/docs/graph_ir.md and uses no code of
// the passes or the lowering. Clarity is more important than speed: ResNet-18
// at 224x224 takes a few seconds on one thread. The operators of each family
// are implemented in a file of their own (rules.h).
//
// float32 operators that sum (conv2d, dense, global_avg_pool2d, …) compute in
// double and round once at the end. Their error is therefore below the error of
// a kernel that sums in float32. Operators with results of type float16 or
// bfloat16 also compute in double and round each result once, so a network that
// computes in 16 bits rounds after every operator.
//
// All values are plain arrays, whatever the encodings of their types are
// (encoding/encoding.h): how a tensor is stored changes no result.
//
// The importer and fold_constants evaluate constants with this interpreter. An
// error of the interpreter can therefore be in an artifact as well as in the
// oracle. tests/e2e/unfolded_models_test.cc covers this case by compiling every
// model without folding.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_EVALUATE_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_EVALUATE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "compiler/graph/graph.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {

// Returns the data outputs of `graph` in order. Bounded outputs are cut to
// their extents. `inputs` are the values of the inputs in order. Returns an
// error if
//   - the number of inputs or the type of an input is wrong (InvalidArgument);
//   - an index of a gather or scatter operator is outside its axis
//     (OutOfRange);
//   - an extent of a bounded output is out of range (Internal).
// `progress`, unless it is null, is called before each operator with the share
// of the work that is done, from 0 to 1.
absl::StatusOr<std::vector<NDArray>> Evaluate(
    const Graph& graph, absl::Span<const NDArray> inputs,
    const std::function<void(double)>& progress = nullptr);

// Evaluate() for arrays in the form in which a compiled program stores them:
// each input and output has the encoding of its type.
absl::StatusOr<std::vector<NDArray>> EvaluateStored(
    const Graph& graph, absl::Span<const NDArray> inputs);

// Returns the results of one node. `inputs` are the values of the operands of
// the node, and each value must have the type of its operand. Results without
// elements do not depend on the operands: if no result has elements, the
// operands are not read, and indices outside an axis are no error. CHECK-fails
// if `node` is a graph input.
absl::StatusOr<std::vector<NDArray>> EvaluateNode(
    const Node& node, absl::Span<const NDArray> inputs);

// ScopedFault injects an error into the interpreter, to test that comparisons
// with the interpreter detect errors. While an object of this class exists, 1
// is added to the first element of every result of operators of kind `kind`. If
// `kind` is nullopt, this applies to all operators except constants. Only one
// object may exist at a time.
class ScopedFault {
 public:
  explicit ScopedFault(std::optional<OpKind> kind = std::nullopt);
  ~ScopedFault();
  ScopedFault(const ScopedFault&) = delete;
  ScopedFault& operator=(const ScopedFault&) = delete;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_EVALUATE_H_
