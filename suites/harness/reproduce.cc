#include "suites/harness/reproduce.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/text/shell_word.h"

namespace assay::suites {

std::string ReproduceCommand(const ModelSource& source, const Options& options,
                             absl::string_view device,
                             const reports::Variant& variant, int threads,
                             const devices::TimingPolicy& timing) {
  std::string command =
      absl::StrCat("./bazelw run //suites:", source.target, " --");
  const auto flag = [&command](absl::string_view name, const auto& value) {
    absl::StrAppend(&command, " ",
                    runtime::ShellWord(absl::StrCat("--", name, "=", value)));
  };
  for (const auto& [name, value] : source.flags) flag(name, value);
  if (options.model.size != 0) flag("size", options.model.size);
  if (options.model.multiplier != 1)
    flag("multiplier", options.model.multiplier);
  if (!options.model.inputs.empty()) {
    flag("inputs", absl::StrJoin(options.model.inputs, ","));
  }
  for (const std::string& name : options.model.varying) flag("vary", name);
  for (const auto& [name, value] : options.model.input_values) {
    flag("input_value", absl::StrCat(name, "=", value));
  }
  flag("device", device);
  const FarmOptions& farm = options.farm;
  if (farm.has_tracker()) {
    flag("tracker", farm.tracker);
    if (!farm.tls.empty()) flag("tracker_tls", farm.tls);
    if (farm.plain_text) absl::StrAppend(&command, " --tracker_plain_text");
    if (!farm.token_file.empty()) flag("token_file", farm.token_file);
    if (!farm.signing_key.empty()) flag("signing_key", farm.signing_key);
  }
  for (const reports::Dimension& dimension : reports::kDimensions) {
    if (dimension.IsStated(variant)) {
      flag(dimension.name, dimension.NameOf(variant));
    }
  }
  if (variant.tuned && !options.matrix.tuning_log.empty()) {
    flag("tuning_log", options.matrix.tuning_log);
  }
  if (options.compile.max_error != Options().compile.max_error) {
    flag("max_error", options.compile.max_error);
  }
  if (options.compile.max_memory != Options().compile.max_memory) {
    flag("max_memory", options.compile.max_memory);
  }
  const graph::PassSelection& passes = options.compile.passes;
  if (passes.level != graph::kMaxOptLevel) flag("opt_level", passes.level);
  if (!passes.passes.empty()) flag("passes", passes.passes);
  if (!passes.skip.empty()) flag("skip_passes", passes.skip);
  if (passes.bisect_limit >= 0) flag("bisect_limit", passes.bisect_limit);
  for (const auto& [node, config] : options.compile.configs) {
    flag("schedule", absl::StrCat(node, "=", config));
  }
  if (options.compile.setup != driver::SetupMode::kAuto) {
    flag("setup",
         driver::kSetupModeNames[static_cast<int>(options.compile.setup)]);
  }
  if (options.compile.layout_seed != 0) {
    flag("layout_seed", options.compile.layout_seed);
  }
  flag("threads", threads);
  flag("warmup", timing.warmup());
  flag("number", timing.number());
  flag("repeat", timing.repeat());
  flag("min_repeat_ms", timing.min_repeat_ms());
  if (timing.cooldown_ms() > 0) flag("cooldown_ms", timing.cooldown_ms());
  flag("seed", options.timing.seed);
  if (options.timing.per_op) absl::StrAppend(&command, " --per_op");
  if (!options.comparison.reference.empty())
    flag("reference", options.comparison.reference);
  if (!options.comparison.artifacts.empty()) {
    flag("artifacts", options.comparison.artifacts);
  }
  if (!options.comparison.against.empty()) {
    flag("against", options.comparison.against);
    if (!options.comparison.against_runtime.empty()) {
      flag("against_runtime", options.comparison.against_runtime);
    }
    if (!options.comparison.artifacts_runtime.empty()) {
      flag("artifacts_runtime", options.comparison.artifacts_runtime);
    }
    flag("budget", options.comparison.budget_s);
    if (options.comparison.max_budget_s != Options().comparison.max_budget_s) {
      flag("max_budget", options.comparison.max_budget_s);
    }
    flag("margin", options.comparison.margin);
    if (options.comparison.changed_kernels) {
      absl::StrAppend(&command, " --changed_kernels");
    }
    for (const std::string& node : options.comparison.nodes) flag("node", node);
  }
  return command;
}

}  // namespace assay::suites
