// Derives from the graph of a model how its outputs depend on rounding, and the
// rules by which they are compared (accuracy.h).
#ifndef ASSAY_SUITES_CORRECTNESS_ROUNDING_H_
#define ASSAY_SUITES_CORRECTNESS_ROUNDING_H_

#include <optional>
#include <vector>

#include "compiler/graph/graph.h"
#include "runtime/artifact/artifact.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/model.h"
#include "suites/correctness/row_matching.h"

namespace assay::suites {

enum class Rounding {
  // Nothing is quantized. Errors are those of float arithmetic.
  kNone,
  // Every value that is quantized is computed by operators that are exact
  // (IsBitExact in compiler/graph/reference/rounding_noise.h). The graph
  // defines all bits of the quantized values, so the interpreter and compiled
  // code must agree on them.
  kExact,
  // A value that is quantized is the result of a float sum or an approximated
  // function, such as softmax, whose last bits depend on the implementation.
  kInexact,
};

Rounding RoundingOf(const graph::Graph& graph);

// Returns the rule for a comparison of compiled code with the interpreter.
// Elements of int8 and uint8 have a tolerance for kInexact.
//
// An output is exact, and must be equal, if all operators before it are exact:
// the graph then defines all bits of the output. It contains no sum of floats,
// no approximated function, and no product that is added. An output jumps if an
// operator before it rounds, converts to an integer or compares a number that
// is not exact, so that a tiny difference may become a large one.
CheckRule InterpreterRule(const Model& model);

// Returns the rule for a comparison with another runtime, which may round in
// other places: no output need be exact, and elements of int8 and uint8 have a
// tolerance for kExact, too, and if the file is quantized.
CheckRule ReferenceRule(const Model& model);

// An output has rows if it depends on the result of a sort, arg_max, arg_min,
// non_max_suppression, non_zero or unique whose operands are computed with
// floats. The rows lie along the bounded axis of the output. If no axis is
// bounded, they lie along the first axis with more than one element; if there
// is no such axis either, the output is one row, and the axis is 0.
RowAxes FindRowAxes(const graph::Graph& graph);

// Limits the errors of `artifact` by how much two runtimes that add float32
// products differ (`agreement`, OutputRule::agreement). If the artifact has
// algorithms with larger rounding errors (kMetaAlgorithms in
// runtime/artifact/artifact.h), only outputs on which the runtimes agree to the
// bit are limited.
void LimitByAgreement(const runtime::Artifact& artifact,
                      const std::vector<std::optional<double>>& agreement,
                      CheckRule* rule);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ROUNDING_H_
