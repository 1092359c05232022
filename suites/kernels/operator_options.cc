#include "suites/kernels/operator_options.h"

#include <CLI/CLI.hpp>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/file.h"
#include "runtime/base/flag_values.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/flags/max_error_flag.h"
#include "suites/kernels/kernel_options.h"

namespace assay::suites {
namespace {

constexpr char kDescription[] =
    "Compiles one operator as one kernel, in the layout that it has within a "
    "network, shows what\nthe compiler chose and could have chosen, holds its "
    "answer against the reference interpreter,\ncompletely and before anything "
    "is timed, and says how close it comes to what this machine\nallows. Run "
    "`//suites:peak` once before, for the latter.";

std::string Footer() {
  return absl::StrCat(
      "Operators, with a shape and what its parts are:\n", OperatorHelp(),
      "\nThe timer is Google Benchmark, and all its flags work: "
      "--benchmark_min_time,\n--benchmark_repetitions, --benchmark_filter, "
      "--benchmark_out, --benchmark_format and so on.\nWith a format other "
      "than `console` all else goes to the standard error.\n\n"
      "Exit codes: 0 measured, or compiled for --target; 2 usage; 4 wrong "
      "result; 5 failed.");
}

struct RawFlags {
  std::string op, shape;
  std::string layout = "auto";
};

void DeclareFlags(CLI::App& app, RawFlags* raw, OperatorOptions* options) {
  app.add_option("--op", raw->op, "the operator; see below")
      ->type_name("NAME")
      ->required();
  app.add_option("--shape", raw->shape, "see below")
      ->type_name("SHAPE")
      ->required();
  app.add_option("--implementation", options->compile.implementation,
                 "instead of the one that the compiler prefers")
      ->type_name("NAME");
  app.add_option("--config", options->compile.config,
                 "entries to replace in the default configuration, such as "
                 "'tile_ow=[-1,7]'")
      ->type_name("CONFIG");
  app.add_option("--layout", raw->layout,
                 "of a convolution: what the compiler chooses, or NCHW; "
                 "default auto")
      ->type_name("auto|plain");
  AddMaxErrorFlag(app, &options->compile.max_error);
  AddThreadsFlag(app, &options->threads);
  app.add_option("--seed", options->seed, "of the values; default 0")
      ->type_name("N");
  app.add_option("--target", options->target,
                 "another machine to compile for; nothing is run then")
      ->type_name("TARGET");
  app.add_option("--dump_dir", options->compile.dump_dir,
                 "keep graphs, schedule, loop IR, LLVM IR and assembly there")
      ->type_name("FOLDER");
}

absl::Status Check(const RawFlags& raw, const OperatorOptions& options) {
  if (raw.layout != "auto" && raw.layout != "plain") {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--layout` is `", raw.layout, "`; it must be `auto` or `plain`"));
  }
  return CheckMaxError(options.compile.max_error);
}

}  // namespace

absl::StatusOr<OperatorOptions> ParseOperatorOptions(
    absl::Span<const std::string> arguments, int all_threads) {
  OperatorOptions options;
  RawFlags raw;
  CLI::App app(kDescription, "./bazelw run //suites:kernel --");
  app.footer(Footer());
  DeclareFlags(app, &raw, &options);
  std::vector<std::string> ours;
  for (const std::string& argument : arguments) {
    const bool theirs = absl::StartsWith(argument, "--benchmark_");
    (theirs ? options.benchmark_flags : ours).push_back(argument);
    options.machine_readable |=
        absl::StartsWith(argument, "--benchmark_format=") &&
        argument != "--benchmark_format=console";
  }
  ASSAY_ASSIGN_OR_RETURN(options.help, ParseFlags(app, ours));
  if (options.help.has_value()) return options;
  ASSAY_ASSIGN_OR_RETURN(options.threads,
                         ThreadCounts(options.threads, all_threads));
  ASSAY_RETURN_IF_ERROR(Check(raw, options));
  ASSAY_ASSIGN_OR_RETURN(options.problem,
                         ParseOperatorProblem(raw.op, raw.shape));
  options.compile.choose_layout = raw.layout == "auto";
  options.compile.dump_dir = FromCallersFolder(options.compile.dump_dir);
  return options;
}

}  // namespace assay::suites
