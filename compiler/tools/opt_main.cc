// Command-line tool for opt.h; see `bazel run //compiler/tools:opt -- --help`.
#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "absl/status/statusor.h"
#include "compiler/tools/opt.h"
#include "runtime/base/file.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

namespace assay::tools {
namespace {

// Values of the flags; `options` holds those that need no conversion.
struct Flags {
  OptOptions options;
  std::string reproduce;
  std::string fusion = "on";
  std::string max_memory = "4G";
  bool list = false;
};

absl::StatusOr<ExitCode> Run(const Flags& flags) {
  if (flags.list) {
    std::cout << ListPasses();
    return ExitCode::kPass;
  }
  if (!flags.reproduce.empty()) {
    ASSAY_RETURN_IF_ERROR(Reproduce(FromCallersFolder(flags.reproduce)));
    std::cout << "there is no error\n";
    return ExitCode::kPass;
  }
  OptOptions options = flags.options;
  options.compile.fusion = flags.fusion == "on";
  options.compile.verify = true;
  ASSAY_ASSIGN_OR_RETURN(options.compile.max_memory,
                         ParseBytes(flags.max_memory));
  for (std::string* path : {&options.model, &options.compile.dump_dir,
                            &options.compile.reproducer_dir}) {
    *path = FromCallersFolder(*path);
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string text, Optimize(options));
  std::cout << text;
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  CLI::App app{"Runs the graph passes on a model and prints the result."};
  Flags flags;
  OptOptions& options = flags.options;
  graph::PassSelection& passes = options.compile.passes;
  app.add_option("--model", options.model, "an ONNX file, or text of a graph");
  app.add_option("--target", options.target, "the machine to compile for")
      ->capture_default_str();
  app.add_option("--opt_level", passes.level, "0 to 3: which passes are run")
      ->capture_default_str();
  app.add_option("--passes", passes.passes, "run exactly these: `a,b,c`");
  app.add_option("--skip_passes", passes.skip, "run all but these: `a,b`");
  app.add_option("--bisect_limit", passes.bisect_limit,
                 "run the first N passes and those that are required");
  app.add_option("--fusion", flags.fusion, "operator fusion")
      ->check(CLI::IsMember({"on", "off"}));
  app.add_option("--max_memory", flags.max_memory,
                 "refuse models that need more, with exit code 2")
      ->capture_default_str();
  app.add_option("--dump_dir", options.compile.dump_dir,
                 "write the graph after every pass there");
  app.add_option("--reproducer_dir", options.compile.reproducer_dir,
                 "where a failure leaves its reproducer; a failed check "
                 "always leaves one, by default in $TMPDIR or /tmp");
  app.add_flag("--summary", options.summary,
               "print kernels and memory instead");
  app.add_flag("--list", flags.list, "print the passes with their levels");
  app.add_option("--reproduce", flags.reproduce, "run what a reproducer says");
  return RunCommand(app, argc, argv, [&] { return Run(flags); });
}

}  // namespace
}  // namespace assay::tools

int main(int argc, char** argv) { return assay::tools::Main(argc, argv); }
