#include "runtime/base/flag_values.h"

#include <CLI/CLI.hpp>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace assay {
namespace {

// Returns true if the flag needs a value in `app` or in a subcommand.
bool NeedsValue(const CLI::App& app, const std::string& flag) {
  const CLI::Option* const option = app.get_option_no_throw(flag);
  if (option != nullptr && option->get_items_expected_min() > 0) return true;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (NeedsValue(*command, flag)) return true;
  }
  return false;
}

}  // namespace

absl::Status CheckFlagValues(const CLI::App& app,
                             absl::Span<const std::string> arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (!absl::StartsWith(argument, "--") || !absl::EndsWith(argument, "=")) {
      continue;
    }
    const std::string flag(absl::StripSuffix(argument, "="));
    if (flag.find('=') != std::string::npos || !NeedsValue(app, flag)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("`", argument, "` has no value (see `--help`)"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::string>> ParseFlags(
    CLI::App& app, absl::Span<const std::string> arguments) {
  const absl::Status values = CheckFlagValues(app, arguments);
  if (!values.ok()) return values;
  try {
    // CLI11 expects the arguments in reverse order.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return app.help();
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(
        absl::StrCat(error.what(), " (see `--help`)"));
  }
  return std::nullopt;
}

}  // namespace assay
