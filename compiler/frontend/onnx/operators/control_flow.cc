// If, Loop and Scan. A graph has no control flow: If is replaced by the branch
// that its condition selects, or, if the condition is computed when the model
// runs, by both branches and a selection of their results. Loops are unrolled.
// The values that a loop carries, and the results of an If whose condition is
// known, may be sequences and optional values.
#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/scalar.h"
#include "compiler/frontend/onnx/operators/stack.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::Value;
using Values = std::vector<Value>;
using ImportValues = std::vector<ImportValue>;

constexpr char kScanAxis[] = "the axis of a scan output";

Value TruthValue(OpImport& op, bool value) {
  NDArray array(DType::Bool(), {});
  array.data<uint8_t>()[0] = value ? 1 : 0;
  return op.AddConstant(array);
}

// Result `i` of a body, which must be a tensor.
absl::StatusOr<Value> TensorResult(const ImportValues& results, size_t i) {
  if (results[i].is_tensor()) return results[i].tensor();
  return Malformed("result ", i, " of the body is ", results[i].KindName(),
                   " but a tensor is needed");
}

absl::StatusOr<const onnx::GraphProto*> Body(OpImport& op,
                                             absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(const onnx::GraphProto* body,
                         op.attributes().OptionalGraph(name));
  if (body == nullptr) {
    return Malformed("attribute ", Quote(name), " is missing");
  }
  return body;
}

// An axis or a direction for each of `count` scan inputs or outputs.
absl::StatusOr<std::vector<int64_t>> EachOf(OpImport& op,
                                            absl::string_view name,
                                            int64_t count) {
  ASSAY_ASSIGN_OR_RETURN(auto given, op.attributes().OptionalInts(name));
  if (!given.has_value()) return std::vector<int64_t>(count, 0);
  if (static_cast<int64_t>(given->size()) != count) {
    return Malformed("attribute ", Quote(name), " has ", given->size(),
                     " entries but ", count, " are needed");
  }
  return *given;
}

struct ScanPlan {
  const onnx::GraphProto* body = nullptr;
  std::vector<int64_t> input_axes, input_directions;
  std::vector<int64_t> output_axes, output_directions;
  int64_t num_states = 0;
};

absl::StatusOr<ScanPlan> ReadScan(OpImport& op, int64_t num_inputs) {
  ScanPlan plan;
  ASSAY_ASSIGN_OR_RETURN(plan.body, Body(op, "body"));
  ASSAY_ASSIGN_OR_RETURN(const auto scans,
                         op.attributes().OptionalInt("num_scan_inputs"));
  if (!scans.has_value() || *scans < 1 || *scans > num_inputs) {
    return Malformed(
        "attribute `num_scan_inputs` is missing or not between 1 "
        "and ",
        num_inputs);
  }
  plan.num_states = num_inputs - *scans;
  const int64_t outputs = plan.body->output_size() - plan.num_states;
  if (outputs < 0) {
    return Malformed("the body has ", plan.body->output_size(), " results but ",
                     plan.num_states, " state variables");
  }
  if (op.opset() < 9) {
    ASSAY_ASSIGN_OR_RETURN(plan.input_directions,
                           EachOf(op, "directions", *scans));
    plan.input_axes.assign(*scans, 0);
    plan.output_axes.assign(outputs, 0);
    plan.output_directions.assign(outputs, 0);
    return plan;
  }
  ASSAY_ASSIGN_OR_RETURN(plan.input_axes,
                         EachOf(op, "scan_input_axes", *scans));
  ASSAY_ASSIGN_OR_RETURN(plan.input_directions,
                         EachOf(op, "scan_input_directions", *scans));
  ASSAY_ASSIGN_OR_RETURN(plan.output_axes,
                         EachOf(op, "scan_output_axes", outputs));
  ASSAY_ASSIGN_OR_RETURN(plan.output_directions,
                         EachOf(op, "scan_output_directions", outputs));
  return plan;
}

