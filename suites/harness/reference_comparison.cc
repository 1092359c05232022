#include "suites/harness/reference_comparison.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/render/format_ratio.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/runtime_speed.h"
#include "suites/harness/row_outcome.h"
#include "suites/references/parity.h"

namespace assay::suites {
namespace {

// Loads the model in the reference runtime of the run, for a cell.
absl::StatusOr<PreparedReference> LoadReference(
    const Services& services, const Model& model,
    absl::Span<const Example> examples, const reports::Row& row) {
  if (row.emulated) {
    return absl::UnimplementedError("the times of an emulator mean nothing");
  }
  if (!row.board.empty()) {
    return absl::UnimplementedError(
        "it runs on this machine, and the device is lent by a tracker");
  }
  ASSAY_ASSIGN_OR_RETURN(const ReferenceRuntime runtime,
                         services.tools.reference);
  return runtime.load(model, examples[0].inputs, row.cell.threads);
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
                              const reports::Row& row) {
  return [&services, &model, examples,
          &row](uint64_t /*placement_seed*/) -> absl::StatusOr<LoadedRuntime> {
    ASSAY_ASSIGN_OR_RETURN(PreparedReference prepared,
                           LoadReference(services, model, examples, row));
    return WithExamples(std::move(prepared.session), examples);
  };
}

std::string Describe(const RuntimeSpeed& speed) {
  return absl::StrFormat("%s (medians %.3f and %.3f ms; fastest %s; %d loads)",
                         reports::FormatRatio(speed.typical),
                         1e-6 * speed.ours_ns, 1e-6 * speed.other_ns,
                         reports::FormatRatio(speed.fastest), speed.loads);
}

}  // namespace

absl::Status CompareWithReference(const Options& options,
                                  const Services& services, const Model& model,
                                  const DevicePlan& plan,
                                  absl::Span<const Example> examples,
                                  Cell* cell, Remarks* remarks) {
  reports::Row& row = cell->row;
  std::vector<NamedParity> manifest;
  absl::StatusOr<PreparedReference> first =
      LoadReference(services, model, examples, row);
  absl::Status status = first.status();
  if (status.ok()) {
    manifest = ManifestOf(*cell, services.tools.reference->name, first->parity,
                          examples.size());
    status = CheckParity(manifest);
    first->session.reset();
  }
  if (!status.ok()) {
    absl::StrAppend(&remarks->lines, Label(row), "not compared with ",
                    options.comparison.reference, ": ", status.message(), "\n");
    return absl::OkStatus();
  }
  RuntimeSpeedOptions speed_options;
  speed_options.seed = options.timing.seed;
  if (row.cell.threads > 1) {
    speed_options.settle = services.tools.reference->settle;
  }
  const RuntimePair runtimes = {
      OurLoader(*cell->session, *cell->artifact, *plan.runner),
      ReferenceLoader(services, model, examples, row),
      cell->session->num_timed_examples()};
  ASSAY_ASSIGN_OR_RETURN(
      const RuntimeSpeed speed,
      CompareRuntimes(runtimes, speed_options, Clock::Monotonic()));
  row.comparison.speedup_vs_reference = speed.typical;
  row.comparison.parity = ParityRecord(manifest);
  absl::StrAppend(&remarks->lines, Label(row), "speed compared with ",
                  services.tools.reference->name, ": ", Describe(speed),
                  PrecisionDiffers(manifest[0].parity, manifest[1].parity)
                      ? kPrecisionMark
                      : "",
                  "\n");
  // Many rows have the same conditions.
  remarks->once.insert(ParityTable(manifest));
  return absl::OkStatus();
}

}  // namespace assay::suites
