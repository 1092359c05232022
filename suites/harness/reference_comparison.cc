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
#include "suites/references/parity.h"
#include "suites/references/reference.h"
#include "suites/sampling/idle_threads.h"

namespace assay::suites {
namespace {

// Outputs whose largest difference, relative to the largest element, is smaller
// than this have the same values.
constexpr double kSameValues = kRelativeBound;

// A cell that is compared, and the runtime with which it is.
struct Contest {
  Reference& reference;
  const ModelAnswers& answers;
  absl::Span<const Example> examples;  // that are timed
  const CheckedCell& cell;
};

absl::StatusOr<PreparedReference> Load(const Contest& contest,
                                       ByteProducts arithmetic) {
  return LoadForModel(contest.reference, contest.answers.model(),
                      contest.examples[0].inputs, contest.cell.key.threads,
                      arithmetic);
}

// Returns why the cell cannot be compared with a runtime on this machine.
absl::Status CheckDevice(const DeviceSlot& slot) {
  if (slot.facts.emulated) {
    return absl::UnimplementedError("the times of an emulator mean nothing");
  }
  if (slot.leased()) {
    return absl::UnimplementedError(
        "it runs on this machine, and the device is lent by a tracker");
  }
  return absl::OkStatus();
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
// loaded with the conditions `reference`. Both are measured in the same way,
// with the inputs of the same example in each round.
std::vector<NamedParity> ManifestOf(const Contest& contest,
                                    const Parity& reference) {
  std::vector<NamedParity> manifest = {
      {"ours", OurParity(contest.cell.key.threads, *contest.cell.artifact)},
      {contest.reference.NameAndVersion(), reference}};
  for (NamedParity& contender : manifest) {
    contender.parity.warmup_runs = kRuntimeWarmupRuns;
    contender.parity.inputs = contest.examples.size() > 1
                                  ? InputChange::kEveryRound
                                  : InputChange::kNever;
  }
  return manifest;
}

// Returns a function that loads the reference; `contest` must outlive it and
// the loaded sessions.
RuntimeLoader ReferenceLoader(const Contest& contest, ByteProducts arithmetic) {
  return [&contest, arithmetic](
             uint64_t /*placement_seed*/) -> absl::StatusOr<LoadedRuntime> {
    ASSAY_ASSIGN_OR_RETURN(PreparedReference prepared,
                           Load(contest, arithmetic));
    return WithExamples(std::move(prepared.session), contest.examples);
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
  std::vector<NamedParity> manifest;
  // DescribeDifference() of the default mode.
  std::string difference;
};

// Runs the reference on all examples that will be timed.
absl::StatusOr<Checked> CheckReference(const Contest& contest) {
  Checked checked;
  Parity parity;
  const auto outputs = [&](ByteProducts arithmetic)
      -> absl::StatusOr<std::vector<runtime::NamedTensors>> {
    ASSAY_ASSIGN_OR_RETURN(const PreparedReference loaded,
                           Load(contest, arithmetic));
    parity = loaded.parity;
    return OutputsOf(*loaded.session, contest.examples);
  };
  ASSAY_ASSIGN_OR_RETURN(const auto by_default,
                         outputs(ByteProducts::kDefault));
  if (contest.answers.model().has_inexact_products) {
    ASSAY_ASSIGN_OR_RETURN(const auto exact, outputs(ByteProducts::kExact));
    checked.difference = DescribeDifference(by_default, exact);
  }
  checked.manifest = ManifestOf(contest, parity);
  ASSAY_RETURN_IF_ERROR(CheckParity(checked.manifest));
  return checked;
}

}  // namespace

absl::Status ReferenceComparison::Compare(const CheckedCell& cell,
                                          const ModelAnswers& answers,
                                          const DeviceSlot& slot,
                                          reports::Comparison* comparison,
                                          ReportNotes* notes) const {
  const std::string label = LabelOf(cell.key);
  const auto refuse = [&](const absl::Status& status) {
    comparison->no_reference = std::string(status.message());
    absl::StrAppend(&notes->lines, label, "not compared with ", wanted_, ": ",
                    status.message(), "\n");
    return absl::OkStatus();
  };
  absl::Status possible = CheckDevice(slot);
  possible.Update(reference_.status());
  if (!possible.ok()) return refuse(possible);
  const Contest contest = {**reference_, answers, answers.TimedFor(slot.device),
                           cell};
  const absl::StatusOr<Checked> checked = CheckReference(contest);
  if (!checked.ok()) return refuse(checked.status());
  const std::vector<NamedParity>& manifest = checked->manifest;
  RuntimeSpeedOptions speed_options;
  speed_options.seed = seed_;
  if (cell.key.threads > 1) speed_options.settle = WaitForIdleThreads;
  const auto compare = [&](ByteProducts arithmetic) {
    const RuntimePair runtimes = {
        OurLoader(*cell.session, *cell.artifact, *slot.runner),
        ReferenceLoader(contest, arithmetic),
        cell.session->num_timed_examples()};
    return CompareRuntimes(runtimes, speed_options, Clock::Monotonic());
  };
  const auto note = [&](absl::string_view mode, const RuntimeSpeed& speed) {
    absl::StrAppend(&notes->lines, label, "speed compared with ",
                    contest.reference.NameAndVersion(), mode, ": ",
                    Describe(speed),
                    PrecisionDiffers(manifest[0].parity, manifest[1].parity)
                        ? kPrecisionMark
                        : "");
  };
  const bool differs = !checked->difference.empty();
  ASSAY_ASSIGN_OR_RETURN(
      const RuntimeSpeed speed,
      compare(differs ? ByteProducts::kExact : ByteProducts::kDefault));
  comparison->speedup_vs_reference = speed.typical;
  comparison->parity = ParityRecord(manifest);
  note(differs ? " in its exact mode" : "", speed);
  absl::StrAppend(&notes->lines, "\n");
  if (differs) {
    ASSAY_ASSIGN_OR_RETURN(const RuntimeSpeed by_default,
                           compare(ByteProducts::kDefault));
    note(" in its default mode", by_default);
    absl::StrAppend(&notes->lines,
                    "; it computes other values: ", checked->difference, "\n");
  }
  // Many rows have the same conditions.
  notes->once.insert(ParityTable(manifest));
  return absl::OkStatus();
}

}  // namespace assay::suites
