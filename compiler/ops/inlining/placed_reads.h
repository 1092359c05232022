// FindReads: the elements that a stage reads, and in which arms of Selects.
//
// Code evaluates one arm of a Select for each element of the stage, unless the
// condition depends on data or on the last axis, along which code is
// vectorized. Values in arms that exclude each other are therefore not computed
// together:
//
//   joined[i, j] = select(i < 2, a[i, j], select(i < 4, b[i - 2, j], c[i, j]))
//
// computes an element of one of a, b and c. MostComputed() counts this.
#ifndef ASSAY_COMPILER_OPS_INLINING_PLACED_READS_H_
#define ASSAY_COMPILER_OPS_INLINING_PLACED_READS_H_

#include <cstdint>
#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/te/tensor.h"

namespace assay::ops {

using Indices = std::vector<expr::Expr>;

// Orders indices by their structure, so that the order is the same in every run
// of the compiler.
struct IndicesLess {
  bool operator()(const Indices& a, const Indices& b) const;
};

// An arm of a Select.
struct Arm {
  const expr::Select* select = nullptr;
  // Tells apart evaluations of the same Select, such as those for different
  // elements of its stage. Set by the caller of FindReads().
  int evaluation = 0;
  bool holds = true;

  bool operator==(const Arm& other) const {
    return select == other.select && evaluation == other.evaluation &&
           holds == other.holds;
  }
};
using Arms = std::vector<Arm>;  // the outermost one first

// Makes `arms` those that contain both places.
void Join(const Arms& other, Arms* arms);

// Returns how many of several values are computed at most, if each is computed
// in its arms.
int64_t MostComputed(const std::vector<const Arms*>& values);

struct PlacedRead {
  const expr::Read* read = nullptr;
  Arms arms;  // that contain all reads of this element
};

// Returns the reads in the bodies of a stage, one for each element.
std::vector<PlacedRead> FindReads(const te::Tensor& stage,
                                  const std::vector<expr::Expr>& bodies);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_INLINING_PLACED_READS_H_
