#include "reports/command.h"

#include <iostream>

namespace assay::reports {
namespace {

enum ExitCode { kDone = 0, kUsage = 2, kInfrastructure = 5 };

}  // namespace

int RunCommand(CLI::App& app, int argc, const char* const* argv,
               const std::function<absl::Status()>& run) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return kDone;
  } catch (const CLI::ParseError& error) {
    std::cerr << "error: " << error.what() << " (see `--help`)\n";
    return kUsage;
  }
  const absl::Status status = run();
  if (status.ok()) return kDone;
  std::cerr << "error: " << status.message() << "\n";
  return absl::IsInvalidArgument(status) || absl::IsNotFound(status)
             ? kUsage
             : kInfrastructure;
}

}  // namespace assay::reports
