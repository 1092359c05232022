// //suites:peak: measures and stores the peak performance of this machine.
#include <iostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_count.h"
#include "runtime/measure/device_facts.h"
#include "suites/kernels/machine_peak.h"
#include "suites/kernels/roofline.h"

namespace assay::suites {
namespace {

constexpr char kDescription[] =
    "Measures the float32 multiply-adds and the memory bandwidth of this "
    "machine, on one and\non all threads, by kernels of this compiler, and "
    "keeps them for the other suites. A\nkernel with fewer operations per byte "
    "from a level than the table's `ridge` is bound by\nthat level's bandwidth "
    "and not by arithmetic.\n";
constexpr char kFooter[] =
    "\nExit codes: 0 measured; 2 usage; 5 the machine failed.";

absl::StatusOr<ExitCode> Run() {
  ASSAY_ASSIGN_OR_RETURN(const MachinePeak peak,
                         MeasurePeak(runtime::UsableCpuCount()));
  const std::string fingerprint = runtime::DescribeHost().fingerprint;
  for (const auto& [threads, gflops] : peak.gflops) {
    std::cout << absl::StrFormat("%d thread%s: %.1f GFLOP/s float32\n", threads,
                                 threads == 1 ? "" : "s", gflops);
  }
  constexpr char kFormat[] = "%-6s %8s %10s %10s %10s %12s\n";
  std::cout << "\n"
            << absl::StrFormat(kFormat, "level", "threads", "KiB each",
                               "read GB/s", "copy GB/s", "ridge FLOP/B");
  for (const Bandwidth& b : peak.bandwidths) {
    std::cout << absl::StrFormat(
        kFormat, b.level, absl::StrCat(b.threads), absl::StrCat(b.bytes >> 10),
        absl::StrFormat("%.1f", b.read), absl::StrFormat("%.1f", b.copy),
        absl::StrFormat("%.1f", peak.gflops.at(b.threads) / b.read));
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string path, StorePeak(peak));
  std::cout << "\nkept in `" << path << "`\n";
  return ExitCode::kPass;
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  CLI::App app(assay::suites::kDescription, "./bazelw run //suites:peak --");
  app.footer(assay::suites::kFooter);
  return assay::RunCommand(app, argc, argv, assay::suites::Run);
}
