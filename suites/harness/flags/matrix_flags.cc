#include "suites/harness/flags/matrix_flags.h"

#include <CLI/CLI.hpp>
#include <iterator>
#include <memory>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

absl::StatusOr<std::vector<bool>> ParseFusion(const std::string& text) {
  if (text == "on") return std::vector<bool>{true};
  if (text == "off") return std::vector<bool>{false};
  if (text == "both") return std::vector<bool>{true, false};
  return absl::InvalidArgumentError(absl::StrCat(
      "`--fusion` is `", text, "`; it must be `on`, `off` or `both`"));
}

absl::StatusOr<std::vector<reports::Precision>> ParsePrecision(
    const std::vector<std::string>& names) {
  std::vector<reports::Precision> precisions;
  for (const std::string& name : names) {
    reports::Variant variant;
    if (!reports::kPrecision.Set(name, &variant)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "`--precision` is `", name, "`; it must be `",
          absl::StrJoin(reports::kPrecision.Names(), "` or `"), "`"));
    }
    precisions.push_back(variant.precision);
  }
  if (HasDuplicate(precisions)) {
    return absl::InvalidArgumentError("`--precision` has a value twice");
  }
  return precisions;
}

// The texts of --tuning and --tuning_log.
struct TuningFlags {
  std::string tuning = "none";
  std::string log;
};

// A value that is the path of a file means `tuned` with this log.
absl::Status FinishTuning(TuningFlags flags,
                          const std::string& working_directory,
                          MatrixOptions* options) {
  constexpr std::pair<const char*, TuningRows> kNames[] = {
      {"none", TuningRows::kNone},
      {"tuned", TuningRows::kTuned},
      {"both", TuningRows::kBoth},
      {"auto", TuningRows::kAuto}};
  const auto named = absl::c_find_if(
      kNames, [&](const auto& name) { return name.first == flags.tuning; });
  if (named != std::end(kNames)) {
    options->tuning = named->second;
  } else {
    std::string path = flags.tuning;
    MakeAbsolute(working_directory, &path);
    if (!FileExists(path)) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--tuning` is `", flags.tuning,
                       "`; it must be `none`, `tuned`, `both`, `auto` or the "
                       "path of a log of the tuner"));
    }
    if (!flags.log.empty()) {
      return absl::InvalidArgumentError(
          "`--tuning` and `--tuning_log` name a log each; give one of them");
    }
    options->tuning = TuningRows::kTuned;
    flags.log = path;
  }
  if (!flags.log.empty() && options->tuning == TuningRows::kNone) {
    return absl::InvalidArgumentError(
        "`--tuning_log` needs `--tuning`, which says what is measured with it");
  }
  options->tuning_log = flags.log;
  MakeAbsolute(working_directory, &options->tuning_log);
  return absl::OkStatus();
}

}  // namespace

FinishFlags AddMatrixFlags(CLI::App& app, MatrixOptions* options) {
  auto fusion = std::make_shared<std::string>("both");
  auto tuning = std::make_shared<TuningFlags>();
  auto precision = std::make_shared<std::vector<std::string>>(
      1, reports::kPrecision.NameOf(reports::Variant()));
  app.add_option("--device", options->devices,
                 "a name in devices/ or the path of a .textproto; default host")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--fusion", *fusion, "operator fusion; default both")
      ->type_name("on|off|both");
  app.add_option("--tuning", tuning->tuning,
                 "untuned rows, rows tuned with a log of the tuner, or both; "
                 "auto: tuned rows, too,\non devices that the log knows; a "
                 "log: --tuning=tuned with this log; default none")
      ->type_name("none|tuned|both|auto|LOG");
  app.add_option("--tuning_log", tuning->log,
                 "log of the tuner; default all files in devices/tuning")
      ->type_name("FILE");
  app.add_option("--precision", *precision,
                 "types in which programs compute; default as_in_model")
      ->type_name(absl::StrJoin(reports::kPrecision.Names(), "|"))
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--threads", options->threads,
                 "number of threads, 0 for all processors; default *")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--cells", options->cells,
                 "measure only these cells, such as "
                 "'resnet*/host/fusion_on/*'; default all")
      ->type_name("PATTERN,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  return [options, fusion, tuning,
          precision](const std::string& working_directory) {
    ASSAY_ASSIGN_OR_RETURN(options->fusion, ParseFusion(*fusion));
    ASSAY_RETURN_IF_ERROR(FinishTuning(*tuning, working_directory, options));
    ASSAY_ASSIGN_OR_RETURN(options->precision, ParsePrecision(*precision));
    for (const int threads : options->threads) {
      ASSAY_RETURN_IF_ERROR(AtLeast("--threads", threads, 0));
    }
    if (HasDuplicate(options->threads)) {
      return absl::InvalidArgumentError("`--threads` has a number twice");
    }
    if (HasDuplicate(options->devices)) {
      return absl::InvalidArgumentError("`--device` has a device twice");
    }
    for (std::string& device : options->devices) {
      if (device.find('/') != std::string::npos) {
        MakeAbsolute(working_directory, &device);
      }
    }
    return absl::OkStatus();
  };
}

}  // namespace assay::suites
