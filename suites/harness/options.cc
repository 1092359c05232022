#include "suites/harness/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "compiler/graph/passes/pipeline.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

constexpr char kFooter[] =
    "* stands for what devices/<name>.textproto says.\n\n"
    "Exit codes: 0 pass; 1 regression; 2 usage or configuration; 3 nothing "
    "conclusive\n(too few or too scattered samples, a changed environment, no "
    "baseline with\n--require_baseline); 4 wrong result; 5 device or "
    "infrastructure. A run that\nmeasured nothing never exits with 0.";

// Text as it stands on the command line, before it is checked.
struct RawFlags {
  std::vector<std::string> devices = {"host"};
  std::string fusion = "both";
  std::string format = "table";
  std::string seed = "0";
  std::vector<std::string> dims;
  std::vector<std::string> schedules;
  std::string max_memory;
};

void DeclareVariants(CLI::App& app, const SuiteFlags& suite, Options* options) {
  if (!suite.variants.empty()) {
    app.add_option("--variant", options->variants,
                   "of the suite's models; default all")
        ->type_name(absl::StrJoin(suite.variants, "|"))
        ->delimiter(',')
        ->allow_extra_args(false);
  }
  if (suite.takes_size) {
    app.add_option("--size", options->size,
                   "height and width of images; default the model's own")
        ->type_name("N");
    app.add_option("--multiplier", options->multiplier,
                   "of the numbers of channels, for slow devices; default 1")
        ->type_name("FACTOR");
  }
}

void DeclareMatrix(CLI::App& app, RawFlags* raw, Options* options) {
  app.add_option("--device", raw->devices,
                 "a name in devices/ or the path of a .textproto; default host")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--fusion", raw->fusion, "operator fusion; default both")
      ->type_name("on|off|both");
  app.add_option(
         "--max_winograd", options->max_winograd,
         "largest tile of Winograd convolution, 0 forbids it; default 4")
      ->type_name("0|2|4|6");
  app.add_flag("--exact", options->exact,
               "no algorithm that is right over the real numbers only:\n"
               "neither Winograd's nor Strassen's");
  app.add_option("--threads", options->threads, "0 for all; default *")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--cells", options->cells,
                 "measure these cells alone, such as "
                 "'resnet*/host/fusion_on/*'; default all")
      ->type_name("PATTERN,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--max_memory", raw->max_memory,
                 "refuse models that need more, with exit code 2; default 4G")
      ->type_name("BYTES");
}

void DeclarePasses(CLI::App& app, RawFlags* raw, graph::PassSelection* passes) {
  app.add_option("--opt_level", passes->level,
                 "which graph passes are run; default 3")
      ->type_name("0|1|2|3");
  app.add_option("--passes", passes->passes, "run exactly these graph passes")
      ->type_name("NAME,...");
  app.add_option("--skip_passes", passes->skip, "run all but these")
      ->type_name("NAME,...");
  app.add_option("--bisect_limit", passes->bisect_limit,
                 "run the first N graph passes and those that are required")
      ->type_name("N");
  app.add_option("--schedule", raw->schedules,
                 "schedule the kernel of this node of the model so, such "
                 "as\nConv_1='tile_ow=[-1,7]'; may be repeated")
      ->type_name("NODE=CONFIG")
      ->allow_extra_args(false);
}

void DeclareTiming(CLI::App& app, RawFlags* raw, Options* options) {
  app.add_option("--warmup", options->warmup,
                 "runs before the first sample; default *")
      ->type_name("N");
  app.add_option("--number", options->number, "runs per sample; default *")
      ->type_name("N");
  app.add_option("--repeat", options->repeat, "samples; default *")
      ->type_name("N");
  app.add_option("--min_repeat_ms", options->min_repeat_ms,
                 "raise --number until a sample takes so long; default *")
      ->type_name("MS");
  app.add_option("--cooldown_ms", options->cooldown_ms,
                 "pause between samples; default *")
      ->type_name("MS");
  app.add_option("--seed", raw->seed, "of the model's inputs; default 0")
      ->type_name("N");
}

