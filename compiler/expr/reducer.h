// Reducer: how a reduction combines, as data.
//
// A reducer combines tuples of values, one tuple so far and one new, into a
// tuple again. It has two variables for each value, `lhs` and `rhs`, the
// results as expressions of these, and the identities that a reduction starts
// from:
//
//   Reducer average = MakeReducer(
//       "sum_and_count", {Const(f32, 0), 0},
//       [](const std::vector<Expr>& a, const std::vector<Expr>& b) {
//         return std::vector<Expr>{a[0] + b[0], a[1] + b[1]};
//       },
//       /*reorderable=*/true);
//
// Combining the identities with a tuple, on either side, must give that tuple.
// A reducer that is `reorderable` is associative and commutative (up to
// rounding, for floats): only then may a schedule change the order in which it
// combines. All results are computed from the old values before any of them is
// replaced. A combination must not read tensors.
//
// The four reducers that everybody needs have a name of their own, a Combiner.
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
// The value a reduction starts from: 0, 1, the largest, the lowest value.
Expr CombinerIdentity(Combiner combiner, DType type);
Expr Combine(Combiner combiner, Expr a, Expr b);

struct ReducerNode : Counted {
  std::string name;
  // All of one length; lhs and rhs are Vars.
  std::vector<Expr> lhs, rhs, results, identities;
  bool reorderable = false;
};

class Reducer : public Ref<ReducerNode> {
 public:
  using Ref<ReducerNode>::Ref;
  Reducer() = default;
  int size() const { return static_cast<int>(get()->results.size()); }
};

// `results` is called once, with the variables of the tuple so far and of the
// new one, which have the types of the identities.
Reducer MakeReducer(
    std::string name, std::vector<Expr> identities,
    const std::function<std::vector<Expr>(const std::vector<Expr>& so_far,
                                          const std::vector<Expr>& next)>&
        results,
    bool reorderable);
Reducer ReducerOf(Combiner combiner, DType type);

}  // namespace assay::expr

#endif  // ASSAY_COMPILER_EXPR_REDUCER_H_
