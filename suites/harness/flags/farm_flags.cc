#include "suites/harness/flags/farm_flags.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "absl/strings/str_cat.h"

namespace assay::suites {
namespace {

constexpr int kMaxParallel = 64;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

absl::Status Finish(const std::string& working_directory,
                    const CLI::Option& tracker,
                    const std::vector<CLI::Option*>& others,
                    FarmOptions* options) {
  // An empty flag turns the variable off.
  if (tracker.count() == 0) options->tracker = Variable("ASSAY_TRACKER");
  for (const CLI::Option* option : others) {
    if (options->has_tracker() || option->count() == 0) continue;
    if (option->get_name() == "--parallel") {
      if (options->parallel == 1) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          "`--parallel=", options->parallel,
          "` needs `--tracker`, because it measures on devices that a tracker "
          "lends; this machine measures one cell after the other"));
    }
    return absl::InvalidArgumentError(
        absl::StrCat("`", option->get_name(), "` needs `--tracker`"));
  }
  if (std::isnan(options->wait_s)) {  // CLI::Range accepts NaN
    return absl::InvalidArgumentError("`--wait` must be a number");
  }
  if (options->plain_text && !options->tls.empty()) {
    return absl::InvalidArgumentError(
        "`--tracker_tls` and `--tracker_plain_text` are both given; give one "
        "of them");
  }
  if (options->signing_key.empty()) {
    options->signing_key = Variable("ASSAY_SIGNING_KEY");
  }
  for (std::string* path :
       {&options->tls, &options->token_file, &options->signing_key}) {
    MakeAbsolute(working_directory, path);
  }
  return absl::OkStatus();
}

}  // namespace

FinishFlags AddFarmFlags(CLI::App& app, FarmOptions* options) {
  const CLI::Option* tracker =
      app.add_option("--tracker", options->tracker,
                     "lease the devices of --device from this tracker; default "
                     "ASSAY_TRACKER, and\n--tracker= ignores that")
          ->type_name("HOST:PORT")
          ->expected(0, 1);
  const std::vector<CLI::Option*> others = {
      app.add_option("--tracker_tls", options->tls,
                     "folder of the tracker's ca.pem; default ASSAY_TLS")
          ->type_name("FOLDER"),
      app.add_flag("--tracker_plain_text", options->plain_text,
                   "no TLS, for a tracker on this machine"),
      app.add_option("--token_file", options->token_file,
                     "file of the user's token; default ASSAY_TOKEN_FILE")
          ->type_name("FILE"),
      app.add_option("--signing_key", options->signing_key,
                     "file of the key that signs artifacts; default "
                     "ASSAY_SIGNING_KEY")
          ->type_name("FILE"),
      app.add_option("--priority", options->priority,
                     "requests with a higher priority are served first; users "
                     "have 0 to 50,\nadministrators 0 to 100; default 0")
          ->type_name("N")
          ->check(CLI::Range(0, 100)),
      app.add_option("--wait", options->wait_s,
                     "longest time to wait for a device, in seconds; default "
                     "3600")
          ->type_name("SECONDS")
          ->check(CLI::Range(0.0, 86400.0)),
      app.add_option("--parallel", options->parallel,
                     "measure on up to this many devices of each kind at the "
                     "same time; cells that are\ncompared with each other stay "
                     "on one device; default 1")
          ->type_name("N")
          ->check(CLI::Range(1, kMaxParallel)),
  };
  return [options, tracker, others](const std::string& working_directory) {
    return Finish(working_directory, *tracker, others, options);
  };
}

}  // namespace assay::suites
