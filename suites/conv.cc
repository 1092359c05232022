// //suites:conv: compares the convolutions of networks with oneDNN, ONNX
// Runtime and OpenVINO.
//
// There are two comparisons of equal work. The oneDNN primitive uses its own
// layouts, so it is compared with our convolution kernels, without the layout
// transformations at the edges of the model. ONNX Runtime and OpenVINO run a
// model with plain layouts, so they are compared with our whole artifact. If an
// algorithm that is not exact was chosen, both comparisons are made for the
// program without it, too.
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/stats/ratio.h"
#include "runtime/base/status_macros.h"
#include "suites/kernels/kernel_main.h"
#include "suites/kernels/shapes.h"
#include "suites/references/problem.h"

namespace assay::suites {
namespace {

// The names of the series of one of our programs.
struct ProgramSeries {
  const char* kernel;  // the convolution kernel alone
  const char* model;   // the whole program
};
constexpr ProgramSeries kOurSeries = {kOurKernel, kOurs};
constexpr ProgramSeries kExactSeries = {kExactKernel, kExact};

// The references that run models with plain layouts.
constexpr const char* kModelReferences[] = {"onnxruntime", "openvino"};

constexpr char kFormat[] =
    "%-38s %-28s %4s %3s %-15s %8s %7s %32s %8s %7s %7s %32s\n";

void PrintHeader() {
  std::cout
      << "nominal GFLOP/s: counts the operations of the definition; fast "
         "algorithms need fewer,\nand bf16x3 computes with numbers that are "
         "split in bfloat16 parts.\nkernel: our convolution alone, against "
         "oneDNN's primitive; model: plain layout in and out,\nagainst ort, "
         "ONNX Runtime, and ov, OpenVINO. ratio: how many times as fast ours "
         "is as the\nfaster one, median of interleaved samples with its 95 % "
         "interval. algorithm: if it is not\nexact; the line `exact` below is "
         "ours without it\n\n"
      << absl::StrFormat(kFormat, "name", "problem", "epi", "thr", "algorithm",
                         "kernel", "onednn", "ratio", "model", "ort", "ov",
                         "ratio");
}

// Returns the name of the faster model reference; empty if there is none.
std::string FasterModel(const Comparison& row, const ProgramSeries& program) {
  return row.FastestOf(program.model, kModelReferences);
}

// Returns the logarithms of the smaller of the two ratios, or of the only one,
// for each round. Returns an empty vector if there is no ratio.
std::vector<double> SmallerLogRatios(const Comparison& row,
                                     const ProgramSeries& program) {
  const std::optional<stats::Ratio> kernel =
      row.Ratio(program.kernel, "onednn");
  const std::string reference = FasterModel(row, program);
  const std::optional<stats::Ratio> model = row.Ratio(program.model, reference);
  const bool use_kernel = kernel.has_value() &&
                          (!model.has_value() || kernel->value < model->value);
  return use_kernel ? row.LogRatios(program.kernel, "onednn")
                    : row.LogRatios(program.model, reference);
}

// Returns true if a contender of a ratio of the program computes in another
// precision.
bool PrecisionDiffers(const Comparison& row, const ProgramSeries& program) {
  return row.PrecisionDiffers(program.kernel, "onednn") ||
         row.PrecisionDiffers(program.model, FasterModel(row, program));
}

void PrintLine(const Comparison& row, bool epilogue,
               const std::string& algorithm, const ProgramSeries& program) {
  std::cout << absl::StrFormat(
      kFormat, row.name, row.problem, epilogue ? "on" : "off",
      absl::StrCat(row.threads),
      Marked(algorithm, PrecisionDiffers(row, program)),
      Cell(row.GflopsOf(program.kernel), 1), Cell(row.GflopsOf("onednn"), 1),
      Cell(row.Ratio(program.kernel, "onednn")),
      Cell(row.GflopsOf(program.model), 1),
      Cell(row.GflopsOf("onnxruntime"), 1), Cell(row.GflopsOf("openvino"), 1),
      Cell(row.Ratio(program.model, FasterModel(row, program))));
}

void Print(const Comparison& row, bool epilogue) {
  PrintLine(row, epilogue, row.algorithm.empty() ? "-" : row.algorithm,
            kOurSeries);
  if (row.MedianNs(kExact) > 0) {
    PrintLine(row, epilogue, "exact", kExactSeries);
  }
  PrintRemarks(row);
}

// Geometric means of the smaller ratios of the rows by network and class.
class Summary {
 public:
  void Add(const NamedConv& conv, const Comparison& row) {
    const std::vector<double> ours = SmallerLogRatios(row, kOurSeries);
    if (ours.empty()) return;
    const std::vector<double> exact = SmallerLogRatios(row, kExactSeries);
    for (const std::string& network : {conv.network, std::string("all")}) {
      Rows& rows = rows_[{network, ConvClass(conv.problem), row.threads}];
      rows.ours.push_back(ours);
      rows.exact.push_back(exact.empty() ? ours : exact);
      rows.precision_differs |= PrecisionDiffers(row, kOurSeries);
    }
  }

