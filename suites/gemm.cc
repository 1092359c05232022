// //suites:gemm: compares matrix products with OpenBLAS, oneDNN, ONNX Runtime
// and OpenVINO. If an algorithm that is not exact was chosen (Strassen's, or
// products of split numbers on a matrix unit), the program without it is
// compared, too.
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/status_macros.h"
#include "suites/kernels/kernel_main.h"
#include "suites/kernels/peak/arithmetic.h"
#include "suites/kernels/peak/machine_peak.h"
#include "suites/kernels/shapes.h"
#include "suites/references/problem.h"

namespace assay::suites {
namespace {

constexpr const char* kReferences[] = {"openblas", "onednn", "onnxruntime",
                                       "openvino"};

constexpr char kFormat[] =
    "%-18s %-16s %7s %-9s %8s %8s %7s %7s %7s %32s %7s\n";

void PrintHeader() {
  std::cout
      << "nominal GFLOP/s of each contender: counts the operations of the "
         "definition; Strassen's\nalgorithm needs an eighth fewer, and bf16x3 "
         "computes with numbers that are split in bfloat16\nparts. ort: ONNX "
         "Runtime; ov: OpenVINO. ratio: how many times as fast ours is as the "
         "fastest\nother one, median of interleaved samples with its 95 % "
         "interval. algorithm: if it is not\nexact; the line `exact` below is "
         "ours without it. % peak: of the measured peak of what ours\ncomputes "
         "with: float32 vectors, a third of bfloat16 tile products for bf16x3, "
         "or products of\nbytes; `-` if it was not measured\n\n"
      << absl::StrFormat(kFormat, "name", "m x n x k", "threads", "algorithm",
                         "ours", "openblas", "onednn", "ort", "ov", "ratio",
                         "% peak");
}

void PrintLine(const Comparison& row, const std::string& algorithm,
               absl::string_view ours, std::optional<double> peak) {
  const double percent =
      peak.has_value() ? 100 * row.GflopsOf(ours) / *peak : 0;
  const std::string fastest = row.FastestOf(ours, kReferences);
  std::cout << absl::StrFormat(
      kFormat, row.name, row.problem, absl::StrCat(row.threads),
      Marked(algorithm, row.PrecisionDiffers(ours, fastest)),
      Cell(row.GflopsOf(ours), 1), Cell(row.GflopsOf("openblas"), 1),
      Cell(row.GflopsOf("onednn"), 1), Cell(row.GflopsOf("onnxruntime"), 1),
      Cell(row.GflopsOf("openvino"), 1), Cell(row.Ratio(ours, fastest)),
      Cell(percent, 1));
}

void Print(const Comparison& row, bool int8, const MachinePeak& peak) {
  PrintLine(
      row, row.algorithm.empty() ? "-" : row.algorithm, kOurs,
      peak.RateOf(int8 ? Arithmetic::kBytes : FloatArithmetic(row.algorithm),
                  row.threads));
  if (row.MedianNs(kExact) > 0) {
    PrintLine(row, "exact", kExact,
              peak.RateOf(Arithmetic::kFloat32, row.threads));
  }
  PrintRemarks(row);
}

absl::Status RunOne(const NamedGemm& gemm, const KernelOptions& options,
                    const References& references, const MachinePeak& peak,
                    const KeepComparison& keep) {
  const GemmProblem& p = gemm.problem;
  const GemmOperands operands = {
      UniformOperand({p.m, p.k}, options.seed, "a",
                     p.int8 ? DType::UInt(8) : DType::Float32()),
      UniformOperand({p.k, p.n}, options.seed, "b",
                     p.int8 ? DType::Int(8) : DType::Float32())};
  KernelProblem problem;
  problem.name = problem.dump = gemm.name;
  problem.text = absl::StrCat(p.m, "x", p.n, "x", p.k);
  problem.flops = p.flops();
  problem.precision = p.precision();
  problem.model = GemmModel(p);
  problem.inputs = {{"a", operands.a}, {"b", operands.b}};
  problem.prepare = [&](Reference& reference, int threads) {
    return reference.PrepareGemm(p, operands, threads);
  };
  return MeasureProblem(problem, options, references, [&](Comparison row) {
    Print(row, p.int8, peak);
    return keep(std::move(row));
  });
}

absl::Status RunGemm(const KernelOptions& options, const References& references,
                     absl::string_view text, const KeepComparison& keep) {
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
      {"gemm",
       "Multiplies matrices of the sizes in suites/kernels/gemm_shapes.csv, "
       "both operands\nknown at run time, by this compiler's code and by "
       "libraries: of float32, and in rows\nnamed `_int8` of uint8 by int8 "
       "with sums of int32.",
       {std::begin(assay::suites::kReferences),
        std::end(assay::suites::kReferences)},
       /*takes_epilogue=*/false,
       "suites/kernels/gemm_shapes.csv"},
      assay::suites::RunGemm);
}
