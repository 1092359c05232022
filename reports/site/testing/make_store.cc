// make_store: makes a synthetic store, to look at the site and to measure its
// scale (fake_store.h).
#include <iostream>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "reports/site/testing/fake_store.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

struct Flags {
  std::string out;
  FakeStoreOptions store;
};

absl::StatusOr<ExitCode> Run(const Flags& flags) {
  const std::string folder = FromCallersFolder(flags.out);
  ASSAY_RETURN_IF_ERROR(MakeDirs(folder));
  FakeStore store(flags.store);
  for (int night = 0; night < flags.store.nights; ++night) {
    ASSAY_RETURN_IF_ERROR(store.AppendNight(folder));
    if (night % 50 == 49) std::cout << night + 1 << " nights" << std::endl;
  }
  ASSAY_RETURN_IF_ERROR(store.AppendDecisions(folder));
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  CLI::App app("Makes a synthetic store.", "make_store");
  app.footer(
      "\n  bazel run //reports/site/testing:make_store -- --out=/tmp/store\n\n"
      "Each night is a segment, so the newest nights can be moved out of the "
      "folder and back.\n");
  Flags flags;
  app.add_option("--out", flags.out, "folder of the store")
      ->required()
      ->option_text("FOLDER");
  app.add_option("--cells", flags.store.cells, "default 48")
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--nights", flags.store.nights, "default 90")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--seed", flags.store.seed, "default 1");
  app.add_option("--samples", flags.store.samples, "of a row; default 12")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--with_kernels", flags.store.with_kernels,
                 "share of the models whose kernels are timed; default 1");
  app.add_option("--code_changes", flags.store.code_changes,
                 "probability that a night changes a model; default 0.04");
  return RunCommand(app, argc, argv, [&] { return Run(flags); });
}

}  // namespace
}  // namespace assay::reports

int main(int argc, char** argv) { return assay::reports::Main(argc, argv); }
