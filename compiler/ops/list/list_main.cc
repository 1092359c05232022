// `bazel run //compiler/ops:list -- --target='llvm -mtriple=…'` prints the
// operators with their implementations and configuration spaces.
#include <CLI/CLI.hpp>
#include <iostream>

#include "compiler/ops/list/list_report.h"
#include "compiler/target/target.h"

int main(int argc, char** argv) {
  CLI::App app{"Lists operators, implementations and configuration spaces."};
  std::string text = "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4";
  app.add_option("--target", text, "the machine to choose for")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const auto target = assay::target::Target::Parse(text);
  if (!target.ok()) {
    std::cerr << "error: " << target.status().message() << "\n";
    return 1;
  }
  std::cout << assay::ops::ListReport(*target);
  return 0;
}
