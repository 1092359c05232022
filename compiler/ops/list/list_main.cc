// `bazel run //compiler/ops/list -- --target='llvm -mtriple=…'` prints the
// operators with their implementations and configuration spaces.
#include <CLI/CLI.hpp>
#include <iostream>

#include "compiler/ops/list/list_report.h"
#include "compiler/target/target.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"

int main(int argc, char** argv) {
  CLI::App app{"Lists operators, implementations and configuration spaces."};
  std::string text = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4";
  app.add_option("--target", text, "the machine to choose for")
      ->capture_default_str();
  const auto run = [&]() -> absl::StatusOr<assay::ExitCode> {
    ASSAY_ASSIGN_OR_RETURN(const auto target,
                           assay::target::Target::Parse(text));
    std::cout << assay::ops::ListReport(target);
    return assay::ExitCode::kPass;
  };
  return assay::RunCommand(app, argc, argv, run);
}
