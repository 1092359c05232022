#include "suites/harness/flags/timing_flags.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

absl::Status Finish(const std::string& seed, TimingOptions* options) {
  const struct {
    const char* flag;
    const std::optional<int>& value;
    int least;
  } kLimits[] = {{"--warmup", options->warmup, 0},
                 {"--number", options->number, 1},
                 {"--repeat", options->repeat, 1},
                 {"--min_repeat_ms", options->min_repeat_ms, 0},
                 {"--cooldown_ms", options->cooldown_ms, 0}};
  for (const auto& limit : kLimits) {
    ASSAY_RETURN_IF_ERROR(
        AtLeast(limit.flag, limit.value.value_or(limit.least), limit.least));
  }
  return ParseSeed("--seed", seed, &options->seed);
}

}  // namespace

FinishFlags AddTimingFlags(CLI::App& app, TimingOptions* options) {
  auto seed = std::make_shared<std::string>("0");
  app.add_option("--warmup", options->warmup,
                 "runs before the first sample; default *")
      ->type_name("N");
  app.add_option("--number", options->number, "runs per sample; default *")
      ->type_name("N");
  app.add_option("--repeat", options->repeat, "number of samples; default *")
      ->type_name("N");
  app.add_option("--min_repeat_ms", options->min_repeat_ms,
                 "raise --number until a sample takes this long; default *")
      ->type_name("MS");
  app.add_option("--cooldown_ms", options->cooldown_ms,
                 "pause between samples; default *")
      ->type_name("MS");
  app.add_option("--seed", *seed, "seed of the model's inputs; default 0")
      ->type_name("N");
  app.add_flag("--per_op", options->per_op,
               "print the time of every kernel and the nodes it computes");
  return [options, seed](const std::string&) { return Finish(*seed, options); };
}

devices::TimingPolicy TimingFor(const TimingOptions& options,
                                const devices::Device& device) {
  devices::TimingPolicy timing = device.timing();
  if (options.warmup) timing.set_warmup(*options.warmup);
  if (options.number) timing.set_number(*options.number);
  if (options.repeat) timing.set_repeat(*options.repeat);
  if (options.min_repeat_ms) timing.set_min_repeat_ms(*options.min_repeat_ms);
  if (options.cooldown_ms) timing.set_cooldown_ms(*options.cooldown_ms);
  return timing;
}

std::string PolicyText(const devices::TimingPolicy& timing, uint64_t seed) {
  return absl::StrCat("method=", kTimingMethod, " warmup=", timing.warmup(),
                      " number=", timing.number(), " repeat=", timing.repeat(),
                      " min_repeat_ms=", timing.min_repeat_ms(),
                      " cooldown_ms=", timing.cooldown_ms(), " seed=", seed);
}

}  // namespace assay::suites
