// Scan, which is unrolled. If the extent of the scanned axis is known only when
// the model runs, as many iterations as it may have are unrolled, and each
// keeps the state before it if it is not executed.
#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/frontend/onnx/operators/bodies.h"
#include "compiler/frontend/onnx/operators/operators.h"
#include "compiler/frontend/onnx/operators/stack.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::OpKind;
using graph::Value;
using Values = std::vector<Value>;
using ImportValues = std::vector<ImportValue>;

constexpr char kScanAxis[] = "the axis of a scan output";
constexpr RunTimeInt kZero = RunTimeInt::Number(0);

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
  ASSAY_ASSIGN_OR_RETURN(plan.body, ReadBody(op, "body"));
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

// Sets `extent` to that of the scanned axes, and normalizes the axes. Returns
// the number of iterations to unroll.
absl::StatusOr<int64_t> ReadLength(OpImport& op, const Values& scanned,
                                   ScanPlan& plan, RunTimeInt& extent) {
  int64_t length = 0;
  for (size_t i = 0; i < scanned.size(); ++i) {
    const graph::TensorType& type = scanned[i].type();
    ASSAY_ASSIGN_OR_RETURN(plan.input_axes[i],
                           NormalizeAxis(op, "the axis of a scan input",
                                         plan.input_axes[i], type.rank()));
    const RunTimeInt own = ExtentOf(op, scanned[i], plan.input_axes[i]);
    const int64_t limit = type.shape[static_cast<size_t>(plan.input_axes[i])];
    if (i == 0) {
      extent = own;
      length = limit;
    } else if (own != extent && own.is_number() && extent.is_number()) {
      return Malformed("scan inputs have ", extent.low, " and ", own.low,
                       " elements along their axes");
    } else if (own != extent) {
      return Unsupported(
          "the scan inputs have different extents that are known only when the "
          "model runs");
    }
    length = std::min(length, limit);
  }
  ASSAY_RETURN_IF_ERROR(CheckUnrolled(length, "iterations"));
  return length;
}

// The position of element `i` from the end of an axis, at least 0.
absl::StatusOr<RunTimeInt> FromEnd(OpImport& op, const RunTimeInt& extent,
                                   int64_t i) {
  RunTimeMath math(op);
  const RunTimeInt place =
      math.Maximum(math.Subtract(extent, RunTimeInt::Number(i + 1)), kZero);
  ASSAY_RETURN_IF_ERROR(math.status());
  return place;
}

// The element that iteration `step` scans.
absl::StatusOr<Value> ElementOf(OpImport& op, Value x, int64_t axis,
                                bool is_reverse, const RunTimeInt& extent,
                                int64_t step) {
  RunTimeInt place = RunTimeInt::Number(step);
  if (is_reverse) {
    ASSAY_ASSIGN_OR_RETURN(place, FromEnd(op, extent, step));
  }
  if (extent.is_number()) return TakeIndex(op, x, axis, place.low);
  RunTimeMath math(op);
  const Value index = math.Vector({place});
  ASSAY_RETURN_IF_ERROR(math.status());
  ASSAY_ASSIGN_OR_RETURN(const Value part, AddTake(op, x, axis, index));
  Shape shape = part.type().shape;
  shape.erase(shape.begin() + axis);
  return op.AddReshape(part, shape);
}

// The results of all iterations joined along an axis, in the order of the
// iterations or in reverse.
absl::StatusOr<Value> Join(OpImport& op, Values parts, int64_t axis,
                           bool is_reverse, const RunTimeInt& extent) {
  if (is_reverse && extent.is_number()) {
    std::reverse(parts.begin(), parts.end());
  }
  ASSAY_ASSIGN_OR_RETURN(Value joined, Stack(op, parts, axis, kScanAxis));
  if (extent.is_number()) return joined;
  // The rank is that of the result, which Stack() has checked.
  if (axis < 0) axis += joined.type().rank();
  if (is_reverse) {
    std::vector<RunTimeInt> places;
    for (size_t i = 0; i < parts.size(); ++i) {
      ASSAY_ASSIGN_OR_RETURN(const RunTimeInt place,
                             FromEnd(op, extent, static_cast<int64_t>(i)));
      places.push_back(place);
    }
    RunTimeMath math(op);
    const Value indices = math.Vector(places);
    ASSAY_RETURN_IF_ERROR(math.status());
    ASSAY_ASSIGN_OR_RETURN(joined, AddTake(op, joined, axis, indices));
  }
  return Bounded(op, joined, axis, extent);
}

// Maps state variables and scan inputs to state variables and scan outputs.
absl::StatusOr<Values> Scan(OpImport& op, ScanPlan plan, const Values& in) {
  Values states(in.begin(), in.begin() + plan.num_states);
  const Values scanned(in.begin() + plan.num_states, in.end());
  RunTimeInt extent;
  ASSAY_ASSIGN_OR_RETURN(const int64_t length,
                         ReadLength(op, scanned, plan, extent));
  std::vector<Values> outputs(plan.output_axes.size());
  RunTimeMath math(op);
  for (int64_t step = 0; step < length; ++step) {
    ImportValues arguments(states.begin(), states.end());
    for (size_t i = 0; i < scanned.size(); ++i) {
      ASSAY_ASSIGN_OR_RETURN(
          const Value element,
          ElementOf(op, scanned[i], plan.input_axes[i],
                    plan.input_directions[i] == 1, extent, step));
      arguments.push_back(element);
    }
    ASSAY_ASSIGN_OR_RETURN(const ImportValues results,
                           op.ImportBody(*plan.body, arguments));
    const RunTimeInt runs =
        math.Apply(OpKind::kLess, RunTimeInt::Number(step), extent);
    ASSAY_RETURN_IF_ERROR(math.status());
    for (size_t i = 0; i < states.size(); ++i) {
      ASSAY_ASSIGN_OR_RETURN(const Value state, TensorResult(results, i));
      ASSAY_ASSIGN_OR_RETURN(
          const ImportValue carried,
          AddCarried(op, runs, states[i], state,
                     absl::StrCat("the state variable ", i)));
      states[i] = carried.tensor();
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      ASSAY_ASSIGN_OR_RETURN(const Value output,
                             TensorResult(results, states.size() + i));
      outputs[i].push_back(output);
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(const Value joined,
                           Join(op, outputs[i], plan.output_axes[i],
                                plan.output_directions[i] == 1, extent));
    states.push_back(joined);
  }
  return states;
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
    {"Scan", 8, 8, 0, kAnyOptional, kAnyNumber, ImportScanBatches},
    {"Scan", 9, 25, 1, kAnyNumber, kAnyNumber, ImportScan},
};

}  // namespace

absl::Span<const OperatorRow> ControlFlowScanOperators() { return kOperators; }

}  // namespace assay::frontend
