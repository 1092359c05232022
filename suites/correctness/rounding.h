// RoundingOf: says how a model with quantized parts may differ between correct
// implementations, and with it how its outputs are compared.
#ifndef ASSAY_SUITES_CORRECTNESS_ROUNDING_H_
#define ASSAY_SUITES_CORRECTNESS_ROUNDING_H_

#include "compiler/graph/graph.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/model.h"

namespace assay::suites {

enum class Rounding {
  // Nothing is quantized. Errors are those of float arithmetic.
  kNone,
  // Every value that is quantized is computed by integer operators, or by float
  // operators whose results IEEE 754 defines, such as an addition. The graph
  // defines all bits of the quantized values, so the interpreter and compiled
  // code must agree on them.
  kExact,
  // A value that is quantized is the result of a float sum or an approximated
  // function, such as softmax, whose last bits depend on the implementation.
  kInexact,
};

Rounding RoundingOf(const graph::Graph& graph);

// Returns the rule for a comparison of compiled code with the interpreter:
// in steps for kInexact.
CheckRule InterpreterRule(const Model& model);

// Returns the rule for a comparison with another runtime, which may round in
// other places: in steps for kExact, too, and if the file is quantized.
CheckRule ReferenceRule(const Model& model);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ROUNDING_H_
