// CheckOutputs: compares the outputs of a program with a reference, before the
// program is timed.
//
// Elements of float types may differ by a tolerance (tolerance.h). If an
// element of the reference is infinite, the element of the output must be the
// same infinity; if it is a NaN, the element of the output must be a NaN. A
// reference may have no finite element at all, for example the maximum of
// nothing or the mean of nothing. A remark then says what was compared. If all
// its elements are NaN, an output that still has the bits with which outputs
// are filled before a run (runtime/measure/session.h) was not written, and is
// wrong.
//
// Outputs of integer and bool types must be equal to the reference, except for
// int8 and uint8 if CheckRule::in_steps is true, and except for the boxes that
// a detector selects (detections.h). near_ties.h describes how models are
// compared whose decisions depend on rounding.
#ifndef ASSAY_SUITES_CORRECTNESS_ACCURACY_H_
#define ASSAY_SUITES_CORRECTNESS_ACCURACY_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/detections.h"
#include "suites/correctness/tolerance.h"

namespace assay::suites {

struct CheckRule {
  // If present, the outputs must be the three outputs of a detector: boxes,
  // scores and detections.
  std::optional<SuppressionRule> detections = std::nullopt;
  // OutputRule::in_steps of all outputs.
  bool in_steps = false;
  // OutputRule::other_runtime of all outputs.
  bool other_runtime = false;
  // The other fields of OutputRule, by output. An output that a list lacks has
  // the default of the field.
  std::vector<bool> exact = {};
  std::vector<bool> jumps = {};
  std::vector<OutputNoise> noise = {};
  std::vector<std::optional<double>> agreement = {};
};

// Returns the rule for the output with the index `output`.
OutputRule RuleOfOutput(const CheckRule& rule, size_t output);

struct Accuracy {
  bool correct = false;
  // Maximum error of one output, and the bound on this error. The output is the
  // one for which the quotient of maximum error and bound is largest. Both
  // values are 0 if this output has an integer type and is correct. The error
  // is infinite if
  //   - the number of outputs, or the type or shape of an output, is wrong;
  //   - an element of a float output is wrong, and this element or the
  //     corresponding element of the reference is not finite;
  //   - an output without numbers was not written;
  //   - an output of an integer type differs from the reference; or
  //   - detections are wrong.
  double max_abs_error = 0;
  double bound = 0;
  // One sentence that describes the error; empty if the outputs are correct.
  std::string problem;
  // A remark on correct outputs; usually empty.
  std::string remark;
};

// Compares each output with the element of `reference` at the same position.
// The names of outputs in messages are those in `reference`.
Accuracy CheckOutputs(const runtime::NamedTensors& outputs,
                      const runtime::NamedTensors& reference,
                      const CheckRule& rule = {});

// Returns for each output the largest difference of `outputs` and `reference`,
// relative to max|reference| (OutputRule::agreement). Both must have the same
// types. Elements that are not finite are not compared.
std::vector<std::optional<double>> AgreementOf(
    const runtime::NamedTensors& outputs,
    const runtime::NamedTensors& reference);

// Returns true if `a` and `b` have the same number of outputs with equal types,
// shapes and bits. The outputs of two runs of the same code on the same input
// must satisfy this.
bool SameBits(const runtime::NamedTensors& a, const runtime::NamedTensors& b);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ACCURACY_H_
