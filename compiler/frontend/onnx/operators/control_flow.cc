// If and Loop. A graph has no control flow: If is replaced by the branch that
// its condition selects, or, if the condition is computed when the model runs,
// by both branches and a selection of their results. If one of the branches is
// then invalid for the extents of the inputs, the other one replaces the If.
// Loops are unrolled. If the trip count or the condition of a loop is computed
// when the model runs, all iterations that may be executed are unrolled, and
// each keeps the values before it if it is not executed. The values that a loop
// carries, and the results of an If, may be sequences and optional values if
// this is not so.
#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "compiler/frontend/onnx/operators/bodies.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/operators/stack.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Value;
using Values = std::vector<Value>;
using ImportValues = std::vector<ImportValue>;

Value TruthValue(OpImport& op, bool value) {
  NDArray array(DType::Bool(), {});
  array.data<uint8_t>()[0] = value ? 1 : 0;
  return op.AddConstant(array);
}

// Selects each result of two branches, which have no effects, so that both may
// run.
absl::StatusOr<Values> Select(OpImport& op, const RunTimeInt& condition,
                              const ImportValues& if_true,
                              const ImportValues& if_false) {
  if (if_true.size() != if_false.size()) {
    return Malformed("the branches have ", if_true.size(), " and ",
                     if_false.size(), " results");
  }
  Values results;
  for (size_t i = 0; i < if_true.size(); ++i) {
    if (!if_true[i].is_tensor() || !if_false[i].is_tensor()) {
      return Unsupported("result ", i,
                         " is no tensor, and the condition is computed when "
                         "the model runs");
    }
    ASSAY_ASSIGN_OR_RETURN(
        const Value result,
        AddSelected(op, condition, if_true[i].tensor(), if_false[i].tensor(),
                    absl::StrCat("result ", i)));
    results.push_back(result);
  }
  return results;
}

// Makes the results of the other branch those of the If, because the branch
// `invalid` was refused with `error`. Some models have one branch for each of
// several extents of an input, and another input selects the branch. For the
// given extents, all valid runs then take the same branch.
absl::Status TakeOther(OpImport& op, absl::string_view invalid,
                       const absl::Status& error, ImportValues other) {
  ASSAY_RETURN_IF_ERROR(op.Warn(absl::StrCat(
      Quote(invalid), " is invalid for the extents of the inputs (",
      error.message(), "), so the other branch is always taken; runs in which ",
      "the condition selects ", Quote(invalid),
      " are not supported, and their outputs are not those of the file")));
  op.SetImportValues(std::move(other));
  return absl::OkStatus();
}

// Imports both branches and selects their results. Only InvalidArgument means
// that a branch is invalid. A branch with another error, such as an operator
// that is not supported, may be the one that a run takes.
absl::Status ImportBranches(OpImport& op, const RunTimeInt& condition,
                            const onnx::GraphProto& yes,
                            const onnx::GraphProto& no) {
  absl::StatusOr<ImportValues> if_true = op.ImportBody(yes, {});
  if (!if_true.ok() && !absl::IsInvalidArgument(if_true.status())) {
    return if_true.status();
  }
  absl::StatusOr<ImportValues> if_false = op.ImportBody(no, {});
  if (!if_false.ok()) {
    if (!absl::IsInvalidArgument(if_false.status())) return if_false.status();
    ASSAY_RETURN_IF_ERROR(if_true.status());
    return TakeOther(op, "else_branch", if_false.status(), *std::move(if_true));
  }
  if (!if_true.ok()) {
    return TakeOther(op, "then_branch", if_true.status(), *std::move(if_false));
  }
  ASSAY_ASSIGN_OR_RETURN(const Values results,
                         Select(op, condition, *if_true, *if_false));
  op.SetResults(results);
  return absl::OkStatus();
}

// If the condition is known, only the branch that is taken is imported.
absl::Status ImportIf(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const onnx::GraphProto* yes,
                         ReadBody(op, "then_branch"));
  ASSAY_ASSIGN_OR_RETURN(const onnx::GraphProto* no,
                         ReadBody(op, "else_branch"));
  const graph::TensorType& type = op.InputType(0);
  if (!type.dtype.is_bool() || type.num_elements() != 1) {
    return Malformed("the condition is ", type.ToString(),
                     " but one truth value is needed");
  }
  ASSAY_ASSIGN_OR_RETURN(const RunTimeInt condition,
                         OneInteger(op, op.Input(0), "the condition"));
  if (condition.is_number()) {
    ASSAY_ASSIGN_OR_RETURN(ImportValues results,
                           op.ImportBody(condition.low != 0 ? *yes : *no, {}));
    op.SetImportValues(std::move(results));
    return absl::OkStatus();
  }
  return ImportBranches(op, condition, *yes, *no);
}

