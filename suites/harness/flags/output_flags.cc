#include "suites/harness/flags/output_flags.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reports/store/store_address.h"

namespace assay::suites {
namespace {

absl::Status Finish(const std::string& format_name,
                    const std::string& working_directory,
                    OutputOptions* options) {
  const absl::StatusOr<reports::Format> format =
      reports::ParseFormat(format_name);
  if (!format.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`--format`: ", format.status().message()));
  }
  options->format = *format;
  if (options->keep_artifacts && options->out.empty()) {
    return absl::InvalidArgumentError(
        "`--keep_artifacts` needs `--out`, the folder where they are kept");
  }
  if (options->resume && options->store.empty()) {
    return absl::InvalidArgumentError(
        "`--resume` needs `--store`, where the run left its rows");
  }
  if (options->follow && options->store.empty()) {
    return absl::InvalidArgumentError(
        "`--follow` needs `--store`, the folder of the rows to compare with");
  }
  MakeAbsolute(working_directory, &options->out);
  MakeAbsolute(working_directory, &options->outputs);
  if (!reports::IsPostgresAddress(options->store)) {
    MakeAbsolute(working_directory, &options->store);
  }
  MakeAbsolute(working_directory, &options->trace);
  return absl::OkStatus();
}

}  // namespace

FinishFlags AddOutputFlags(CLI::App& app, OutputOptions* options) {
  auto format = std::make_shared<std::string>("table");
  app.add_option("--format", *format,
                 "format of the report on standard output; default table, with "
                 "remarks")
      ->type_name(absl::StrJoin(reports::FormatNames(), "|"));
  app.add_option("--out", options->out,
                 "write results.json, .csv, .xml (JUnit) and summary.md there, "
                 "after\nevery row")
      ->type_name("FOLDER");
  app.add_flag("--keep_artifacts", options->keep_artifacts,
               "keep the compiled artifacts in the folder of --out, too");
  app.add_option("--outputs", options->outputs,
                 "write the outputs of the first row that runs to this .npz "
                 "file, or as output_0.pb\nand so on to this folder")
      ->type_name("FILE");
  app.add_option(
         "--store", options->store,
         "append every row there when it is finished, with its samples: a "
         "folder, or\na database (reports/docs/store.md); see "
         "//reports:query")
      ->type_name("FOLDER|postgres://USER@HOST/DATABASE");
  app.add_option("--trace", options->trace,
                 "write when each thread ran which chunk of which kernel, for "
                 "chrome://tracing or\nPerfetto, and print where the time of "
                 "the threads goes")
      ->type_name("FILE");
  app.add_flag("--resume", options->resume,
               "if the last run of this command was interrupted, continue with "
               "the rows that\nit left in --store");
  app.add_flag("--follow", options->follow,
               "keep the artifacts in --store, too, and measure each program "
               "that is another than\nin the newest row of its cell side by "
               "side with that one");
  return [options, format](const std::string& working_directory) {
    return Finish(*format, working_directory, options);
  };
}

}  // namespace assay::suites
