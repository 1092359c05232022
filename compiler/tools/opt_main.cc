// `bazel run //compiler/tools:opt -- --help` says what it can do.
#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "compiler/tools/opt.h"
#include "runtime/base/file.h"
#include "runtime/base/memory_limit.h"

namespace assay::tools {
namespace {

int Report(const absl::Status& status) {
  std::cerr << "error: " << status.message() << "\n";
  return absl::IsResourceExhausted(status) ? 2 : 1;
}

int Main(int argc, char** argv) {
  CLI::App app{"Runs the graph passes on a model and prints the result."};
  OptOptions options;
  graph::PassSelection& passes = options.compile.passes;
  std::string reproduce, fusion = "on", max_memory = "4G";
  bool list = false;
  app.add_option("--model", options.model, "an ONNX file, or text of a graph");
  app.add_option("--target", options.target, "the machine to compile for")
      ->capture_default_str();
  app.add_option("--opt_level", passes.level, "0 to 3: which passes are run")
      ->capture_default_str();
  app.add_option("--passes", passes.passes, "run exactly these: `a,b,c`");
  app.add_option("--skip_passes", passes.skip, "run all but these: `a,b`");
  app.add_option("--bisect_limit", passes.bisect_limit,
                 "run the first N passes and those that are required");
  app.add_option("--fusion", fusion, "operator fusion")
      ->check(CLI::IsMember({"on", "off"}));
  app.add_option("--max_memory", max_memory,
                 "refuse models that need more, with exit code 2")
      ->capture_default_str();
  app.add_option("--dump_dir", options.compile.dump_dir,
                 "write the graph after every pass there");
  app.add_option("--reproducer_dir", options.compile.reproducer_dir,
                 "where a pass that fails leaves its reproducer");
  app.add_flag("--summary", options.summary,
               "print kernels and memory instead");
  app.add_flag("--list", list, "print the passes with their levels");
  app.add_option("--reproduce", reproduce, "run what a reproducer says");
  CLI11_PARSE(app, argc, argv);
  if (list) {
    std::cout << ListPasses();
    return 0;
  }
  if (!reproduce.empty()) {
    const absl::Status status = Reproduce(FromCallersFolder(reproduce));
    if (!status.ok()) return Report(status);
    std::cout << "the passes run without an error\n";
    return 0;
  }
  options.compile.fusion = fusion == "on";
  options.compile.verify = true;
  const auto bytes = ParseBytes(max_memory);
  if (!bytes.ok()) return Report(bytes.status());
  options.compile.max_memory = *bytes;
  for (std::string* path : {&options.model, &options.compile.dump_dir,
                            &options.compile.reproducer_dir}) {
    *path = FromCallersFolder(*path);
  }
  const auto text = Optimize(options);
  if (!text.ok()) return Report(text.status());
  std::cout << *text;
  return 0;
}

}  // namespace
}  // namespace assay::tools

int main(int argc, char** argv) { return assay::tools::Main(argc, argv); }