// Returns an error if an iteration that may not be executed cannot be unrolled,
// because too many others may follow.
absl::Status CheckTrips(const OpImport& op, const RunTimeInt& trips) {
  if (trips.has_upper_limit()) return CheckUnrolled(trips.high, "iterations");
  if (op.HasInput(0) && !trips.is_number()) {
    return ExpectUpperLimit(trips, "input 0 (the trip count)");
  }
  return Unsupported(
      "the condition is computed when the model runs, and input 0 (the trip "
      "count) does not limit the number of iterations; give it a constant of ",
      kMaxUnrolled, " at most");
}

struct Loop {
  const onnx::GraphProto* body = nullptr;
  // Unlimited if the operand is left out.
  RunTimeInt trips = RunTimeInt::Number(RunTimeInt::kHighest);
  Value condition;
  ImportValues carried;
};

absl::StatusOr<Loop> ReadLoop(OpImport& op) {
  Loop loop;
  ASSAY_ASSIGN_OR_RETURN(loop.body, ReadBody(op, "body"));
  for (int i = 2; i < op.num_inputs(); ++i) {
    if (!op.HasInput(i)) return Malformed("input ", i, " is left out");
    loop.carried.push_back(op.Operand(i));
  }
  if (static_cast<size_t>(loop.body->output_size()) < 1 + loop.carried.size()) {
    return Malformed("the body has ", loop.body->output_size(), " results but ",
                     1 + loop.carried.size(), " are needed");
  }
  if (op.HasInput(0)) {
    ASSAY_ASSIGN_OR_RETURN(const Value count, op.InputTensor(0));
    ASSAY_ASSIGN_OR_RETURN(loop.trips, OneInteger(op, count, "the trip count"));
  }
  if (op.HasInput(1)) {
    ASSAY_ASSIGN_OR_RETURN(loop.condition, op.InputTensor(1));
  } else {
    loop.condition = TruthValue(op, true);
  }
  return loop;
}

absl::Status ImportLoop(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(Loop loop, ReadLoop(op));
  const size_t num_carried = loop.carried.size();
  std::vector<Values> scans(static_cast<size_t>(loop.body->output_size()) - 1 -
                            num_carried);
  RunTimeMath math(op);
  RunTimeInt goes_on = RunTimeInt::Number(1);
  RunTimeInt done = RunTimeInt::Number(0);  // the number of iterations
  for (int64_t trip = 0;; ++trip) {
    ASSAY_ASSIGN_OR_RETURN(
        const RunTimeInt condition,
        OneInteger(op, loop.condition, "the loop's condition"));
    const RunTimeInt is_trip =
        math.Apply(OpKind::kLess, RunTimeInt::Number(trip), loop.trips);
    goes_on = math.And(goes_on, math.And(is_trip, condition));
    ASSAY_RETURN_IF_ERROR(math.status());
    if (goes_on == RunTimeInt::Number(0)) break;
    if (!goes_on.is_number()) ASSAY_RETURN_IF_ERROR(CheckTrips(op, loop.trips));
    ASSAY_RETURN_IF_ERROR(CheckUnrolled(trip + 1, "iterations"));
    ImportValues arguments = {
        op.AddConstant(NDArray::FromVector<int64_t>({}, {trip})),
        loop.condition};
    arguments.insert(arguments.end(), loop.carried.begin(), loop.carried.end());
    ASSAY_ASSIGN_OR_RETURN(const ImportValues results,
                           op.ImportBody(*loop.body, arguments));
    ASSAY_ASSIGN_OR_RETURN(loop.condition, TensorResult(results, 0));
    for (size_t i = 0; i < num_carried; ++i) {
      ASSAY_ASSIGN_OR_RETURN(
          loop.carried[i],
          AddCarried(op, goes_on, loop.carried[i], results[1 + i],
                     absl::StrCat("the carried value ", i)));
    }
    for (size_t i = 0; i < scans.size(); ++i) {
      ASSAY_ASSIGN_OR_RETURN(const Value scan,
                             TensorResult(results, 1 + num_carried + i));
      scans[i].push_back(scan);
    }
    done = math.Add(done, goes_on);
  }
  for (const Values& scan : scans) {
    if (scan.empty()) {
      return Unsupported(
          "the loop runs not once, so that its scan outputs are empty");
    }
    ASSAY_ASSIGN_OR_RETURN(Value joined,
                           Stack(op, scan, 0, "the axis of a scan output"));
    ASSAY_ASSIGN_OR_RETURN(joined, Bounded(op, joined, 0, done));
    loop.carried.push_back(joined);
  }
  op.SetImportValues(std::move(loop.carried));
  return absl::OkStatus();
}

constexpr OperatorRow kOperators[] = {
    {"If", 1, 25, 1, 1, kAnyNumber, ImportIf},
    {"Loop", 1, 25, 0, kAnyOptional, kAnyNumber, ImportLoop,
     /*takes_any_value=*/true},
};

}  // namespace

absl::Span<const OperatorRow> ControlFlowOperators() { return kOperators; }

}  // namespace assay::frontend
