// CheckNearTies: compares the outputs of a model that makes decisions, such as
// a detector, although rounding alone may change a decision.
//
// TopK, NonMaxSuppression, NonZero and similar operators compare numbers. If
// two scores are nearly equal, or if a score is close to a threshold, the
// rounding of float arithmetic decides which box comes first or whether a box
// is selected. Outputs of correct programs can then differ in whole *rows*: a
// row, for example a box with its score and its label, is at another place, is
// missing, or is added. No bound on the errors of elements expresses this.
//
// The outputs are therefore compared with several *answers*: the reference, and
// the outputs of the interpreter with rounding noise (rounding_sensitivity.h).
// All answers are correct for some way of rounding. What is the same in all
// answers is determined by the inputs; where answers differ, there is a near
// tie, and correct programs may decide it in either way. If a model has several
// near ties, a program can decide them in a combination that no answer has, so
// it is not sufficient to look for an answer with all rows of the output.
// Instead, everything that the outputs state must be true of at least one
// answer:
//   - Each row of the outputs is in an answer.
//   - Each row that is in all answers is in the outputs.
//   - For each two rows that are both in some answer, there is an answer that
//     has both in the same order.
// In addition, at least half of the rows must be in all answers, unless there
// is one row everywhere. Otherwise, the inputs determine too little for a
// check.
//
// Rows are equal if all integers in them are equal and the errors of all floats
// are within the bounds of CheckOutputs(). Equal rows of the same output are
// told apart by their order (Places() of row_matching.h). A wrong kernel is
// thus found by any of the following, unless an interpretation with other
// roundings does the same: another label, a box that is moved by more than the
// bound, a row that is dropped, added or duplicated, and two rows in the wrong
// order. Rounding noise decides a near tie in each way with a similar
// probability, so the answers soon contain both decisions. Decisions that are
// not near ties never change. If the answers are too few and lack one of the
// decisions, correct outputs are taken for wrong ones. One error is not found:
// where rounding decides which of two rows is selected, a program may select
// both or neither of them.
//
// Rows that belong together are in different outputs, for example boxes [D,4],
// scores [D] and labels [D]. FindRowAxes() finds the axis of the rows of each
// output. Outputs that have the same number of rows as each other, in the
// outputs of the program and in each answer, form a group, whose rows are
// joined (GroupByRows()).
#ifndef ASSAY_SUITES_CORRECTNESS_NEAR_TIES_H_
#define ASSAY_SUITES_CORRECTNESS_NEAR_TIES_H_

#include "absl/types/span.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/accuracy.h"
#include "suites/correctness/row_matching.h"

namespace assay::suites {

struct TieCheck {
  // If the outputs are correct, `max_abs_error` is the error of a row with
  // respect to the first answer that has it, and `remark` says how many rows
  // differ from those of the reference. If they are wrong, `problem` describes
  // both the first wrong element and the first wrong row.
  Accuracy accuracy;
  // True if the outputs are wrong and there is no reason to expect that further
  // answers explain them: an output has the wrong type, an output without rows
  // is wrong, most rows are in no answer, or too few rows are in all answers.
  bool is_far = false;
};

// Compares `outputs` with `answers`, of which the first is the reference.
// Groups of outputs that satisfy CheckOutputs() are not compared by rows.
// `answers` must not be empty. The names of outputs in messages are those in
// the reference. `rule` must not demand a comparison in steps.
TieCheck CheckNearTies(const runtime::NamedTensors& outputs,
                       absl::Span<const runtime::NamedTensors> answers,
                       const RowAxes& row_axes, const CheckRule& rule);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_NEAR_TIES_H_
