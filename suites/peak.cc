// //suites:peak: measures and stores the peak performance of this machine.
#include <CLI/CLI.hpp>
#include <iostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_count.h"
#include "suites/kernels/peak/arithmetic.h"
#include "suites/kernels/peak/machine_peak.h"
#include "suites/kernels/peak/measure_peak.h"

namespace assay::suites {
namespace {

constexpr char kDescription[] =
    "Measures the multiply-adds and the memory bandwidth of this machine, on "
    "one and on all\nthreads, by kernels of this compiler, and keeps them for "
    "the other suites. Multiply-adds\nare those of float32 vectors and, if the "
    "machine has instructions for them, products of\nbytes (int8) and of "
    "float32 that is split in bfloat16 parts (bf16x3), whose rate is a\nthird "
    "of that of bfloat16 tile products. A float32 kernel with fewer operations "
    "per byte\nfrom a level than the table's `ridge` is bound by that level's "
    "bandwidth and not by\narithmetic.\n";
constexpr char kFooter[] =
    "\nExit codes: 0 measured; 2 usage; 5 the machine failed.";

absl::StatusOr<ExitCode> Run() {
  ASSAY_ASSIGN_OR_RETURN(const MachinePeak peak,
                         MeasurePeak(runtime::UsableCpuCount()));
  for (const auto& [threads, rates] : peak.Rates()) {
    std::cout << threads << (threads == 1 ? " thread: " : " threads: ")
              << ToString(rates) << "\n";
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
