#include "suites/kernels/kernel_main.h"

#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/render/format_ratio.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_count.h"
#include "runtime/process/runfiles.h"
#include "suites/references/parity.h"

namespace assay::suites {
namespace {

// Prints the conditions under which the contenders were timed.
void PrintParity(const std::vector<Comparison>& comparisons) {
  std::vector<NamedParity> manifest;
  for (const Comparison& comparison : comparisons) {
    manifest.insert(manifest.end(), comparison.parity.begin(),
                    comparison.parity.end());
  }
  if (!manifest.empty()) std::cout << "\n" << ParityTable(manifest);
}

ExitCode Conclude(const std::vector<Comparison>& comparisons) {
  bool any_timed = false;
  for (const Comparison& comparison : comparisons) {
    if (!comparison.wrong.empty()) return ExitCode::kWrongResult;
    any_timed |= !comparison.series.empty();
  }
  return any_timed ? ExitCode::kPass : ExitCode::kInfrastructure;
}

absl::StatusOr<ExitCode> Run(int argc, char** argv, const KernelSuite& suite) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  ASSAY_ASSIGN_OR_RETURN(
      const KernelOptions options,
      ParseKernelOptions(suite.flags, arguments, runtime::UsableCpuCount(),
                         CallersFolder()));
  if (options.help.has_value()) {
    std::cout << *options.help;
    return ExitCode::kPass;
  }
  ASSAY_ASSIGN_OR_RETURN(
      const std::string path,
      runtime::FindRunfile(argv[0], absl::StrCat("assay/", suite.shapes)));
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  ASSAY_ASSIGN_OR_RETURN(const References references,
                         LoadReferences(argv[0], options.references));
  std::vector<std::string> versions;
  for (const auto& reference : references.loaded) {
    versions.push_back(
        absl::StrCat(reference->name(), " ", reference->version()));
    std::cout << versions.back() << "\n";
  }
  for (const std::string& note : references.notes) std::cout << note << "\n";
  std::cout << "\n";
  std::vector<Comparison> comparisons;
  ASSAY_RETURN_IF_ERROR(
      suite.run(options, references, text, [&](Comparison comparison) {
        comparisons.push_back(std::move(comparison));
        return WriteComparisons(options, suite.flags.name, versions,
                                comparisons);
      }));
  if (comparisons.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("no row of `", suite.shapes, "` has `", options.filter,
                     "` in its name, which `--filter` asks for"));
  }
  PrintParity(comparisons);
  return Conclude(comparisons);
}

}  // namespace

int KernelMain(int argc, char** argv, const KernelSuite& suite) {
  return RunMain([&] { return Run(argc, argv, suite); });
}

NDArray UniformOperand(const Shape& shape, uint64_t seed,
                       absl::string_view name, DType dtype) {
  NDArray array(dtype, shape);
  // Use only seven bits of a byte: on processors without byte dot products,
  // libraries sum two products in 16 bits, which eight bits would overflow.
  const float high = dtype.is_float() ? 1.0f : 127.0f;
  Rng(SeedFor(seed, name))
      .FillUniform(array, dtype.is_uint() ? 0.0f : -high, high);
  return array;
}

std::string Cell(double value, int decimals) {
  return value == 0 ? "-" : absl::StrFormat("%.*f", decimals, value);
}

std::string Cell(const std::optional<stats::Ratio>& ratio) {
  return ratio.has_value() ? reports::FormatRatio(*ratio) : "-";
}

std::string Marked(absl::string_view text, bool precision_differs) {
  return absl::StrCat(text, precision_differs ? kPrecisionMark : "");
}

void PrintRemarks(const Comparison& comparison) {
  if (!comparison.wrong.empty()) {
    std::cout << "  WRONG: " << comparison.wrong << "\n";
  }
  for (const std::string& note : comparison.notes) {
    std::cout << "  note: " << note << "\n";
  }
  std::cout.flush();
}

}  // namespace assay::suites
