// Reducer: the combining function of a reduction, as data.
//
// A reducer combines two tuples of values, the accumulator and the next
// element, into a tuple. It consists of two variables per tuple component,
// `lhs` (accumulator) and `rhs` (next element), the results as expressions of
// these, and the identity element:
//
//   Reducer average = MakeReducer(
//       "sum_and_count", {Const(f32, 0), 0},
//       [](const std::vector<Expr>& a, const std::vector<Expr>& b) {
//         return std::vector<Expr>{a[0] + b[0], a[1] + b[1]};
//       },
//       /*reorderable=*/true);
//
// Combining the identity with a tuple, on either side, must give that tuple. A
// `reorderable` reducer is associative and commutative (up to rounding, for
// floats); only then may a schedule change the order of the reduction. All
// results are computed from the old accumulator before any component is
// replaced. A combining function must not read tensors.
//
// The four common reducers also have an enum, Combiner.
#ifndef ASSAY_COMPILER_EXPR_REDUCER_H_
#define ASSAY_COMPILER_EXPR_REDUCER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compiler/expr/expr_base.h"
#include "compiler/expr/ref.h"
#include "runtime/base/dtype.h"

namespace assay::expr {

enum class Combiner : uint8_t { kSum, kProd, kMin, kMax };
// The identity element: 0, 1, the largest or the lowest value of the type.
Expr CombinerIdentity(Combiner combiner, DType type);
Expr Combine(Combiner combiner, Expr a, Expr b);

struct ReducerNode : Counted {
  std::string name;
  // All four have the same length; lhs and rhs are Vars.
  std::vector<Expr> lhs, rhs, results, identities;
  bool reorderable = false;
};

class Reducer : public Ref<ReducerNode> {
 public:
  using Ref<ReducerNode>::Ref;
  Reducer() = default;
  int size() const { return static_cast<int>(get()->results.size()); }
};

// `results` is called once, with the variables of the accumulator and of the
// next element, which have the types of the identities.
Reducer MakeReducer(
    std::string name, std::vector<Expr> identities,
    const std::function<std::vector<Expr>(const std::vector<Expr>& so_far,
                                          const std::vector<Expr>& next)>&
        results,
    bool reorderable);
Reducer ReducerOf(Combiner combiner, DType type);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_REDUCER_H_
