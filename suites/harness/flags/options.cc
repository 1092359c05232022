#include "suites/harness/flags/options.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/flag_values.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/flags/compile_flags.h"

namespace assay::suites {
namespace {

constexpr char kFooter[] =
    "* stands for the value in devices/<name>.textproto.\n\n"
    "Exit codes: 0 pass; 1 regression; 2 usage or configuration; 3 nothing "
    "conclusive\n(too few or too scattered samples, a changed environment, no "
    "baseline with\n--require_baseline); 4 wrong result; 5 device or "
    "infrastructure, or the standard output\ncould not be written. A run that "
    "measured nothing never exits with 0.";

// Checks flags of different groups.
absl::Status CheckTogether(const Options& options) {
  if (options.comparison.blessing() && !options.model.all_inputs_seeded()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--bless` does not go with `",
        options.model.inputs.empty() ? "--input_value" : "--inputs",
        "`; a baseline is measured with inputs that are made from `--seed`"));
  }
  if (options.output.follow &&
      (!options.comparison.against.empty() || options.comparison.blessing())) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--follow` does not go with `",
                     options.comparison.blessing() ? "--bless" : "--against",
                     "`, which compares with other artifacts"));
  }
  if (options.farm.has_tracker() &&
      !options.comparison.against_runtime.empty()) {
    return absl::InvalidArgumentError(
        "`--against_runtime` runs programs on this machine, so it does not go "
        "with a tracker; `--tracker=` ignores ASSAY_TRACKER");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Options> ParseOptions(const SuiteFlags& suite,
                                     absl::Span<const std::string> arguments,
                                     const std::string& working_directory) {
  Options options;
  CLI::App app(suite.description,
               absl::StrCat("./bazelw run //suites:", suite.name, " --"));
  app.footer(kFooter);
  const FinishFlags groups[] = {
      AddModelFlags(app, suite, &options.model),
      AddMatrixFlags(app, &options.matrix),
      AddCompileFlags(app, &options.compile),
      AddTimingFlags(app, &options.timing),
      AddComparisonFlags(app, &options.comparison),
      AddOutputFlags(app, &options.output),
      AddFarmFlags(app, &options.farm),
  };
  ASSAY_ASSIGN_OR_RETURN(std::optional<std::string> help,
                         ParseFlags(app, arguments));
  if (help.has_value()) {
    Options only_help;
    only_help.help = std::move(help);
    return only_help;
  }
  for (const FinishFlags& finish : groups) {
    ASSAY_RETURN_IF_ERROR(finish(working_directory));
  }
  ASSAY_RETURN_IF_ERROR(CheckTogether(options));
  return options;
}

}  // namespace assay::suites
