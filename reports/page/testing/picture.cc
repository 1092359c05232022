// //reports/page/testing:picture: renders a page as an image.
#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "reports/page/testing/browser.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kDescription[] =
    "Writes an image of a page in PNG format, as Chromium displays it. The "
    "documents of\nthis repository have such images.\n";
constexpr char kFooter[] =
    "\n  bazel run //reports/page/testing:picture -- --page=/tmp/page.html "
    "--out=/tmp/page.png\n\n"
    "Exit codes: 0 success; 2 usage, or there is no such page; 5 the browser "
    "fails, or the\nimage cannot be written.";

// The packages of the browser, relative to the folder where `bazel run` starts
// a program.
constexpr char kPackages[] = "../debian_browser";

struct Options {
  std::string page;
  std::string fragment;
  std::string out;
  Screen screen;
  int height = 0;
};

absl::Status WriteImage(const Options& options) {
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<Browser> browser,
                         Browser::Start(kPackages));
  Screen screen = options.screen;
  if (options.height > 0) screen.height = options.height;
  ASSAY_RETURN_IF_ERROR(browser->Open(
      absl::StrCat("file://", FromCallersFolder(options.page),
                   options.fragment.empty() ? "" : "#", options.fragment),
      screen));
  // A page may load more after it has shown the most important things.
  ASSAY_RETURN_IF_ERROR(
      browser->Evaluate("new Promise(done => setTimeout(done, 1000))")
          .status());
  ASSAY_ASSIGN_OR_RETURN(const std::string png,
                         browser->Screenshot(options.height == 0));
  return WriteFileAtomic(FromCallersFolder(options.out), png);
}

absl::StatusOr<ExitCode> Run(const Options& options) {
  // The browser would render an error page.
  ASSAY_RETURN_IF_ERROR(ReadFile(FromCallersFolder(options.page)).status());
  const absl::Status written = WriteImage(options);
  if (!written.ok()) return absl::UnavailableError(written.message());
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app(kDescription, "//reports/page/testing:picture");
  app.footer(kFooter);
  app.add_option("--page", options.page, "page to render")
      ->required()
      ->option_text("FILE");
  app.add_option("--fragment", options.fragment,
                 "fragment of the address, without `#`")
      ->option_text("TEXT");
  app.add_option("--out", options.out, "PNG file to write")
      ->required()
      ->option_text("FILE");
  app.add_option("--width", options.screen.width,
                 "width of the screen in pixels")
      ->check(CLI::Range(200, 4000))
      ->capture_default_str();
  app.add_option("--height", options.height,
                 "height of the image in pixels; 0 for the whole page")
      ->check(CLI::Range(0, 10000))
      ->capture_default_str();
  app.add_flag("--dark", options.screen.dark, "use the dark colours");
  return RunCommand(app, argc, argv, [&] { return Run(options); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Main(argc, argv); }