  void Print() const {
    constexpr char kLine[] = "%-18s %-14s %7s %5s %32s %32s %32s\n";
    std::cout << "\nthe smaller ratio of each row, over the rows of a class; "
                 "exact: of the line `exact` if there is one\n\n"
              << absl::StrFormat(kLine, "network", "class", "threads", "rows",
                                 "geomean", "exact geomean", "lowest");
    for (const auto& [key, rows] : rows_) {
      const auto& [network, kind, threads] = key;
      std::cout << absl::StrFormat(
          kLine, network, Marked(kind, rows.precision_differs),
          absl::StrCat(threads), absl::StrCat(rows.ours.size()),
          Cell(stats::GeometricMeanRatio(rows.ours)),
          Cell(stats::GeometricMeanRatio(rows.exact)), Cell(Lowest(rows.ours)));
    }
  }

 private:
  // The logarithms of the ratios of each row, indexed by round.
  struct Rows {
    std::vector<std::vector<double>> ours;
    // As `ours`, but for the line `exact` of the rows that have one.
    std::vector<std::vector<double>> exact;
    // True if the ratios of a row in `ours` must be marked.
    bool precision_differs = false;
  };

  static std::optional<stats::Ratio> Lowest(
      const std::vector<std::vector<double>>& rows) {
    std::optional<stats::Ratio> lowest;
    for (const std::vector<double>& row : rows) {
      const stats::Ratio ratio = stats::GeometricMeanRatio({row});
      if (!lowest.has_value() || ratio.value < lowest->value) lowest = ratio;
    }
    return lowest;
  }

  std::map<std::tuple<std::string, std::string, int>, Rows> rows_;
};

absl::Status RunOne(const NamedConv& conv, bool epilogue,
                    const KernelOptions& options, const References& references,
                    Summary* summary, const KeepComparison& keep) {
  ConvProblem p = conv.problem;
  p.bias_relu = epilogue;
  const ConvOperands operands = {
      UniformOperand(p.data_shape(), options.seed, "data"),
      UniformOperand(p.weight_shape(), options.seed, "weights"),
      UniformOperand({p.out_channels}, options.seed, "bias")};
  KernelProblem problem;
  problem.name = absl::StrCat(conv.network, "/", conv.layer);
  problem.text = absl::StrCat(ConvText(p), epilogue ? " epilogue" : "");
  problem.flops = p.flops();
  problem.precision = p.precision();
  problem.dump =
      absl::StrCat(conv.network, ".", conv.layer, epilogue ? ".epilogue" : "");
  problem.model = ConvModel(p, operands);
  problem.inputs = {{"data", operands.data}};
  problem.prepare = [&](Reference& reference, int threads) {
    return reference.PrepareConv(p, operands, threads);
  };
  problem.kernel_reference = "onednn";
  return MeasureProblem(problem, options, references, [&](Comparison row) {
    Comparison shown = row;
    shown.problem = ConvText(p);
    Print(shown, epilogue);
    summary->Add(conv, row);
    return keep(std::move(row));
  });
}

absl::Status RunConv(const KernelOptions& options, const References& references,
                     absl::string_view text, const KeepComparison& keep) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<NamedConv> convs,
                         ReadConvShapes("conv_shapes.csv", text));
  PrintHeader();
  Summary summary;
  for (const NamedConv& conv : convs) {
    if (!Selected(options, absl::StrCat(conv.network, "/", conv.layer))) {
      continue;
    }
    for (const bool epilogue : options.epilogues) {
      ASSAY_RETURN_IF_ERROR(
          RunOne(conv, epilogue, options, references, &summary, keep));
    }
  }
  summary.Print();
  return absl::OkStatus();
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  return assay::suites::KernelMain(
      argc, argv,
      {"conv",
       "Convolves as the networks in suites/kernels/conv_shapes.csv do, by "
       "this compiler's code\nand by libraries. Rows are called "
       "<network>/<layer>: `--filter=resnet18/` is a network.",
       {"onednn", "onnxruntime", "openvino"},
       /*takes_epilogue=*/true,
       "suites/kernels/conv_shapes.csv"},
      assay::suites::RunConv);
}
