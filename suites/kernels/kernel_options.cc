#include "suites/kernels/kernel_options.h"

#include <CLI/CLI.hpp>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/file.h"
#include "runtime/base/flag_values.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/flags/max_error_flag.h"

namespace assay::suites {
namespace {

constexpr char kFooter[] =
    "Samples of ours and of each reference alternate in one process, in an "
    "order drawn\nanew each round, on the same threads and inputs; the answer "
    "of each is compared\nwith ours before anything is timed. A ratio above 1 "
    "means that ours is faster. It\nis the median of the ratios of the rounds, "
    "with its 95 % interval, for which six\nrounds are needed, and reads `not "
    "distinguishable` if the interval contains 1.\nGFLOP/s are nominal: they "
    "count the operations of the plain algorithm, of which\nfast "
    "algorithms need fewer. On a matrix unit, float32 numbers may be split in\n"
    "bfloat16 parts (bf16x3). If one of these algorithms was chosen, `exact` "
    "is what\n`--max_error=0` gives.\n\n"
    "Exit codes: 0 measured; 2 usage; 4 wrong result; 5 nothing was measured.";

struct RawFlags {
  double min_time = 0.002;
  std::string epilogue = "both";
};

void DeclareFlags(CLI::App& app, const KernelSuiteFlags& suite, RawFlags* raw,
                  KernelOptions* options) {
  AddThreadsFlag(app, &options->threads);
  app.add_option("--filter", options->filter,
                 "measure only rows with this in their names")
      ->type_name("TEXT");
  app.add_option("--reference", options->references,
                 absl::StrCat("what to compare with; default ",
                              absl::StrJoin(suite.references, ",")))
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  AddMaxErrorFlag(app, &options->max_error);
  if (suite.takes_epilogue) {
    app.add_option("--epilogue", raw->epilogue,
                   "with a bias and a relu fused in; default both")
        ->type_name("on|off|both");
  }
  app.add_option("--repetitions", options->rounds,
                 "samples of each; default 30")
      ->type_name("N");
  app.add_option("--min_time", raw->min_time,
                 "time that a sample takes; default 0.002")
      ->type_name("SECONDS");
  app.add_option("--seed", options->seed, "of inputs and order; default 0")
      ->type_name("N");
  app.add_option("--out", options->out,
                 "write results.json, with raw samples, and results.csv there")
      ->type_name("FOLDER");
  app.add_option("--dump_dir", options->dump_dir,
                 "write every stage of the compilation there")
      ->type_name("FOLDER");
}

absl::Status Check(const KernelSuiteFlags& suite, const RawFlags& raw,
                   const KernelOptions& options) {
  ASSAY_RETURN_IF_ERROR(CheckMaxError(options.max_error));
  for (const std::string& name : options.references) {
    if (!absl::c_linear_search(suite.references, name)) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--reference` is `", name, "`; there are `",
                       absl::StrJoin(suite.references, "`, `"), "`"));
    }
  }
  if (options.rounds < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--repetitions` is ", options.rounds, "; it must be at least 1"));
  }
  if (!(raw.min_time > 0 && raw.min_time <= 60)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--min_time` is ", raw.min_time,
                     "; it must be above 0 and at most 60 seconds"));
  }
  if (raw.epilogue != "on" && raw.epilogue != "off" && raw.epilogue != "both") {
    return absl::InvalidArgumentError(
        absl::StrCat("`--epilogue` is `", raw.epilogue,
                     "`; it must be `on`, `off` or `both`"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<KernelOptions> ParseKernelOptions(
    const KernelSuiteFlags& suite, absl::Span<const std::string> arguments,
    int all_threads) {
  KernelOptions options;
  RawFlags raw;
  CLI::App app(suite.description,
               absl::StrCat("./bazelw run //suites:", suite.name, " --"));
  app.footer(kFooter);
  DeclareFlags(app, suite, &raw, &options);
  ASSAY_ASSIGN_OR_RETURN(options.help, ParseFlags(app, arguments));
  if (options.help.has_value()) return options;
  ASSAY_ASSIGN_OR_RETURN(options.threads,
                         ThreadCounts(options.threads, all_threads));
  ASSAY_RETURN_IF_ERROR(Check(suite, raw, options));
  if (options.references.empty()) options.references = suite.references;
  options.sample_nanos = static_cast<int64_t>(raw.min_time * 1e9);
  if (raw.epilogue != "on") options.epilogues.push_back(false);
  if (raw.epilogue != "off") options.epilogues.push_back(true);
  options.out = FromCallersFolder(options.out);
  options.dump_dir = FromCallersFolder(options.dump_dir);
  return options;
}

void AddThreadsFlag(CLI::App& app, std::vector<int>* threads) {
  app.add_option("--threads", *threads, "0 for all; default 1 and all")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false);
}

absl::StatusOr<std::vector<int>> ThreadCounts(std::vector<int> given,
                                              int all_threads) {
  if (given.empty()) given = {1, 0};
  std::vector<int> counts;
  for (const int threads : given) {
    if (threads < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--threads` is ", threads, "; it must be at least 0"));
    }
    const int count = threads == 0 ? all_threads : threads;
    if (!absl::c_linear_search(counts, count)) counts.push_back(count);
  }
  return counts;
}

bool Selected(const KernelOptions& options, absl::string_view name) {
  return absl::StrContains(name, options.filter);
}

}  // namespace assay::suites