void DeclareReports(CLI::App& app, RawFlags* raw, Options* options) {
  app.add_option("--reference", options->reference,
                 "measure in turns with this runtime, sample by sample")
      ->type_name("onnxruntime");
  app.add_flag("--per_op", options->per_op,
               "print the time of every kernel and where it came from");
  app.add_option("--format", raw->format,
                 "what goes to standard output; default table, with remarks")
      ->type_name(absl::StrJoin(reports::FormatNames(), "|"));
  app.add_option("--out", options->out,
                 "write results.json, .csv, .xml (JUnit) and summary.md there, "
                 "after\nevery row")
      ->type_name("FOLDER");
  app.add_option("--store", options->store,
                 "append every row there as it is finished, with its samples; "
                 "see\n//reports:query")
      ->type_name("FOLDER");
  app.add_flag("--resume", options->resume,
               "if the last run of this very command was killed, go on from "
               "what it\nleft in --store");
  app.add_option("--baseline", options->baseline,
                 "what to compare with; default baselines/ of the workspace")
      ->type_name("FOLDER");
  app.add_option("--against", options->against,
                 "measure side by side with the artifacts that a run with "
                 "--keep_artifacts\nwrote there")
      ->type_name("FOLDER");
  app.add_option("--against_runtime", options->against_runtime,
                 "run those artifacts by this bench_artifact, of their own "
                 "commit, in turns\nwith ours: where the runtime changed, too")
      ->type_name("FILE");
  app.add_option("--budget", options->budget_s,
                 "seconds for measuring a row side by side; what one does not "
                 "need goes to\nothers whose verdict is near; looking for the "
                 "kernel of one that\nregressed may take three times as long; "
                 "default 20")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.01, 86400.0));
  app.add_option("--margin", options->margin,
                 "the largest change that does not matter; default 0.01")
      ->type_name("SHARE")
      ->check(CLI::Range(0.0005, 0.5));
  app.add_flag("--keep_artifacts", options->keep_artifacts,
               "keep what was compiled in the folder of --out, too");
  app.add_option("--bless", options->bless,
                 "store this run's times as the baseline, and why")
      ->type_name("REASON")
      ->check([](const std::string& reason) {
        return reason.empty() ? "the reason is empty" : std::string();
      });
  app.add_flag("--require_baseline", options->require_baseline,
               "exit with 3 where there is nothing to compare with");
  app.add_option(
         "--dump_dir", options->dump_dir,
         "write every stage of the compilation there; in FOLDER/dump "
         "of --out, what\n--against finds slower is shown as files, too")
      ->type_name("FOLDER");
}

void DeclareModel(CLI::App& app, RawFlags* raw, Options* options) {
  app.add_option("--model", options->model, "the ONNX file to measure")
      ->type_name("FILE");
  app.add_option("--dim", raw->dims,
                 "extent of a symbolic dimension; may be repeated")
      ->type_name("NAME=EXTENT")
      ->allow_extra_args(false);
}

absl::Status AtLeast(const char* flag, int value, int least) {
  if (value >= least) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("`", flag, "` is ", value, "; it must be at least ", least));
}

