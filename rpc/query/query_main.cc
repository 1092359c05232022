// Prints the devices of a farm; see `bazel run //rpc:query -- --help`.
#include <CLI/CLI.hpp>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "rpc/program/client_flags.h"
#include "rpc/query/query_program.h"
#include "rpc/transport/client_options.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

// Values of the flags; `options` holds those that need no conversion.
struct Flags {
  QueryOptions options;
  ClientFlags client;
  std::string format = "text";
  std::string watch;
};

absl::StatusOr<ExitCode> Run(const Flags& flags) {
  QueryOptions options = flags.options;
  options.json = flags.format == "json";
  if (!flags.watch.empty()) {
    double seconds = 0;
    if (!absl::SimpleAtod(flags.watch, &seconds) ||
        !(seconds >= 0.1 && seconds <= 86400)) {
      return absl::InvalidArgumentError(
          absl::StrCat("`--watch=", flags.watch,
                       "` is not a number of seconds from 0.1 to 86400"));
    }
    options.watch_nanos = static_cast<int64_t>(seconds * 1e9);
  }
  if (!options.quarantine.empty() && options.reason.empty()) {
    return absl::InvalidArgumentError(
        "`--quarantine` needs a `--reason`, which users will read");
  }
  ASSAY_ASSIGN_OR_RETURN(options.client, ReadClientOptions(flags.client));
  return RunQuery(options);
}

int Main(int argc, char** argv) {
  CLI::App app{
      "Prints the devices of a farm: how many of each key are free, how many "
      "requests wait, and for each device its state, who holds its lease, and "
      "its health."};
  Flags flags;
  AddClientFlags(app, &flags.client);
  app.add_option("--format", flags.format, "tables, or JSON for programs")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  CLI::Option* watch = app.add_flag(
      "--watch{2}", flags.watch,
      "print the list again every 2 seconds, or every N with `--watch=N`, "
      "until Ctrl-C; on a terminal, it replaces the one before");
  CLI::Option* quarantine =
      app.add_option("--quarantine", flags.options.quarantine,
                     "take this device out of service; its lease ends. Needs "
                     "the token of an administrator")
          ->excludes(watch);
  app.add_option("--reason", flags.options.reason,
                 "why the device is taken out of service")
      ->needs(quarantine);
  app.add_option("--release", flags.options.release,
                 "put this device back into service. Needs the token of an "
                 "administrator")
      ->excludes(quarantine)
      ->excludes(watch);
  app.footer(
      "The column `canary` is the time of a short computation on the device, "
      "relative to\n"
      "its usual time; `note` says why a device is in quarantine. A tracker "
      "that cannot be\n"
      "reached within 5 seconds is exit code 5, and a wrong flag, token or "
      "device 2.\n\n"
      "Examples:\n"
      "  export ASSAY_TRACKER=tracker.lab:9190 ASSAY_TLS=/etc/assay/tls\n"
      "  export ASSAY_TOKEN_FILE=~/.config/assay/token\n"
      "  query --watch\n"
      "  query --format=json | jq '.devices[] | select(.state == \"lost\")'\n"
      "  query --token_file=admin.token --quarantine=rack1-03 "
      "--reason='new fan'\n"
      "  query --token_file=admin.token --release=rack1-03");
  return RunCommand(app, argc, argv, [&] { return Run(flags); });
}

}  // namespace
}  // namespace assay::rpc

int main(int argc, char** argv) { return assay::rpc::Main(argc, argv); }