// Maps state variables and scan inputs to state variables and scan outputs.
absl::StatusOr<Values> Scan(OpImport& op, ScanPlan plan, const Values& in) {
  Values states(in.begin(), in.begin() + plan.num_states);
  const Values scanned(in.begin() + plan.num_states, in.end());
  int64_t length = -1;
  for (size_t i = 0; i < scanned.size(); ++i) {
    const graph::TensorType& type = scanned[i].type();
    ASSAY_ASSIGN_OR_RETURN(plan.input_axes[i],
                           NormalizeAxis(op, "the axis of a scan input",
                                         plan.input_axes[i], type.rank()));
    const int64_t extent = type.shape[plan.input_axes[i]];
    if (length >= 0 && extent != length) {
      return Malformed("scan inputs have ", length, " and ", extent,
                       " elements along their axes");
    }
    length = extent;
  }
  std::vector<Values> outputs(plan.output_axes.size());
  ASSAY_RETURN_IF_ERROR(CheckUnrolled(length, "iterations"));
  for (int64_t step = 0; step < length; ++step) {
    Values arguments = states;
    for (size_t i = 0; i < scanned.size(); ++i) {
      const int64_t at =
          plan.input_directions[i] == 1 ? length - 1 - step : step;
      ASSAY_ASSIGN_OR_RETURN(const Value element,
                             TakeIndex(op, scanned[i], plan.input_axes[i], at));
      arguments.push_back(element);
    }
    ASSAY_ASSIGN_OR_RETURN(
        const ImportValues results,
        op.ImportBody(*plan.body,
                      ImportValues(arguments.begin(), arguments.end())));
    for (size_t i = 0; i < states.size(); ++i) {
      ASSAY_ASSIGN_OR_RETURN(states[i], TensorResult(results, i));
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      ASSAY_ASSIGN_OR_RETURN(const Value output,
                             TensorResult(results, states.size() + i));
      outputs[i].push_back(output);
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (plan.output_directions[i] == 1) {
      std::reverse(outputs[i].begin(), outputs[i].end());
    }
    ASSAY_ASSIGN_OR_RETURN(
        const Value joined,
        Stack(op, outputs[i], plan.output_axes[i], kScanAxis));
    states.push_back(joined);
  }
  return states;
}

// Selects each result of two branches, which have no effects, so that both may
// run.
absl::StatusOr<Values> Select(OpImport& op, Value condition,
                              const ImportValues& if_true,
                              const ImportValues& if_false) {
  if (if_true.size() != if_false.size()) {
    return Malformed("the branches have ", if_true.size(), " and ",
                     if_false.size(), " results");
  }
  ASSAY_ASSIGN_OR_RETURN(condition, op.AddReshape(condition, {}));
  Values results;
  for (size_t i = 0; i < if_true.size(); ++i) {
    if (!if_true[i].is_tensor() || !if_false[i].is_tensor()) {
      return Unsupported("result ", i,
                         " is no tensor, and the condition is computed when "
                         "the model runs");
    }
    const Value yes = if_true[i].tensor(), no = if_false[i].tensor();
    if (yes.type() != no.type()) {
      return Unsupported("result ", i, " is ", yes.type().ToString(), " or ",
                         no.type().ToString(),
                         ", which only the values of the inputs decide");
    }
    results.push_back(yes);
    if (yes == no) continue;
    ASSAY_ASSIGN_OR_RETURN(
        results.back(),
        op.Add(graph::OpKind::kSelect, graph::NoAttrs(), {condition, yes, no}));
  }
  return results;
}

// If the condition is known, only the branch that is taken is imported.
absl::Status ImportIf(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const onnx::GraphProto* yes, Body(op, "then_branch"));
  ASSAY_ASSIGN_OR_RETURN(const onnx::GraphProto* no, Body(op, "else_branch"));
  const graph::TensorType& type = op.InputType(0);
  if (!type.dtype.is_bool() || type.num_elements() != 1) {
    return Malformed("the condition is ", type.ToString(),
                     " but one truth value is needed");
  }
  if (const NDArray* condition = op.KnownInput(0)) {
    const bool taken = condition->data<uint8_t>()[0] != 0;
    ASSAY_ASSIGN_OR_RETURN(ImportValues results,
                           op.ImportBody(taken ? *yes : *no, {}));
    op.SetImportValues(std::move(results));
    return absl::OkStatus();
  }
  ASSAY_ASSIGN_OR_RETURN(const ImportValues if_true, op.ImportBody(*yes, {}));
  ASSAY_ASSIGN_OR_RETURN(const ImportValues if_false, op.ImportBody(*no, {}));
  ASSAY_ASSIGN_OR_RETURN(Values results,
                         Select(op, op.Input(0), if_true, if_false));
  op.SetResults(std::move(results));
  return absl::OkStatus();
}

