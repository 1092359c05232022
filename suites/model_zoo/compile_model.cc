// compile_model: imports and compiles an ONNX file for this machine, and prints
// how many milliseconds that took.
//
// If the importer or the compiler declines the model, the program prints
// `refused` instead. This tells a model that is not supported from a wrong flag
// or a missing file, because the exit code is the same.
//
// //suites:zoo runs it as a process of its own, whose peak memory is that of
// the compiler alone.
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/compile_options.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/base/memory_limit.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_count.h"
#include "suites/harness/flags/model_flags.h"

namespace assay::suites {
namespace {

struct Flags {
  std::string model;
  std::vector<std::string> dims;
  int threads = 0;
  std::string max_memory;
};

absl::Status ImportAndCompile(const std::string& path,
                              const frontend::ImportOptions& import_options,
                              const target::Target& target,
                              const driver::CompileOptions& compile_options) {
  ASSAY_ASSIGN_OR_RETURN(const frontend::ImportedModel model,
                         frontend::ImportOnnxFile(path, import_options));
  return driver::Compile(*model.graph, target, compile_options).status();
}

absl::StatusOr<ExitCode> Run(const Flags& flags) {
  frontend::ImportOptions import_options;
  driver::CompileOptions compile_options;
  if (!flags.max_memory.empty()) {
    ASSAY_ASSIGN_OR_RETURN(const int64_t bytes, ParseBytes(flags.max_memory));
    import_options.max_memory = compile_options.max_memory = bytes;
  }
  ASSAY_ASSIGN_OR_RETURN(import_options.dims, ParseDims(flags.dims));
  const std::string path = FromCallersFolder(flags.model);
  if (!FileExists(path)) {
    return absl::NotFoundError(absl::StrCat("there is no file `", path, "`"));
  }
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         driver::ResolveTarget("llvm -mcpu=native"));
  const int cores =
      flags.threads > 0 ? flags.threads : runtime::UsableCpuCount();
  const int64_t start = MonotonicNanos();
  const absl::Status status = ImportAndCompile(
      path, import_options, target.WithCores(cores), compile_options);
  if (ExitCodeOf(status) == ExitCode::kUsage) std::cout << "refused\n";
  ASSAY_RETURN_IF_ERROR(status);
  std::cout << absl::StrFormat(
      "%.3f\n", static_cast<double>(MonotonicNanos() - start) * 1e-6);
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  CLI::App app(
      "Imports and compiles an ONNX file for this machine, and prints how many "
      "milliseconds that\ntook. //suites:zoo runs it for every model.\n\nExit "
      "codes: 0 compiled; 2 usage, or the model is not supported, then "
      "`refused` is printed; 5 the\ncompiler failed.");
  Flags flags;
  app.add_option("--model", flags.model, "ONNX file")
      ->type_name("FILE")
      ->required();
  app.add_option("--dim", flags.dims,
                 "extent of a symbolic dimension; may be repeated")
      ->type_name("NAME=EXTENT")
      ->allow_extra_args(false);
  app.add_option("--threads", flags.threads,
                 "number of threads, 0 for all processors; default 0")
      ->type_name("N")
      ->check(CLI::Range(0, 4096));
  app.add_option("--max_memory", flags.max_memory,
                 "reject models that need more; default 4G")
      ->type_name("BYTES");
  return RunCommand(app, argc, argv, [&] { return Run(flags); });
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) { return assay::suites::Main(argc, argv); }
