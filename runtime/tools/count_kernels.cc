// //runtime/tools:count_kernels: prints the instructions and memory accesses of
// each kernel of an artifact. See --help.
#include "runtime/tools/count/count_kernels.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/tools/count/count_report.h"

namespace assay::runtime {
namespace {

constexpr char kDescription[] =
    R"(Counts the instructions and memory accesses of each kernel of an artifact, exactly and
without a clock. The artifact runs once under qemu, whatever machine it is for:
  count_kernels --artifact=$PWD/resnet18.assay
The counts are the same in every run and on every machine. They are not times, which also
depend on latencies, caches and the clock rate.)";

constexpr char kFooter[] =
    R"(fma are multiply-adds, and vector all vector instructions, multiply-adds included. Loads
and stores are instructions that access memory, and bytes what they access. Lines are the
different cache lines of 64 bytes. JSON and CSV have all classes of instructions.

Machines: aarch64, armhf, and x86-64 without AVX-512. runtime/docs/counters.md says what is
counted.

Exit codes: 0 counted; 2 usage, or an artifact that is damaged or that qemu cannot run; 5 a
kernel or qemu failed.)";

struct Flags {
  std::string artifact;
  std::string format = "table";
  CountOptions options;
};

// Any error of the artifact's file is a usage error.
absl::StatusOr<Artifact> ReadFlag(const std::string& path) {
  absl::StatusOr<Artifact> artifact = ReadArtifact(FromCallersFolder(path));
  if (artifact.ok()) return artifact;
  return absl::InvalidArgumentError(
      absl::StrCat("--artifact: ", artifact.status().message()));
}

absl::StatusOr<ExitCode> Run(const std::string& program, const Flags& flags) {
  ASSAY_ASSIGN_OR_RETURN(const Artifact artifact, ReadFlag(flags.artifact));
  const absl::StatusOr<KernelCounts> counts =
      CountKernels(program, artifact, flags.options);
  if (!counts.ok()) {
    return absl::Status(
        counts.status().code(),
        absl::StrCat("`", flags.artifact, "`: ", counts.status().message()));
  }
  std::cout << (flags.format == "json"  ? CountJson(artifact, *counts)
                : flags.format == "csv" ? CountCsv(artifact, *counts)
                                        : CountTable(artifact, *counts));
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  CLI::App app(kDescription, "count_kernels");
  app.footer(kFooter);
  Flags flags;
  app.add_option("--artifact", flags.artifact, "the compiled model")
      ->required()
      ->type_name("FILE");
  app.add_option("--cpu", flags.options.cpu,
                 "processor that qemu emulates; by default, that of the "
                 "artifact's target if\nqemu has it, else `max`, which has "
                 "all instructions that qemu knows")
      ->type_name("NAME");
  app.add_option("--format", flags.format, "table, json or csv")
      ->check(CLI::IsMember({"table", "json", "csv"}))
      ->capture_default_str();
  app.add_option("--seed", flags.options.seed,
                 "seed of the inputs; the same seed gives the same inputs on "
                 "every machine")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--time_limit_s", flags.options.time_limit_s,
                 "the longest time of the run under qemu")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->type_name("S");
  return RunCommand(app, argc, argv, [&] { return Run(argv[0], flags); });
}

}  // namespace
}  // namespace assay::runtime

int main(int argc, char** argv) { return assay::runtime::Main(argc, argv); }
