// CheckOutputs: compares the outputs of a program with a reference, before the
// program is timed.
//
// Elements of float types may differ by a tolerance (tolerance.h). If an
// element of the reference is infinite, the element of the output must be the
// same infinity; if it is a NaN, the element of the output must be a NaN. A
// reference may have no finite element at all, for example the maximum or the
// mean of an empty tensor. A remark then says what was compared. If all
// elements of the reference are NaN, an output that still has the bits with
// which outputs are filled before a run (runtime/measure/session.h) was not
// written, and is wrong.
//
// Outputs of integer and bool types must be equal to the reference, except for
// int8 and uint8 if OutputRule::in_steps is true.
//
// CheckOutputs() is the comparator `bounds`. Other comparators may accept
// outputs that it rejects (comparators.h).
#ifndef ASSAY_SUITES_CORRECTNESS_ACCURACY_H_
#define ASSAY_SUITES_CORRECTNESS_ACCURACY_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/tolerance.h"

namespace assay::suites {

// The rules for the outputs of a model, by position. An output that the list
// lacks has the default rule.
using CheckRule = std::vector<OutputRule>;

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
  //   - all elements of the reference are NaN and the output was not written;
  //     or
  //   - an output of an integer type differs from the reference.
  double max_abs_error = 0;
  double bound = 0;
  // One sentence that describes the error; empty if the outputs are correct.
  std::string problem;
  // Sentences about correct outputs; usually none.
  std::vector<std::string> remarks;
};

// Returns the remarks as one line of text.
std::string JoinRemarks(const Accuracy& accuracy);

// Adds the accuracy of other outputs to `*all`, which is nullopt before the
// first call. The larger error, relative to its bound, counts, and the error of
// a wrong output counts more than those of correct ones. Remarks on correct
// outputs are collected; a remark that `*all` has already is not repeated.
void Merge(Accuracy next, std::optional<Accuracy>* all);

// Compares each output with the element of `reference` at the same position.
// The names of outputs in messages are those in `reference`.
Accuracy CheckOutputs(const runtime::NamedTensors& outputs,
                      const runtime::NamedTensors& reference,
                      const CheckRule& rule = {});

// Returns for each output the largest difference of `outputs` and `reference`,
// relative to max|reference| (OutputRule::agreement). Both must have the same
// number of outputs with the same types. Elements that are not finite are not
// compared.
std::vector<std::optional<double>> AgreementOf(
    const runtime::NamedTensors& outputs,
    const runtime::NamedTensors& reference);

// Returns true if `a` and `b` have the same number of outputs with equal types,
// shapes and bits. The outputs of two runs of the same code on the same input
// must satisfy this.
bool SameBits(const runtime::NamedTensors& a, const runtime::NamedTensors& b);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_ACCURACY_H_
