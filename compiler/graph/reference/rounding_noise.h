// ScopedRoundingNoise: moves results of the reference interpreter to numbers
// nearby, to measure how much the result of a graph depends on rounding.
//
// Correct programs may differ from the interpreter in three ways only: they add
// the terms of a sum in another order, they approximate a function such as exp,
// and they join a multiplication with an addition (fused multiply-add), which
// leaves out the rounding of the product. IEEE 754 defines the bits of every
// other elementwise result. The noise therefore moves, at random, each element
// of type float32 or float64 that is the result of
//   - a sum of K terms, by at most sqrt(K) units in the last place, the usual
//     error of a sum whose accumulator has this type. If a sum is smaller than
//     the usual sum of its operator, the units are those of the usual sum;
//   - an approximated function, by at most one unit in the last place;
//   - an addition or subtraction of a product: about every second element is
//     the result of a fused multiply-add. If elements are moved between the two
//     operators, the product is rounded to one of its two neighbours instead,
//     with probabilities that make the mean exact (stochastic rounding).
// Everything else stays as it is: other additions and subtractions, divisions,
// square roots, minima, comparisons, conversions, moves of elements, constants.
// A program that simplifies `(x + 2^23) - 2^23` to `x` is thus not excused.
// Inputs are not moved either, because all programs read the same bits: a move
// of `a` by one unit would change all of `(a + b) - a - b`.
//
// A runtime may compute in float32 what has type float16 or bfloat16, and
// round less often. Of the elements of these types that any operator computes,
// one in twelve is moved to a neighbouring number. The mean square of these
// moves is 1/12 in units in the last place, as is that of the errors of
// rounding.
#ifndef ASSAY_COMPILER_GRAPH_REFERENCE_ROUNDING_NOISE_H_
#define ASSAY_COMPILER_GRAPH_REFERENCE_ROUNDING_NOISE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "compiler/graph/graph.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {

// While an object of this class exists, the interpreter has noise. `seed`
// selects the noise and must not be 0. Only one object may exist at a time.
class ScopedRoundingNoise {
 public:
  explicit ScopedRoundingNoise(uint64_t seed);
  ~ScopedRoundingNoise();
  ScopedRoundingNoise(const ScopedRoundingNoise&) = delete;
  ScopedRoundingNoise& operator=(const ScopedRoundingNoise&) = delete;
};

// Returns true if correct programs must compute the same bits of the results of
// `node` as the interpreter if they have the same bits of its operands, up to
// the sign of a zero, the bits of a NaN and denormal numbers.
bool IsBitExact(const Node& node);

// Applies the noise of ScopedRoundingNoise, if there is one, to the results of
// `node`. `inputs` are the values of its operands.
void AddRoundingNoise(const Node& node, absl::Span<const NDArray> inputs,
                      std::vector<NDArray>& results);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_REFERENCE_ROUNDING_NOISE_H_
