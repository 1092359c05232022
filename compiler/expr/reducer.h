// Reducer: the combining function of a reduction, represented by expressions.
//
// A reducer combines two tuples of values, the accumulator and the next
// element, into one tuple. For each tuple component, a reducer contains
//   - a variable in `lhs`, which stands for the value of the accumulator,
//   - a variable in `rhs`, which stands for the value of the next element,
//   - the result of the combination, an expression of these variables,
//   - the value of the identity element.
//
// Example: a sum and a count, from which an average can be computed.
//
//   Reducer average = MakeReducer(
//       "sum_and_count", {Const(f32, 0), 0},
//       [](const std::vector<Expr>& a, const std::vector<Expr>& b) {
//         return std::vector<Expr>{a[0] + b[0], a[1] + b[1]};
//       },
//       /*reorderable=*/true);
//
// If either argument is the identity element, the result must be equal to the
// other argument. A `reorderable` reducer must be associative and
// commutative; floating-point results may differ by rounding. A schedule may
// change the order of a reduction only if its reducer is reorderable. All
// results are computed from the old accumulator before any component of the
// accumulator is replaced. A combining function must not read tensors.
//
// Combiner enumerates the four common reducers.
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
// Returns the identity element:
//   - for kSum, 0;
//   - for kProd, 1;
//   - for kMin, the largest value of `type`, which is infinity for floats;
//   - for kMax, the lowest value of `type`, which is -infinity for floats.
Expr CombinerIdentity(Combiner combiner, DType type);
// Returns the expression a + b, a * b, min(a, b) or max(a, b).
Expr Combine(Combiner combiner, Expr a, Expr b);

struct ReducerNode : Counted {
  std::string name;
  // All four vectors have the same length. The elements of lhs and rhs are
  // Vars.
  std::vector<Expr> lhs, rhs, results, identities;
  bool reorderable = false;
};

class Reducer : public Ref<ReducerNode> {
 public:
  using Ref<ReducerNode>::Ref;
  Reducer() = default;
  // Returns the number of tuple components.
  int size() const { return static_cast<int>(get()->results.size()); }
};

// Creates a reducer. `results` is called once, with new variables for the
// accumulator and for the next element. It must return one expression per
// component. Variables and results have the types of `identities`.
Reducer MakeReducer(
    std::string name, std::vector<Expr> identities,
    const std::function<std::vector<Expr>(const std::vector<Expr>& so_far,
                                          const std::vector<Expr>& next)>&
        results,
    bool reorderable);
// Creates the reducer of `combiner` for tuples of one value of `type`.
Reducer ReducerOf(Combiner combiner, DType type);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_REDUCER_H_
