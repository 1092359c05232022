#include "runtime/tools/bench_flags.h"

#include <CLI/CLI.hpp>

#include "absl/strings/str_cat.h"

namespace assay::runtime {
namespace {

constexpr char kDescription[] =
    R"(Runs a compiled model and prints how long it takes, as raw samples in JSON.

It needs nothing but itself and the artifact: copy both to a board and run
  bench_artifact --artifact=resnet18.assay --threads=4 --repeat=20 --min_repeat_ms=100
After --warmup runs it takes --repeat samples, each the mean time of --number
consecutive runs; --number grows until a sample takes at least --min_repeat_ms.)";

constexpr char kFooter[] =
    R"(The report: schema_version; artifact (digest, metadata, sizes); device (the
machine's facts); threads; options; numbers and samples_ms, one per repeat;
per_op, one entry per kernel call; output_digest, which is equal for outputs
that are equal in every bit.

Exit codes: 0 measured; 2 usage, or a file that is missing, damaged or for
another machine; 5 the device failed (no memory, a kernel's error).)";

void AddFlags(CLI::App& app, BenchFlags& flags) {
  MeasureOptions& measure = flags.measure;
  app.add_option("--artifact", flags.artifact, "the compiled model")
      ->required()
      ->type_name("FILE");
  CLI::Option* inputs =
      app.add_option("--inputs", flags.inputs,
                     "the model's inputs, as a tensor file; without it they "
                     "are made from --seed")
          ->type_name("FILE");
  app.add_option("--seed", flags.seed,
                 "of the inputs; the same seed gives the same inputs on "
                 "every machine")
      ->capture_default_str()
      ->type_name("N")
      ->excludes(inputs);
  app.add_option("--threads", flags.threads,
                 "threads to run on; 0: as many as the process may use "
                 "(affinity mask, control group)")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--warmup", measure.warmup, "runs before the first sample")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--number", measure.number, "runs per sample, at least")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--repeat", measure.repeat, "samples to take")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--min_repeat_ms", measure.min_repeat_ms,
                 "time a sample takes, at least")
      ->capture_default_str()
      ->type_name("MS");
  app.add_option("--cooldown_ms", measure.cooldown_interval_ms,
                 "sleep between two samples")
      ->capture_default_str()
      ->type_name("MS");
  app.add_flag("--flush_cache", flags.flush_cache,
               "clear the caches before each sample; with --number=1 every "
               "run starts cold");
  app.add_flag("--per_op", measure.per_op,
               "also time every kernel, in runs of their own");
  app.add_flag("--steps", flags.steps,
               "be measured step by step: `run NUMBER`, `calls`, `inputs FILE` "
               "and\n`outputs FILE` on standard input are answered on standard "
               "output");
  app.add_option("--outputs", flags.outputs,
                 "write what the last run computed, as a tensor file")
      ->type_name("FILE");
  app.add_option("--json", flags.json,
                 "write the report there instead of to standard output")
      ->type_name("FILE");
}

}  // namespace

std::variant<BenchFlags, FlagsExit> ParseBenchFlags(int argc,
                                                    const char* const* argv) {
  CLI::App app(kDescription, "bench_artifact");
  app.footer(kFooter);
  BenchFlags flags;
  AddFlags(app, flags);
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
