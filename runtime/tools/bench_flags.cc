#include "runtime/tools/bench_flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/flag_values.h"
#include "runtime/measure/block_text.h"

namespace assay::runtime {
namespace {

constexpr char kDescription[] =
    R"(Runs a compiled model and prints its latency, as raw samples in JSON.

The program depends on nothing but the artifact: copy both to a board and run
  bench_artifact --artifact=resnet18.assay --threads=4 --repeat=20 --min_repeat_ms=100
After --warmup runs it takes --repeat samples, each the mean time of --number
consecutive runs; --number grows until a sample takes at least --min_repeat_ms.)";

constexpr char kFooter[] =
    R"(The report: schema_version; artifact (digest, metadata, sizes); device (facts
of the machine); threads; options; numbers and samples_ms, one per repeat;
per_op, one entry per kernel call; output_digest, which is the same for outputs
with the same bits.

Exit codes: 0 measured; 2 usage, or a file that is missing, damaged or for
another machine; 5 the device failed (no memory, a kernel's error).)";

void AddFlags(CLI::App& app, BenchFlags& flags) {
  BenchTiming& timing = flags.timing;
  app.add_option("--artifact", flags.artifacts,
                 "the compiled model; with --steps, the flag may be given "
                 "twice:\nboth models are then loaded as programs 0 and 1")
      ->required()
      ->expected(1, 2)
      ->allow_extra_args(false)
      ->type_name("FILE");
  CLI::Option* inputs =
      app.add_option("--inputs", flags.inputs,
                     "inputs of the model, a tensor file; by default they are "
                     "made from --seed")
          ->type_name("FILE");
  app.add_option("--seed", flags.seed,
                 "seed of the inputs; the same seed gives the same inputs "
                 "on every machine")
      ->capture_default_str()
      ->type_name("N")
      ->excludes(inputs);
  app.add_option("--threads", flags.threads,
                 "number of threads; 0: as many as the process may use "
                 "(affinity mask, control group)")
      ->capture_default_str()
      ->type_name("N");
  app.add_option(
         "--placement_seed", flags.placement_seed,
         "draws the addresses of code and data, and the processor of the main "
         "thread, from this seed; 0: fixed addresses, any processor")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--shared_memory", flags.shared_memory,
                 "file of the memory of inputs, outputs and intermediate "
                 "values, for a process that\nruns in turns with another one")
      ->type_name("FILE");
  app.add_option("--warmup", timing.warmup, "runs before the first sample")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--number", timing.number, "minimum number of runs per sample")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--repeat", timing.repeat, "number of samples")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--min_repeat_ms", timing.min_repeat_ms,
                 "minimum time of a sample")
      ->capture_default_str()
      ->type_name("MS");
  app.add_option("--cooldown_ms", timing.cooldown_ms,
                 "pause before each sample")
      ->capture_default_str()
      ->type_name("MS");
  app.add_flag("--flush_cache", flags.flush_cache,
               "evict the caches before each sample; with --number=1 every "
               "run starts cold");
  app.add_flag("--per_op", timing.per_op,
               "also time every kernel, in runs of their own");
  app.add_flag(
      "--steps", flags.steps,
      absl::StrCat("be measured step by step: answer requests such as "
                   "`inputs FILE` and\n`block JSON` on standard input "
                   "(runtime/tools/bench_steps.h); clients give\ntheir "
                   "version of the protocol: --steps=",
                   kProtocolVersion));
  app.add_option("--outputs", flags.outputs,
                 "write the outputs of the last run, a tensor file")
      ->type_name("FILE");
  app.add_option("--json", flags.json,
                 "write the report to FILE instead of standard output")
      ->type_name("FILE");
}

}  // namespace

std::variant<BenchFlags, FlagsExit> ParseBenchFlags(int argc,
                                                    const char* const* argv) {
  CLI::App app(kDescription, "bench_artifact");
  app.footer(kFooter);
  BenchFlags flags;
  AddFlags(app, flags);
  const absl::Status values = CheckFlagValues(
      app, std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  if (!values.ok()) {
    return FlagsExit{absl::StrCat("bench_artifact: ", values.message(), "\n"),
                     2};
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return FlagsExit{app.help(), 0};
  } catch (const CLI::Error& error) {
    return FlagsExit{
        absl::StrCat("bench_artifact: ", error.what(), "; see --help\n"), 2};
  }
  return flags;
}

}  // namespace assay::runtime
