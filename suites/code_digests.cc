// //suites:code_digests: finds the kernels of networks whose machine code
// differs between two commits.
//
// Compiles every network for several targets, with and without fusion, and
// prints one line of CSV per kernel call and per setup call. The digest covers
// the machine code alone, so it stays the same when a kernel is renamed or
// moved within the artifact. `--against` compares with the lines that another
// commit printed. An empty difference proves that a change keeps all code;
// otherwise the difference shows which kernels have to be measured.
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/graph/graph.h"
#include "compiler/target/target.h"
#include "onnx/onnx.pb.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/progress.h"
#include "suites/kernels/code_digest_file.h"
#include "suites/models/catalog.h"

namespace assay::suites {
namespace {

struct Flags {
  std::vector<std::string> models = CatalogNames();
  std::vector<std::string> targets = {
      "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 -num-cores=2",
      "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -num-cores=8",
      "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53 -num-cores=4",
      "llvm -mtriple=arm-linux-gnueabihf -mcpu=cortex-a9 -num-cores=2"};
  std::string out;
  std::string against;
};

absl::Status AddDigests(const graph::Graph& graph, const std::string& target,
                        bool fusion, CodeDigests* digests) {
  ASSAY_ASSIGN_OR_RETURN(const target::Target resolved,
                         driver::ResolveTarget(target));
  driver::CompileOptions options;
  options.fusion = fusion;
  ASSAY_ASSIGN_OR_RETURN(const runtime::Artifact artifact,
                         driver::Compile(graph, resolved, options));
  const auto add = [&](absl::string_view prefix,
                       const std::vector<runtime::KernelCall>& calls) {
    for (size_t i = 0; i < calls.size(); ++i) {
      const std::string key = absl::StrCat(
          graph.name(), ",", resolved.ToString(), ",", fusion ? "on" : "off",
          ",", prefix, i, ",", calls[i].symbol);
      (*digests)[key] = calls[i].code_digest;
    }
  };
  add("setup", artifact.setup);
  add("", artifact.calls);
  return absl::OkStatus();
}

absl::StatusOr<CodeDigests> ComputeDigests(const Flags& flags) {
  CodeDigests digests;
  Progress progress = Progress::OnStandardError();
  progress.Start(
      static_cast<int>(flags.models.size() * flags.targets.size() * 2));
  for (const std::string& name : flags.models) {
    ASSAY_ASSIGN_OR_RETURN(const onnx::ModelProto model,
                           BuildFromCatalog(name, {}));
    ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<graph::Graph> graph,
                           frontend::ImportOnnxModel(model));
    for (const std::string& target : flags.targets) {
      for (const bool fusion : {true, false}) {
        progress.NextRow(absl::StrCat(name, ", ", target, ", fusion ",
                                      fusion ? "on" : "off"));
        ASSAY_RETURN_IF_ERROR(AddDigests(*graph, target, fusion, &digests));
      }
    }
  }
  return digests;
}

absl::StatusOr<CodeDigests> ReadDigests(const std::string& path) {
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  absl::StatusOr<CodeDigests> digests = ParseCodeDigests(text);
  if (!digests.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", path, "`: ", digests.status().message()));
  }
  return digests;
}

// Prints the kernels whose code differs, and returns their number.
int64_t PrintDifferences(const CodeDigests& base, const CodeDigests& run) {
  int64_t differences = 0;
  const auto print = [&](const std::string& key, absl::string_view what) {
    std::cout << key << ": " << what << "\n";
    ++differences;
  };
  for (const auto& [key, digest] : base) {
    const auto it = run.find(key);
    if (it == run.end()) {
      print(key, "removed");
    } else if (it->second != digest) {
      print(key, "changed");
    }
  }
  for (const auto& [key, digest] : run) {
    if (base.count(key) == 0) print(key, "added");
  }
  return differences;
}

absl::StatusOr<ExitCode> Run(const Flags& flags) {
  // Read the file first, to report its errors before compiling, which takes
  // minutes.
  CodeDigests base;
  if (!flags.against.empty()) {
    ASSAY_ASSIGN_OR_RETURN(base, ReadDigests(FromCallersFolder(flags.against)));
  }
  ASSAY_ASSIGN_OR_RETURN(const CodeDigests digests, ComputeDigests(flags));
  if (!flags.out.empty()) {
    ASSAY_RETURN_IF_ERROR(WriteFileAtomic(FromCallersFolder(flags.out),
                                          FormatCodeDigests(digests)));
  }
  if (flags.against.empty()) {
    if (flags.out.empty()) std::cout << FormatCodeDigests(digests);
    return ExitCode::kPass;
  }
  const int64_t differences = PrintDifferences(base, digests);
  std::cout << digests.size() << " kernel calls, " << differences
            << " with other machine code than in `" << flags.against << "`\n";
  return differences == 0 ? ExitCode::kPass : ExitCode::kRegression;
}

int Main(int argc, char** argv) {
  CLI::App app(
      "Compiles every network for several targets, with and without fusion, "
      "and prints a digest of\nthe machine code of each kernel call as CSV.\n\n"
      "Exit codes: 0 printed, or all code is the same; 1 some code differs; 2 "
      "usage; 5 a file\ncould not be written.");
  Flags flags;
  app.add_option("--models", flags.models, "networks to compile")
      ->delimiter(',')
      ->check(CLI::IsMember(CatalogNames()));
  app.add_option("--target", flags.targets,
                 "target to compile for; may be given several times");
  app.add_option("--out", flags.out, "write the CSV to this file");
  app.add_option("--against", flags.against,
                 "CSV file of another commit to compare with");
  return RunCommand(app, argc, argv, [&] { return Run(flags); });
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) { return assay::suites::Main(argc, argv); }
