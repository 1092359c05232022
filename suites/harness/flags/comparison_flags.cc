#include "suites/harness/flags/comparison_flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "suites/references/model_reference.h"

namespace assay::suites {
namespace {

absl::Status Finish(const std::string& working_directory,
                    ComparisonOptions* options) {
  // CLI::Range accepts NaN.
  if (std::isnan(options->margin) || std::isnan(options->budget_s) ||
      std::isnan(options->max_budget_s)) {
    return absl::InvalidArgumentError(
        "`--margin`, `--budget` and `--max_budget` must be numbers");
  }
  options->max_budget_s = std::max(options->max_budget_s, options->budget_s);
  const absl::Span<const char* const> references = ModelReferenceNames();
  if (!options->reference.empty() &&
      !absl::c_linear_search(references, options->reference)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--reference` is `", options->reference, "`; there are `",
                     absl::StrJoin(references, "`, `"), "`"));
  }
  if ((!options->nodes.empty() || options->changed_kernels) &&
      options->against.empty()) {
    return absl::InvalidArgumentError(
        "`--node` and `--changed_kernels` need `--against`, with whose kernels "
        "they compare");
  }
  if (!options->against_runtime.empty() && options->against.empty()) {
    return absl::InvalidArgumentError(
        "`--against_runtime` needs `--against`, whose artifacts it runs");
  }
  if (!options->artifacts_runtime.empty() &&
      (options->artifacts.empty() || options->against_runtime.empty())) {
    return absl::InvalidArgumentError(
        "`--artifacts_runtime` needs `--artifacts`, whose artifacts it runs, "
        "and `--against_runtime`");
  }
  for (std::string* path :
       {&options->baseline, &options->against, &options->against_runtime,
        &options->artifacts, &options->artifacts_runtime}) {
    MakeAbsolute(working_directory, path);
  }
  return absl::OkStatus();
}

void AddSideBySideFlags(CLI::App& app, ComparisonOptions* options) {
  app.add_option("--against", options->against,
                 "measure side by side with the artifacts that a run with "
                 "--keep_artifacts\nwrote there")
      ->type_name("FOLDER");
  app.add_option("--against_runtime", options->against_runtime,
                 "run those artifacts by this bench_artifact, of their own "
                 "commit, in alternation\nwith ours, if the runtime changed, "
                 "too")
      ->type_name("FILE");
  app.add_option("--artifacts", options->artifacts,
                 "judge the artifacts that a run with --keep_artifacts wrote "
                 "there, instead of\ncompiling")
      ->type_name("FOLDER");
  app.add_option("--artifacts_runtime", options->artifacts_runtime,
                 "with --against_runtime: the bench_artifact that runs the "
                 "artifacts of --artifacts;\ndefault the one of this commit")
      ->type_name("FILE");
  app.add_option("--budget", options->budget_s,
                 "seconds for measuring a row side by side; time that a row "
                 "does not need is\nleft to rows whose verdict is close; "
                 "attributing a regression to kernels may\ntake three times "
                 "as long; default 30")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.01, 86400.0));
  app.add_option("--max_budget", options->max_budget_s,
                 "seconds for a row that is undecided after --budget, if this "
                 "machine likely needs\nno more; default 600")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 86400.0));
  app.add_option("--margin", options->margin,
                 "largest change that does not matter; default 0.01")
      ->type_name("SHARE")
      ->check(CLI::Range(0.0005, 0.5));
  app.add_flag("--changed_kernels", options->changed_kernels,
               "judge only kernels whose machine code differs; the others are "
               "taken to need the\nsame time");
  app.add_option("--node", options->nodes,
                 "judge only the kernels that compute this node of the model; "
                 "may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("--attribution_precision", options->attribution_precision,
                 "how precisely a regression is attributed to kernels, as a "
                 "fraction of its size;\ndefault 0.05")
      ->type_name("FRACTION")
      ->check(CLI::Range(0.001, 10.0));
  app.add_flag("--attribute_undecided", options->attribute_undecided,
               "attribute rows without a verdict to kernels, too");
  app.add_flag("--canary,!--no_canary", options->canary,
               "test first whether comparisons are right on this machine; "
               "default on");
}

}  // namespace

FinishFlags AddComparisonFlags(CLI::App& app, ComparisonOptions* options) {
  app.add_option("--reference", options->reference,
                 "measure in alternation with this runtime, sample by sample, "
                 "and compare\noutputs with it; default: compare outputs with "
                 "onnxruntime, and no times")
      ->type_name(absl::StrJoin(ModelReferenceNames(), "|"));
  app.add_option("--baseline", options->baseline,
                 "baselines to compare with; default baselines/ of the "
                 "workspace")
      ->type_name("FOLDER");
  app.add_flag("--require_baseline", options->require_baseline,
               "exit with 3 if a row has no baseline");
  app.add_option("--bless", options->bless,
                 "store the times of this run as the baseline, for this reason")
      ->type_name("REASON")
      ->check([](const std::string& reason) {
        return reason.empty() ? "the reason is empty" : std::string();
      });
  app.add_flag("--force", options->force,
               "with --bless, store times that other programs disturbed, too");
  AddSideBySideFlags(app, options);
  return [options](const std::string& working_directory) {
    return Finish(working_directory, options);
  };
}

}  // namespace assay::suites
