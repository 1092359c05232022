#include "suites/kernels/kernel_main.h"

#include <iostream>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/render/format_ratio.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_count.h"
#include "runtime/measure/session.h"
#include "runtime/process/runfiles.h"
#include "suites/kernels/compiled_kernel.h"
#include "suites/kernels/interpreted_model.h"
#include "suites/references/parity.h"

namespace assay::suites {
namespace {

// Prints the conditions of all contenders that were timed, and returns the exit
// code of the suite.
ExitCode Conclude(const std::vector<Comparison>& comparisons) {
  std::vector<NamedParity> manifest;
  bool any_wrong = false, any_timed = false;
  for (const Comparison& comparison : comparisons) {
    manifest.insert(manifest.end(), comparison.parity.begin(),
                    comparison.parity.end());
    any_wrong |= !comparison.wrong.empty();
    any_timed |= !comparison.series.empty();
  }
  if (!manifest.empty()) std::cout << "\n" << ParityTable(manifest);
  if (any_wrong) return ExitCode::kWrongResult;
  return any_timed ? ExitCode::kPass : ExitCode::kInfrastructure;
}

// Returns our programs as contenders, and adds notes about them to `*row`.
// Those of kernels use sessions that are added to `*kernels`.
std::vector<Entrant> OurEntrants(
    const KernelProblem& problem, const CompiledPrograms& programs,
    runtime::Session& session,
    std::vector<std::unique_ptr<runtime::Session>>* kernels, Comparison* row) {
  std::vector<Entrant> entrants;
  const auto add = [&](const runtime::Artifact& artifact, int program) {
    Parity parity = OurParity(session.threads(), artifact);
    parity.precision = problem.precision;
    const bool exact = program > 0;
    entrants.push_back({{exact ? kExact : kOurs, &session, program}, parity});
    if (problem.kernel_reference.empty()) return;
    kernels->push_back(WithoutConversions(session, artifact));
    parity.layout = TensorLayout::kOwn;
    entrants.push_back(
        {{exact ? kExactKernel : kOurKernel, kernels->back().get(), program},
         parity,
         problem.kernel_reference});
    const std::string note = PlainLayoutNote(artifact);
    if (!note.empty()) {
      row->notes.push_back(absl::StrCat(exact ? "exact: " : "", note));
    }
  };
  add(programs.ours, /*program=*/0);
  if (programs.exact.has_value()) add(*programs.exact, /*program=*/1);
  return entrants;
}

absl::Status Measure(const KernelProblem& problem, const KernelOptions& options,
                     const References& references,
                     InterpretedModel& interpreter, Comparison* row) {
  std::string dump;
  if (!options.dump_dir.empty()) {
    dump = JoinPath(options.dump_dir,
                    absl::StrCat(problem.dump, ".threads", row->threads));
  }
  ASSAY_ASSIGN_OR_RETURN(
      const CompiledPrograms programs,
      CompileForThisMachine(problem.name, problem.model, row->threads,
                            options.max_error, dump));
  row->algorithm = AlgorithmOf(programs.ours);
  ASSAY_ASSIGN_OR_RETURN(
      const std::unique_ptr<runtime::Session> session,
      LoadKernel(programs.ours,
                 programs.exact.has_value() ? &*programs.exact : nullptr,
                 problem.inputs, row->threads));
  std::vector<std::unique_ptr<runtime::Session>> kernels;
  std::vector<Entrant> entrants =
      OurEntrants(problem, programs, *session, &kernels, row);
  const auto prepare = [&](Reference& reference) {
    return problem.prepare(reference, row->threads);
  };
  return CompareWithReferences(std::move(entrants), references.loaded, prepare,
                               interpreter, options, row);
}

absl::StatusOr<ExitCode> Run(int argc, char** argv,
                             const KernelSuiteFlags& suite,
                             const MeasureRows& measure) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  ASSAY_ASSIGN_OR_RETURN(
      const KernelOptions options,
      ParseKernelOptions(suite, arguments, runtime::UsableCpuCount()));
  if (options.help.has_value()) {
    std::cout << *options.help;
    return ExitCode::kPass;
  }
  ASSAY_ASSIGN_OR_RETURN(
      const std::string path,
      runtime::FindRunfile(argv[0], absl::StrCat("assay/", suite.shapes)));
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  ASSAY_ASSIGN_OR_RETURN(const References references,
                         LoadReferences(argv[0], options.references));
  std::vector<std::string> versions;
  for (const auto& reference : references.loaded) {
    versions.push_back(reference->NameAndVersion());
    std::cout << versions.back() << "\n";
  }
  for (const std::string& note : references.notes) std::cout << note << "\n";
  std::cout << "\n";
  std::vector<Comparison> comparisons;
  ASSAY_RETURN_IF_ERROR(
      measure(options, references, text, [&](Comparison comparison) {
        comparisons.push_back(std::move(comparison));
        return WriteComparisons(options, suite.name, versions, comparisons);
      }));
  if (comparisons.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("no row of `", suite.shapes, "` has `", options.filter,
                     "` in its name, which `--filter` asks for"));
  }
  return Conclude(comparisons);
}

}  // namespace

int KernelMain(int argc, char** argv, const KernelSuiteFlags& suite,
               const MeasureRows& measure) {
  return RunMain([&] { return Run(argc, argv, suite, measure); });
}

absl::Status MeasureProblem(const KernelProblem& problem,
                            const KernelOptions& options,
                            const References& references,
                            const KeepComparison& keep) {
  // Serves all numbers of threads, because its answer can take seconds.
  InterpretedModel interpreter(problem.model, problem.inputs);
  for (const int threads : options.threads) {
    Comparison row;
    row.name = problem.name;
    row.problem = problem.text;
    row.threads = threads;
    row.flops = problem.flops;
    const absl::Status status =
        Measure(problem, options, references, interpreter, &row);
    if (!status.ok()) row.notes.emplace_back(status.message());
    ASSAY_RETURN_IF_ERROR(keep(std::move(row)));
  }
  return absl::OkStatus();
}

std::string Cell(double value, int decimals) {
  return value == 0 ? "-" : absl::StrFormat("%.*f", decimals, value);
}

std::string Cell(const std::optional<stats::Ratio>& ratio) {
  return ratio.has_value() ? reports::FormatRatio(*ratio) : "-";
}

std::string Marked(absl::string_view text, bool precision_differs) {
  return absl::StrCat(text, precision_differs ? kPrecisionMark : "");
}

void PrintRemarks(const Comparison& comparison) {
  if (!comparison.wrong.empty()) {
    std::cout << "  WRONG: " << comparison.wrong << "\n";
  }
  for (const std::string& note : comparison.notes) {
    std::cout << "  note: " << note << "\n";
  }
  std::cout.flush();
}

}  // namespace assay::suites