absl::Status ImportLoop(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const onnx::GraphProto* body, Body(op, "body"));
  ImportValues carried;
  for (int i = 2; i < op.num_inputs(); ++i) {
    if (!op.HasInput(i)) return Malformed("input ", i, " is left out");
    carried.push_back(op.Operand(i));
  }
  const size_t num_carried = carried.size();
  if (static_cast<size_t>(body->output_size()) < 1 + num_carried) {
    return Malformed("the body has ", body->output_size(), " results but ",
                     1 + num_carried, " are needed");
  }
  std::vector<Values> scans(body->output_size() - 1 - num_carried);
  std::optional<int64_t> trips;
  if (op.HasInput(0)) {
    ASSAY_ASSIGN_OR_RETURN(const Value count, op.InputTensor(0));
    ASSAY_ASSIGN_OR_RETURN(trips, KnownInteger(op, count, "the trip count"));
  }
  Value condition;
  if (op.HasInput(1)) {
    ASSAY_ASSIGN_OR_RETURN(condition, op.InputTensor(1));
  } else {
    condition = TruthValue(op, true);
  }
  for (int64_t trip = 0; !trips.has_value() || trip < *trips; ++trip) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t goes_on,
                           KnownInteger(op, condition, "the loop's condition"));
    if (goes_on == 0) break;
    ASSAY_RETURN_IF_ERROR(CheckUnrolled(trip + 1, "iterations"));
    ImportValues arguments = {
        op.AddConstant(NDArray::FromVector<int64_t>({}, {trip})), condition};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    ASSAY_ASSIGN_OR_RETURN(const ImportValues results,
                           op.ImportBody(*body, arguments));
    ASSAY_ASSIGN_OR_RETURN(condition, TensorResult(results, 0));
    std::copy_n(results.begin() + 1, num_carried, carried.begin());
    for (size_t i = 0; i < scans.size(); ++i) {
      ASSAY_ASSIGN_OR_RETURN(const Value scan,
                             TensorResult(results, 1 + num_carried + i));
      scans[i].push_back(scan);
    }
  }
  for (const Values& scan : scans) {
    if (scan.empty()) {
      return Unsupported(
          "the loop runs not once, so that its scan outputs are empty");
    }
    ASSAY_ASSIGN_OR_RETURN(const Value joined, Stack(op, scan, 0, kScanAxis));
    carried.push_back(joined);
  }
  op.SetImportValues(std::move(carried));
  return absl::OkStatus();
}

absl::Status ImportScan(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const ScanPlan plan, ReadScan(op, op.num_inputs()));
  const Values in(op.inputs().begin(), op.inputs().end());
  ASSAY_ASSIGN_OR_RETURN(const Values results, Scan(op, plan, in));
  op.SetResults(results);
  return absl::OkStatus();
}

// The first version of Scan: axis 0 of all operands is a batch, whose elements
// are scanned separately along axis 1.
absl::Status ImportScanBatches(OpImport& op) {
  if (op.HasInput(0)) {
    return Unsupported("input 0 (sequence_lens) is not supported");
  }
  for (int i = 1; i < op.num_inputs(); ++i) {
    if (!op.HasInput(i)) return Malformed("input ", i, " is left out");
  }
  if (op.num_inputs() < 2) return Malformed("has nothing to scan");
  ASSAY_ASSIGN_OR_RETURN(const ScanPlan plan,
                         ReadScan(op, op.num_inputs() - 1));
  const int64_t batch =
      op.InputType(1).rank() > 0 ? op.InputType(1).shape[0] : 0;
  std::vector<Values> results(plan.body->output_size());
  for (int64_t b = 0; b < batch; ++b) {
    Values in;
    for (int i = 1; i < op.num_inputs(); ++i) {
      const graph::TensorType& type = op.InputType(i);
      if (type.rank() == 0 || type.shape[0] != batch) {
        return Malformed("input ", i, " is ", type.ToString(),
                         " but a batch of ", batch, " is needed");
      }
      ASSAY_ASSIGN_OR_RETURN(const Value part,
                             TakeIndex(op, op.Input(i), 0, b));
      in.push_back(part);
    }
    ASSAY_ASSIGN_OR_RETURN(const Values parts, Scan(op, plan, in));
    for (size_t i = 0; i < results.size(); ++i) results[i].push_back(parts[i]);
  }
  Values joined;
  for (const Values& parts : results) {
    ASSAY_ASSIGN_OR_RETURN(const Value whole, Stack(op, parts, 0, kScanAxis));
    joined.push_back(whole);
  }
  op.SetResults(joined);
  return absl::OkStatus();
}

constexpr OperatorRow kOperators[] = {
    {"If", 7, 21, 1, 1, kAnyNumber, ImportIf},
    {"Loop", 7, 21, 0, kAnyOptional, kAnyNumber, ImportLoop,
     /*takes_any_value=*/true},
    {"Scan", 8, 8, 0, kAnyOptional, kAnyNumber, ImportScanBatches},
    {"Scan", 9, 21, 1, kAnyNumber, kAnyNumber, ImportScan},
};

}  // namespace

absl::Span<const OperatorRow> ControlFlowOperators() { return kOperators; }

}  // namespace assay::frontend
