// RunTimeInts: what is known of integers that are computed when the model runs.
//
// The extents of bounded dynamic dimensions (bounded_dims.h) are
// integers of the graph, and exporters compute further extents, ranges and
// numbers from them: the shape of a Reshape, the k of a TopK, the end of a
// Slice. Importers must know upper limits of these integers, which become
// extents of types, and which of them are equal. Example, with an extent %n of
// at most 100:
//
//   %1: int64[2] = concat(%n, 4)        elements [0,100] and the number 4
//   %2: int64[] = reduce_min(%3)        of [300, %n]: the same integer as %n
//   %4: int64[] = multiply(%n, %n)      [0,10000]; the same as every other
//                                       product of %n and %n
//
// Only small tensors of int64, int32 and bool are tracked. Sums and products
// are assumed not to overflow.
#ifndef ASSAY_COMPILER_GRAPH_BUILDER_RUN_TIME_INTS_H_
#define ASSAY_COMPILER_GRAPH_BUILDER_RUN_TIME_INTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "compiler/graph/builder/run_time_int.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

class RunTimeInts {
 public:
  // Maximum number of elements of a tensor that is tracked.
  static constexpr int64_t kMaxElements = 64;

  // Returns the elements of a tensor; an empty vector if it is not tracked.
  std::vector<RunTimeInt> Find(Value tensor) const;

  // Computes the elements of the result of `node` from those of the operands.
  // Must be called for every node that is added to the graph.
  void Observe(const Node& node);
  // Forgets the elements of the result of `node`, which is erased.
  void Forget(const Node& node) {
    elements_.erase(Value{const_cast<Node*>(&node)});
  }
  // Sets the limits of `tensor`, which has one element.
  void SetLimits(Value tensor, int64_t low, int64_t high);

  // Returns the result of the binary operator `kind` (add, subtract, multiply,
  // divide, floor_mod, maximum, minimum, a comparison, or a bitwise operator on
  // bool) if it is a number, one of the operands, or the result of an equal
  // operation that the graph has.
  std::optional<RunTimeInt> Combine(OpKind kind, const RunTimeInt& a,
                                    const RunTimeInt& b) const;

  // Returns integers whose product is x: x itself unless it is known to be a
  // product.
  std::vector<RunTimeInt> FactorsOf(const RunTimeInt& x) const;

  // A value of the graph that is found again by a text, such as the scalar that
  // holds an integer. Its node is null when it is not set yet.
  Value& Memo(const std::string& key) { return memo_[key]; }
  // A text for Memo() that is unique for equal integers.
  static std::string KeyOf(const RunTimeInt& x);

 private:
  using Elements = std::vector<RunTimeInt>;
  using Key = std::vector<int64_t>;

  static bool IsTracked(const TensorType& type);
  static void AppendKey(const RunTimeInt& x, Key& key);
  static Key OperationKey(OpKind kind, const RunTimeInt& a,
                          const RunTimeInt& b);
  // Returns an integer of which only the limits are known.
  static RunTimeInt Opaque(const Node& node, int64_t element,
                           int64_t low = RunTimeInt::kLowest,
                           int64_t high = RunTimeInt::kHighest);

  // Returns the elements of the result of `node`; an empty vector if nothing is
  // known of them.
  Elements Compute(const Node& node);
  Elements Move(const Node& node) const;
  Elements Gather(const Node& node) const;
  Elements Convert(const Node& node) const;
  Elements Select(const Node& node);
  Elements Reduce(const Node& node);
  Elements Binary(const Node& node);
  // Like Combine(). If it has no result, returns element `element` of `node`,
  // and remembers it for Combine().
  RunTimeInt Apply(const Node& node, OpKind kind, const RunTimeInt& a,
                   const RunTimeInt& b, int64_t element);

  absl::flat_hash_map<Value, Elements> elements_;
  // Results of operations, by operator and operands.
  absl::flat_hash_map<Key, RunTimeInt> operations_;
  absl::flat_hash_map<std::string, Elements> factors_;
  absl::flat_hash_map<std::string, Value> memo_;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_BUILDER_RUN_TIME_INTS_H_
