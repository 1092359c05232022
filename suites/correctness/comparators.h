// Comparators: the ways in which the outputs of a program may be right.
//
// A comparator accepts the outputs of a program, or says why it does not. Those
// that apply to a model are tried in this order until one accepts the outputs:
//
//   comparator      accepts                              applies to
//   bounds          errors within the usual tolerance,   all models
//                   which is 0 for exact outputs and is
//                   in steps for quantized outputs
//   rounding noise  errors within a tolerance that is    all models with a
//                   widened by what rounding alone       RoundingSensitivity
//                   changes
//   near ties       rows that are moved, missing or      models that make
//                   added where rounding can change a    decisions, unless an
//                   decision                             output is compared in
//                                                        steps
//
// The headers accuracy.h, tolerance.h, rounding_sensitivity.h and near_ties.h
// have the reasons and numbers. rounding.h derives the rules for the outputs of
// a model from its graph.
#ifndef ASSAY_SUITES_CORRECTNESS_COMPARATORS_H_
#define ASSAY_SUITES_CORRECTNESS_COMPARATORS_H_

#include "absl/status/statusor.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/rounding_sensitivity.h"

namespace assay::suites {

// Outputs that are compared.
struct ComparedOutputs {
  const runtime::NamedTensors& outputs;
  const runtime::NamedTensors& expected;
  CheckRule rule;  // the comparator `rounding noise` adds the noise
  // Belongs to the inputs of these outputs; may be null.
  RoundingSensitivity* sensitivity = nullptr;
};

// Tries the comparators that apply. Returns the verdict of the first one that
// accepts the outputs, or else of the last one. The remark of the verdict says
// what was necessary to accept the outputs. If the outputs are within the
// bounds, the interpreter does not run. Returns an error only if the
// interpreter does.
absl::StatusOr<Accuracy> AcceptOutputs(ComparedOutputs compared);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_COMPARATORS_H_
