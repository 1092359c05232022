// //reports/site/pages/testing:write_sample_site: a site with synthetic data.
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "reports/site/pages/testing/sample_site.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"

namespace assay::reports::site {
namespace {

constexpr char kDescription[] =
    "Writes a site with synthetic data, to look at its pages and to measure "
    "how fast they are.\n";
constexpr char kFooter[] =
    "\n  bazel run //reports/site/pages/testing:write_sample_site -- "
    "--out=/tmp/site --cells=10000 --nights=1000 --cell_files=100 "
    "--run_files=2\n\n"
    "Exit codes: 0 success; 2 usage; 5 a file cannot be written.";

struct Options {
  std::string out;
  SampleSize size;
};

absl::StatusOr<ExitCode> Run(const Options& options) {
  const absl::Status written =
      WriteSampleSite(FromCallersFolder(options.out), options.size);
  if (!written.ok()) return absl::UnavailableError(written.message());
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app(kDescription, "//reports/site/pages/testing:write_sample_site");
  app.footer(kFooter);
  app.add_option("--out", options.out, "folder to write")
      ->required()
      ->option_text("FOLDER");
  const auto number = [&](const char* flag, int* value, const char* what) {
    app.add_option(flag, *value, what)
        ->check(CLI::Range(8, 1'000'000))
        ->capture_default_str();
  };
  number("--cells", &options.size.cells, "number of cells");
  number("--nights", &options.size.nights, "number of nights");
  number("--cell_files", &options.size.cell_files,
         "number of cells that have pages");
  app.add_option("--run_files", options.size.run_files,
                 "number of newest runs that can be compared")
      ->check(CLI::Range(2, 1'000'000))
      ->capture_default_str();
  return RunCommand(app, argc, argv, [&] { return Run(options); });
}

}  // namespace
}  // namespace assay::reports::site

int main(int argc, char** argv) {
  return assay::reports::site::Main(argc, argv);
}
