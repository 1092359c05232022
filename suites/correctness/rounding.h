// These functions analyze the graph of a model. They find how its outputs
// depend on rounding, and derive the rules by which outputs are compared
// (accuracy.h).
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
// Elements of int8 and uint8 have a tolerance if RoundingOf() is kInexact.
//
// An output is exact, and must be equal, if all operators before it are exact:
// the graph then defines all bits of the output. There is then no reduction
// that adds floats, no approximated function, and no multiply-add, which an FMA
// would round differently. An output jumps if an operator before it rounds,
// converts to an integer or compares a number that is not exact, so that a tiny
// difference may become a large one.
CheckRule InterpreterRule(const Model& model);

// Returns the rule for a comparison with another runtime, which may round in
// other places. No output needs to be exact. Elements of int8 and uint8 have a
// tolerance if RoundingOf() is kExact or kInexact, or if the file has quantized
// operators (Model::quantized).
CheckRule ReferenceRule(const Model& model);

// An output has rows if it depends on the result of a sort, arg_max, arg_min,
// non_max_suppression, non_zero or unique whose operands are computed with
// floats. The rows lie along the bounded axis of the output. If no axis is
// bounded, they lie along the first axis with more than one element; if there
// is no such axis either, the output is one row, and the axis is 0.
RowAxes FindRowAxes(const graph::Graph& graph);

// Sets OutputRule::agreement in `rule`, which limits the error of an output of
// `artifact`. `agreement` has for each output the difference between two
// runtimes that add float32 products (AgreementOf), or it is empty if they were
// not compared. Each output must have a rule. If the artifact has
// algorithms with larger rounding errors (kMetaAlgorithms in
// runtime/artifact/artifact.h), the limit is set only for outputs on which the
// two runtimes do not differ.
void LimitByAgreement(const runtime::Artifact& artifact,
                      const std::vector<std::optional<double>>& agreement,
                      CheckRule* rule);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ROUNDING_H_