absl::Status CheckTiming(const Options& options) {
  if (options.warmup.has_value()) {
    ASSAY_RETURN_IF_ERROR(AtLeast("--warmup", *options.warmup, 0));
  }
  if (options.number.has_value()) {
    ASSAY_RETURN_IF_ERROR(AtLeast("--number", *options.number, 1));
  }
  if (options.repeat.has_value()) {
    ASSAY_RETURN_IF_ERROR(AtLeast("--repeat", *options.repeat, 1));
  }
  if (options.min_repeat_ms.has_value()) {
    ASSAY_RETURN_IF_ERROR(
        AtLeast("--min_repeat_ms", *options.min_repeat_ms, 0));
  }
  if (options.cooldown_ms.has_value()) {
    ASSAY_RETURN_IF_ERROR(AtLeast("--cooldown_ms", *options.cooldown_ms, 0));
  }
  // Not a number is in every range.
  if (std::isnan(options.margin) || std::isnan(options.budget_s)) {
    return absl::InvalidArgumentError(
        "`--margin` and `--budget` must be numbers");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<bool>> ParseFusion(const std::string& text) {
  if (text == "on") return std::vector<bool>{true};
  if (text == "off") return std::vector<bool>{false};
  if (text == "both") return std::vector<bool>{true, false};
  return absl::InvalidArgumentError(absl::StrCat(
      "`--fusion` is `", text, "`; it must be `on`, `off` or `both`"));
}

absl::StatusOr<std::map<std::string, int64_t>> ParseDims(
    const std::vector<std::string>& texts) {
  std::map<std::string, int64_t> dims;
  for (const std::string& text : texts) {
    // The name comes from a file and may itself hold an equals sign.
    const size_t equals = text.rfind('=');
    int64_t extent = 0;
    if (equals == std::string::npos || equals == 0 ||
        !absl::SimpleAtoi(text.substr(equals + 1), &extent) || extent < 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "`--dim` is `", text,
          "`; it must be the name of a dimension, `=`, and an extent of at "
          "least 1"));
    }
    const std::string name = text.substr(0, equals);
    if (!dims.emplace(name, extent).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--dim` is given twice for `", name, "`"));
    }
  }
  return dims;
}

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

absl::Status CheckVariants(const SuiteFlags& suite, Options* options) {
  for (const std::string& variant : options->variants) {
    if (std::count(suite.variants.begin(), suite.variants.end(), variant) > 0) {
      continue;
    }
    return absl::InvalidArgumentError(
        absl::StrCat("`--variant` is `", variant, "`; there are ",
                     absl::StrJoin(suite.variants, ", ")));
  }
  if (options->variants.empty()) options->variants = suite.variants;
  if (options->size < 0 || options->size > 4096) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--size` is ", options->size, "; it must be from 1 to 4096"));
  }
  if (!(options->multiplier >= 0.01 && options->multiplier <= 4)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--multiplier` is ", options->multiplier,
                     "; it must be from 0.01 to 4"));
  }
  return absl::OkStatus();
}

template <typename T>
bool HasDuplicate(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return std::adjacent_find(values.begin(), values.end()) != values.end();
}

absl::Status CheckMatrix(const Options& options) {
  const int64_t tile = options.max_winograd;
  if (tile != 0 && tile != 2 && tile != 4 && tile != 6) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`--max_winograd` is ", tile, "; it must be 0, 2, 4 or 6"));
  }
  for (const int threads : options.threads) {
    ASSAY_RETURN_IF_ERROR(AtLeast("--threads", threads, 0));
  }
  if (HasDuplicate(options.threads)) {
    return absl::InvalidArgumentError("`--threads` has a number twice");
  }
  if (HasDuplicate(options.variants)) {
    return absl::InvalidArgumentError("`--variant` has a variant twice");
  }
  if (HasDuplicate(options.devices)) {
    return absl::InvalidArgumentError("`--device` has a device twice");
  }
  return absl::OkStatus();
}

void MakeAbsolute(const std::string& working_directory, std::string* path) {
  if (!path->empty() && path->front() != '/') {
    *path = JoinPath(working_directory, *path);
  }
}

}  // namespace

absl::StatusOr<Options> ParseOptions(const SuiteFlags& suite,
                                     absl::Span<const std::string> arguments,
                                     const std::string& working_directory) {
  Options options;
  RawFlags raw;
  CLI::App app(suite.description,
               absl::StrCat("./bazelw run //suites:", suite.name, " --"));
  app.footer(kFooter);
  if (suite.takes_model) DeclareModel(app, &raw, &options);
  DeclareVariants(app, suite, &options);
  DeclareMatrix(app, &raw, &options);
  DeclarePasses(app, &raw, &options.passes);
  DeclareTiming(app, &raw, &options);
  DeclareReports(app, &raw, &options);
  try {
    // The library takes arguments last one first.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    Options help;
    help.help = app.help();
    return help;
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(
        absl::StrCat(error.what(), " (see `--help`)"));
  }
  options.devices = raw.devices;
  absl::StatusOr<reports::Format> format = reports::ParseFormat(raw.format);
  if (!format.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--format`: ", format.status().message()));
  }
  options.format = *format;
  ASSAY_ASSIGN_OR_RETURN(options.fusion, ParseFusion(raw.fusion));
  if (!absl::SimpleAtoi(raw.seed, &options.seed)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--seed` is `", raw.seed,
                     "`; it must be a whole number from 0 to 2^64 - 1"));
  }
  ASSAY_ASSIGN_OR_RETURN(options.dims, ParseDims(raw.dims));
  ASSAY_ASSIGN_OR_RETURN(options.schedules, ParseSchedules(raw.schedules));
  if (!raw.max_memory.empty()) {
    const auto bytes = ParseBytes(raw.max_memory);
    if (!bytes.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--max_memory`: ", bytes.status().message()));
    }
    options.max_memory = *bytes;
  }
  ASSAY_RETURN_IF_ERROR(CheckVariants(suite, &options));
  ASSAY_RETURN_IF_ERROR(CheckMatrix(options));
  ASSAY_RETURN_IF_ERROR(CheckTiming(options));
  ASSAY_RETURN_IF_ERROR(
      graph::SelectPasses(graph::Pipeline(), options.passes).status());
  if (!options.reference.empty() && options.reference != "onnxruntime") {
    return absl::InvalidArgumentError(
        absl::StrCat("`--reference` is `", options.reference,
                     "`; the only one there is is `onnxruntime`"));
  }
  if (suite.takes_model && options.model.empty()) {
    return absl::InvalidArgumentError(
        "`--model` is missing; give the path of an ONNX file");
  }
  if (options.keep_artifacts && options.out.empty()) {
    return absl::InvalidArgumentError(
        "`--keep_artifacts` needs `--out`: that is where they are kept");
  }
  if (options.resume && options.store.empty()) {
    return absl::InvalidArgumentError(
        "`--resume` needs `--store`: that is where the run left its rows");
  }
  if (!options.against_runtime.empty() && options.against.empty()) {
    return absl::InvalidArgumentError(
        "`--against_runtime` needs `--against`, whose artifacts it runs");
  }
  for (std::string* path :
       {&options.out, &options.against, &options.against_runtime,
        &options.baseline, &options.dump_dir, &options.model, &options.store}) {
    MakeAbsolute(working_directory, path);
  }
  for (std::string& device : options.devices) {
    if (device.find('/') != std::string::npos) {
      MakeAbsolute(working_directory, &device);
    }
  }
  return options;
}

devices::TimingPolicy TimingFor(const Options& options,
                                const devices::Device& device) {
  devices::TimingPolicy timing = device.timing();
  if (options.warmup) timing.set_warmup(*options.warmup);
  if (options.number) timing.set_number(*options.number);
  if (options.repeat) timing.set_repeat(*options.repeat);
  if (options.min_repeat_ms) timing.set_min_repeat_ms(*options.min_repeat_ms);
  if (options.cooldown_ms) timing.set_cooldown_ms(*options.cooldown_ms);
  return timing;
}

}  // namespace assay::suites
