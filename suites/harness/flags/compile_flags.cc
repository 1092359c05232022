#include "suites/harness/flags/compile_flags.h"

#include <CLI/CLI.hpp>
#include <iterator>
#include <map>
#include <memory>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/graph/pipeline/pipeline.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/flags/max_error_flag.h"

namespace assay::suites {
namespace {

struct RawFlags {
  std::vector<std::string> schedules;
  std::string max_memory;
  std::string setup = driver::kSetupModeNames[0];
  std::string layout_seed = "0";
};

absl::StatusOr<std::map<std::string, std::string>> ParseSchedules(
    const std::vector<std::string>& texts) {
  std::map<std::string, std::string> schedules;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 ||
        equals + 1 == text.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--schedule` is `", text,
                       "`; it must be the name of a node, `=`, and a "
                       "configuration such as `tile_ow=[-1,7]`"));
    }
    const std::string node = text.substr(0, equals);
    if (!schedules.emplace(node, text.substr(equals + 1)).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--schedule` is given twice for `", node, "`"));
    }
  }
  return schedules;
}

void AddPassFlags(CLI::App& app, graph::PassSelection* passes) {
  app.add_option("--opt_level", passes->level,
                 "optimization level of the graph passes; default 3")
      ->type_name("0|1|2|3");
  app.add_option("--passes", passes->passes, "run exactly these graph passes")
      ->type_name("NAME,...");
  app.add_option("--skip_passes", passes->skip,
                 "run all graph passes but these")
      ->type_name("NAME,...");
  app.add_option("--bisect_limit", passes->bisect_limit,
                 "run the first N graph passes and those that are required")
      ->type_name("N");
}

absl::Status Finish(const RawFlags& raw, const std::string& working_directory,
                    driver::CompileOptions* options) {
  ASSAY_RETURN_IF_ERROR(CheckMaxError(options->max_error));
  ASSAY_RETURN_IF_ERROR(
      graph::SelectPasses(graph::Pipeline(), options->passes).status());
  ASSAY_ASSIGN_OR_RETURN(options->configs, ParseSchedules(raw.schedules));
  if (!raw.max_memory.empty()) {
    const auto bytes = ParseBytes(raw.max_memory);
    if (!bytes.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--max_memory`: ", bytes.status().message()));
    }
    options->max_memory = *bytes;
  }
  const auto* const name = absl::c_find(driver::kSetupModeNames, raw.setup);
  if (name == std::end(driver::kSetupModeNames)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--setup` is `", raw.setup, "`; it must be ",
                     absl::StrJoin(driver::kSetupModeNames, ", ")));
  }
  options->setup = static_cast<driver::SetupMode>(
      name - std::begin(driver::kSetupModeNames));
  MakeAbsolute(working_directory, &options->dump_dir);
  return ParseSeed("--layout_seed", raw.layout_seed, &options->layout_seed);
}

}  // namespace

FinishFlags AddCompileFlags(CLI::App& app, driver::CompileOptions* options) {
  auto raw = std::make_shared<RawFlags>();
  AddMaxErrorFlag(app, &options->max_error);
  app.add_option("--max_memory", raw->max_memory,
                 "reject models that need more, or for which the compiler "
                 "needs more, with exit\ncode 2; default 4G")
      ->type_name("BYTES");
  AddPassFlags(app, &options->passes);
  app.add_option("--setup", raw->setup,
                 "encode weights in the compiler or when the artifact is "
                 "loaded; auto: at load\ntime those that become larger; "
                 "default auto")
      ->type_name("auto|compile|load");
  app.add_option("--schedule", raw->schedules,
                 "configuration of the kernel that computes this node of the "
                 "model, such as\nConv_1='tile_ow=[-1,7]'; may be repeated")
      ->type_name("NODE=CONFIG")
      ->allow_extra_args(false);
  app.add_option("--layout_seed", raw->layout_seed,
                 "if not 0, draw the order of the kernels and the space "
                 "between them: another build\nof the same program; default 0")
      ->type_name("N");
  app.add_option(
         "--dump_dir", options->dump_dir,
         "write every stage of the compilation there; in FOLDER/dump "
         "of --out, the files\nof kernels that --against finds slower are "
         "compared, too")
      ->type_name("FOLDER");
  return [options, raw](const std::string& working_directory) {
    return Finish(*raw, working_directory, options);
  };
}

}  // namespace assay::suites
