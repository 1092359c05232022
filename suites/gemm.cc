// //suites:gemm: compares matrix products with OpenBLAS, oneDNN and ONNX
// Runtime.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/kernels/compiled_kernel.h"
#include "suites/kernels/interpreted_model.h"
#include "suites/kernels/kernel_main.h"
#include "suites/kernels/roofline.h"
#include "suites/kernels/shapes.h"
#include "suites/references/one_node_model.h"

namespace assay::suites {
namespace {

using Keep = std::function<absl::Status(Comparison)>;

constexpr char kFormat[] = "%-18s %-16s %7s %8s %8s %9s %8s %12s %7s %7s %7s\n";

void PrintHeader() {
  std::cout << "GFLOP/s of each contender, and the ratio of ours to the "
               "fastest other one.\nexact: ours without Strassen's algorithm, "
               "if that was chosen;\nit needs an eighth fewer operations than "
               "are counted.\n\n"
            << absl::StrFormat(kFormat, "name", "m x n x k", "threads", "ours",
                               "exact", "openblas", "onednn", "onnxruntime",
                               "ratio", "min", "% peak");
}

// Returns the smallest ratio, which is that to the fastest reference.
double Worst(const Comparison& row, bool of_minima) {
  double worst = 0;
  for (const Series& series : row.series) {
    if (series.name == "ours" || series.name == "exact") continue;
    const double ratio = of_minima ? row.MinRatio("ours", series.name)
                                   : row.Ratio("ours", series.name);
    worst = worst == 0 ? ratio : std::min(worst, ratio);
  }
  return worst;
}

void Print(const Comparison& row, const MachinePeak& peak) {
  const auto most = peak.gflops.find(row.threads);
  const double percent =
      most == peak.gflops.end() ? 0 : 100 * row.GflopsOf("ours") / most->second;

  std::cout << absl::StrFormat(
      kFormat, row.name, row.problem, absl::StrCat(row.threads),
      Cell(row.GflopsOf("ours"), 1), Cell(row.GflopsOf("exact"), 1),
      Cell(row.GflopsOf("openblas"), 1), Cell(row.GflopsOf("onednn"), 1),
      Cell(row.GflopsOf("onnxruntime"), 1), Cell(Worst(row, false), 3),
      Cell(Worst(row, true), 3), Cell(percent, 1));
  PrintRemarks(row);
}

// The program that the compiler chooses for a product, and the one it chooses
// among exact algorithms if that differs.
struct Programs {
  runtime::Artifact ours;
  std::optional<runtime::Artifact> exact;
};

absl::StatusOr<Programs> CompileBoth(const NamedGemm& gemm, int threads,
                                     const KernelOptions& options) {
  const std::string model = GemmModel(gemm.problem);
  const std::string dump =
      options.dump_dir.empty()
          ? ""
          : JoinPath(options.dump_dir,
                     absl::StrCat(gemm.name, ".threads", threads));
  Programs programs;
  ASSAY_ASSIGN_OR_RETURN(
      programs.ours,
      CompileForThisMachine(gemm.name, model, threads, options.exact, dump));
  if (options.exact) return programs;
  ASSAY_ASSIGN_OR_RETURN(
      runtime::Artifact exact,
      CompileForThisMachine(gemm.name, model, threads,
                            /*exact=*/true,
                            dump.empty() ? "" : dump + ".exact"));
  if (exact.code != programs.ours.code) {
    programs.exact = std::move(exact);
  }
  return programs;
}

absl::Status Measure(const NamedGemm& gemm, const GemmOperands& operands,
                     const KernelOptions& options, const References& references,
                     InterpretedModel& interpreter, Comparison* row) {
  ASSAY_ASSIGN_OR_RETURN(const Programs programs,
                         CompileBoth(gemm, row->threads, options));
  const runtime::NamedTensors inputs = {{"a", operands.a}, {"b", operands.b}};
  ASSAY_ASSIGN_OR_RETURN(
      const std::unique_ptr<runtime::Session> ours,
      LoadKernel(programs.ours,
                 programs.exact.has_value() ? &*programs.exact : nullptr,
                 inputs, row->threads));
  std::vector<Contender> contenders = {{"ours", ours.get()}};
  if (programs.exact.has_value()) {
    contenders.push_back({"exact", ours.get(), /*program=*/1});
  }
  const auto prepare = [&](Reference& reference) {
    return reference.PrepareGemm(gemm.problem, operands, row->threads);
  };
  return CompareWithReferences(contenders, references.loaded, prepare,
                               interpreter, options, row);
}

absl::Status RunOne(const NamedGemm& gemm, const KernelOptions& options,
                    const References& references, const MachinePeak& peak,
                    const Keep& keep) {
  const GemmProblem& p = gemm.problem;
  const GemmOperands operands = {
      UniformOperand({p.m, p.k}, options.seed, "a",
                     p.int8 ? DType::UInt(8) : DType::Float32()),
      UniformOperand({p.k, p.n}, options.seed, "b",
                     p.int8 ? DType::Int(8) : DType::Float32())};
  InterpretedModel interpreter(GemmModel(p),
                               {{"a", operands.a}, {"b", operands.b}});
  for (const int threads : options.threads) {
    Comparison row;
    row.name = gemm.name;
    row.problem = absl::StrCat(p.m, "x", p.n, "x", p.k);
    row.threads = threads;
    row.flops = p.flops();
    const absl::Status status =
        Measure(gemm, operands, options, references, interpreter, &row);
    if (!status.ok()) row.notes.emplace_back(status.message());
    Print(row, peak);
    ASSAY_RETURN_IF_ERROR(keep(std::move(row)));
  }
  return absl::OkStatus();
}

absl::Status RunGemm(const KernelOptions& options, const References& references,
                     absl::string_view text, const Keep& keep) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<NamedGemm> gemms,
                         ReadGemmShapes("gemm_shapes.csv", text));
  const MachinePeak peak = StoredPeak();
  if (peak.gflops.empty()) {
    std::cout << "% peak needs `//suites:peak` to have run once\n";
  }
  PrintHeader();
  for (const NamedGemm& gemm : gemms) {
    if (!Selected(options, gemm.name)) continue;
    ASSAY_RETURN_IF_ERROR(RunOne(gemm, options, references, peak, keep));
  }
  // Measure int8 products; percentages still refer to the float32 peak.
  for (NamedGemm gemm : gemms) {
    gemm.name += "_int8";
    gemm.problem.int8 = true;
    if (!Selected(options, gemm.name)) continue;
    ASSAY_RETURN_IF_ERROR(RunOne(gemm, options, references, peak, keep));
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  return assay::suites::KernelMain(
      argc, argv,
      {{"gemm",
        "Multiplies matrices of the sizes in suites/kernels/gemm_shapes.csv, "
        "both operands\nknown at run time, by this compiler's code and by "
        "libraries: of float32, and in rows\nnamed `_int8` of uint8 by int8 "
        "with sums of int32.",
        {"openblas", "onednn", "onnxruntime"},
        /*takes_epilogue=*/false},
       "suites/kernels/gemm_shapes.csv",
       assay::suites::RunGemm});
}
