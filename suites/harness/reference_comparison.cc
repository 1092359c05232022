#include "suites/harness/reference_comparison.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/render/format_ratio.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/session.h"
#include "suites/comparison/runtime_speed.h"
#include "suites/correctness/accuracy.h"
#include "suites/harness/row_outcome.h"
#include "suites/references/parity.h"
#include "suites/references/reference.h"

namespace assay::suites {
namespace {

// Outputs whose largest difference, relative to the largest element, is smaller
// than this have the same values.
constexpr double kSameValues = kRelativeBound;

// Loads the model in the reference runtime of the run, for a cell.
absl::StatusOr<PreparedReference> LoadReference(
    const Services& services, const Model& model,
    absl::Span<const Example> examples, const reports::Row& row,
    ByteProducts arithmetic) {
  if (row.emulated) {
    return absl::UnimplementedError("the times of an emulator mean nothing");
  }
  if (!row.board.empty()) {
    return absl::UnimplementedError(
        "it runs on this machine, and the device is lent by a tracker");
  }
  ASSAY_ASSIGN_OR_RETURN(const ReferenceRuntime runtime,
                         services.tools.reference);
  return runtime.load(model, examples[0].inputs, row.cell.threads, arithmetic);
}

// Returns the outputs of the reference for each example.
absl::StatusOr<std::vector<runtime::NamedTensors>> OutputsOf(
    runtime::Session& session, absl::Span<const Example> examples) {
  std::vector<runtime::NamedTensors> outputs;
  for (const Example& example : examples) {
    ASSAY_RETURN_IF_ERROR(session.SetInputs(example.inputs));
    ASSAY_ASSIGN_OR_RETURN(runtime::Sample sample, runtime::RunOnce(session));
    outputs.push_back(std::move(sample.outputs));
  }
  return outputs;
}

// Says by how much outputs differ from the exact ones; empty if not at all.
// Outputs of the same values may have other bits, because the modes may add in
// another order.
std::string DescribeDifference(
    const std::vector<runtime::NamedTensors>& outputs,
    const std::vector<runtime::NamedTensors>& exact) {
  double largest = 0;
  std::string name;
  for (size_t i = 0; i < exact.size(); ++i) {
    for (size_t k = 0; k < exact[i].size(); ++k) {
      const NDArray& x = outputs[i][k].value;
      const NDArray& y = exact[i][k].value;
      if (x.shape() != y.shape()) {
        return absl::StrCat("output `", exact[i][k].name,
                            "` has another shape");
      }
      const std::optional<double> difference =
          AgreementOf({outputs[i][k]}, {exact[i][k]})[0];
      if (difference.value_or(1) <= largest) continue;
      largest = difference.value_or(1);
      name = exact[i][k].name;
    }
  }
  if (largest <= kSameValues) return "";
  return absl::StrFormat(
      "output `%s` differs by up to %.2g %% of its largest "
      "element",
      name, 100 * largest);
}

// Returns the conditions of a cell and of the reference runtime, which is
// called `name` and is loaded with the conditions `reference`. Both are
// measured in the same way, with the inputs of the same example in each round.
std::vector<NamedParity> ManifestOf(const Cell& cell, const std::string& name,
                                    const Parity& reference,
                                    size_t num_examples) {
  std::vector<NamedParity> manifest = {
      {"ours", OurParity(cell.row.cell.threads, *cell.artifact)},
      {name, reference}};
  for (NamedParity& contender : manifest) {
    contender.parity.warmup_runs = kRuntimeWarmupRuns;
    contender.parity.inputs =
        num_examples > 1 ? InputChange::kEveryRound : InputChange::kNever;
  }
  return manifest;
}

// Returns a function that loads the reference; all arguments must outlive the
// loaded sessions.
RuntimeLoader ReferenceLoader(const Services& services, const Model& model,
                              absl::Span<const Example> examples,
                              const reports::Row& row,
                              ByteProducts arithmetic) {
  return [&services, &model, examples, &row, arithmetic](
             uint64_t /*placement_seed*/) -> absl::StatusOr<LoadedRuntime> {
    ASSAY_ASSIGN_OR_RETURN(
        PreparedReference prepared,
        LoadReference(services, model, examples, row, arithmetic));
    return WithExamples(std::move(prepared.session), examples);
  };
}

std::string Describe(const RuntimeSpeed& speed) {
  return absl::StrFormat("%s (medians %.3f and %.3f ms; fastest %s; %d loads)",
                         reports::FormatRatio(speed.typical),
                         1e-6 * speed.ours_ns, 1e-6 * speed.other_ns,
                         reports::FormatRatio(speed.fastest), speed.loads);
}

// The state of the reference before anything is timed.
struct Checked {
  Parity parity;
  // DescribeDifference() of the default mode.
  std::string difference;
};

// Runs the reference on all examples that will be timed.
absl::StatusOr<Checked> CheckReference(const Services& services,
                                       const Model& model,
                                       absl::Span<const Example> examples,
                                       const reports::Row& row) {
  Checked checked;
  const auto outputs = [&](ByteProducts arithmetic)
      -> absl::StatusOr<std::vector<runtime::NamedTensors>> {
    ASSAY_ASSIGN_OR_RETURN(
        const PreparedReference loaded,
        LoadReference(services, model, examples, row, arithmetic));
    checked.parity = loaded.parity;
    return OutputsOf(*loaded.session, examples);
  };
  ASSAY_ASSIGN_OR_RETURN(const auto by_default,
                         outputs(ByteProducts::kDefault));
  if (!model.has_inexact_products) return checked;
  ASSAY_ASSIGN_OR_RETURN(const auto exact, outputs(ByteProducts::kExact));
  checked.difference = DescribeDifference(by_default, exact);
  return checked;
}

}  // namespace

absl::Status CompareWithReference(const Options& options,
                                  const Services& services, const Model& model,
                                  const DevicePlan& plan,
                                  absl::Span<const Example> examples,
                                  Cell* cell, Remarks* remarks) {
  reports::Row& row = cell->row;
  std::vector<NamedParity> manifest;
  const absl::StatusOr<Checked> checked =
      CheckReference(services, model, examples, row);
  absl::Status status = checked.status();
  if (status.ok()) {
    manifest = ManifestOf(*cell, services.tools.reference->name,
                          checked->parity, examples.size());
    status = CheckParity(manifest);
  }
  if (!status.ok()) {
    row.comparison.no_reference = std::string(status.message());
    absl::StrAppend(&remarks->lines, Label(row), "not compared with ",
                    options.comparison.reference, ": ", status.message(), "\n");
    return absl::OkStatus();
  }
  RuntimeSpeedOptions speed_options;
  speed_options.seed = options.timing.seed;
  if (row.cell.threads > 1) {
    speed_options.settle = services.tools.reference->settle;
  }
  const auto compare = [&](ByteProducts arithmetic) {
    const RuntimePair runtimes = {
        OurLoader(*cell->session, *cell->artifact, *plan.runner),
        ReferenceLoader(services, model, examples, row, arithmetic),
        cell->session->num_timed_examples()};
    return CompareRuntimes(runtimes, speed_options, Clock::Monotonic());
  };
  const auto remark = [&](absl::string_view mode, const RuntimeSpeed& speed) {
    absl::StrAppend(&remarks->lines, Label(row), "speed compared with ",
                    services.tools.reference->name, mode, ": ", Describe(speed),
                    PrecisionDiffers(manifest[0].parity, manifest[1].parity)
                        ? kPrecisionMark
                        : "");
  };
  const bool differs = !checked->difference.empty();
  ASSAY_ASSIGN_OR_RETURN(
      const RuntimeSpeed speed,
      compare(differs ? ByteProducts::kExact : ByteProducts::kDefault));
  row.comparison.speedup_vs_reference = speed.typical;
  row.comparison.parity = ParityRecord(manifest);
  remark(differs ? " in its exact mode" : "", speed);
  absl::StrAppend(&remarks->lines, "\n");
  if (differs) {
    ASSAY_ASSIGN_OR_RETURN(const RuntimeSpeed by_default,
                           compare(ByteProducts::kDefault));
    remark(" in its default mode", by_default);
    absl::StrAppend(&remarks->lines,
                    "; it computes other values: ", checked->difference, "\n");
  }
  // Many rows have the same conditions.
  remarks->once.insert(ParityTable(manifest));
  return absl::OkStatus();
}

}  // namespace assay::suites
