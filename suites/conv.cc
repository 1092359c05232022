// //suites:conv: compares the convolutions of networks with oneDNN and ONNX
// Runtime.
//
// There are two comparisons of equal work. The oneDNN primitive uses its own
// layouts, so it is compared with our convolution kernels, without the layout
// transformations at the edges of the model. ONNX Runtime runs a model with
// plain layouts, so it is compared with our whole artifact.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/kernels/compiled_kernel.h"
#include "suites/kernels/interpreted_model.h"
#include "suites/kernels/kernel_main.h"
#include "suites/kernels/shapes.h"
#include "suites/references/one_node_model.h"

namespace assay::suites {
namespace {

using Keep = std::function<absl::Status(Comparison)>;

constexpr char kFormat[] =
    "%-38s %-28s %4s %3s %8s %7s %6s %6s %8s %7s %6s %6s %7s\n";

void PrintHeader() {
  std::cout
      << "GFLOP/s. kernel: our convolution alone, against oneDNN's primitive; "
         "model: plain layout\nin and out, against ONNX Runtime. ratio, min: "
         "how many times as fast ours is, by medians\nand by fastest samples; "
         "best: the smaller of the two ratios\n\n"
      << absl::StrFormat(kFormat, "name", "problem", "epi", "thr", "kernel",
                         "onednn", "ratio", "min", "model", "ort", "ratio",
                         "min", "best");
}

// Returns the smaller of the two ratios, or the only one.
double Best(const Comparison& row) {
  const double kernel = row.Ratio("kernel", "onednn");
  const double model = row.Ratio("ours", "onnxruntime");
  if (kernel == 0 || model == 0) return std::max(kernel, model);
  return std::min(kernel, model);
}

void Print(const Comparison& row, bool epilogue) {
  std::cout << absl::StrFormat(
      kFormat, row.name, row.problem, epilogue ? "on" : "off",
      absl::StrCat(row.threads), Cell(row.GflopsOf("kernel"), 1),
      Cell(row.GflopsOf("onednn"), 1), Cell(row.Ratio("kernel", "onednn"), 2),
      Cell(row.MinRatio("kernel", "onednn"), 2), Cell(row.GflopsOf("ours"), 1),
      Cell(row.GflopsOf("onnxruntime"), 1),
      Cell(row.Ratio("ours", "onnxruntime"), 2),
      Cell(row.MinRatio("ours", "onnxruntime"), 2), Cell(Best(row), 2));
  PrintRemarks(row);
}

// Geometric means of Best() by network and class.
class Summary {
 public:
  void Add(const NamedConv& conv, const Comparison& row) {
    const double best = Best(row);
    if (best == 0) return;
    for (const std::string& network : {conv.network, std::string("all")}) {
      ratios_[{network, ConvClass(conv.problem), row.threads}].push_back(best);
    }
  }

  void Print() const {
    constexpr char kLine[] = "%-18s %-14s %7s %5s %8s %7s\n";
    std::cout << "\nbest, over the rows of a class\n\n"
              << absl::StrFormat(kLine, "network", "class", "threads", "rows",
                                 "geomean", "lowest");
    for (const auto& [key, values] : ratios_) {
      const auto& [network, kind, threads] = key;
      std::cout << absl::StrFormat(
          kLine, network, kind, absl::StrCat(threads),
          absl::StrCat(values.size()), Cell(GeometricMean(values), 3),
          Cell(*std::min_element(values.begin(), values.end()), 3));
    }
  }

 private:
  std::map<std::tuple<std::string, std::string, int>, std::vector<double>>
      ratios_;
};

absl::Status Measure(const ConvProblem& problem,
                     const runtime::Artifact& artifact,
                     const ConvOperands& operands, const KernelOptions& options,
                     const References& references,
                     InterpretedModel& interpreter, Comparison* row) {
  ASSAY_ASSIGN_OR_RETURN(
      const std::unique_ptr<runtime::Session> ours,
      LoadKernel(artifact, nullptr, {{"data", operands.data}}, row->threads));
  const std::unique_ptr<runtime::Session> kernel =
      WithoutLayoutTransforms(*ours, artifact);
  const std::vector<Contender> contenders = {{"ours", ours.get()},
                                             {"kernel", kernel.get()}};
  const std::string plain = PlainLayoutNote(artifact);
  if (!plain.empty()) row->notes.push_back(plain);
  const auto prepare = [&](Reference& reference) {
    return reference.PrepareConv(problem, operands, row->threads);
  };
  return CompareWithReferences(contenders, references.loaded, prepare,
                               interpreter, options, row);
}

absl::Status RunOne(const NamedConv& conv, bool epilogue,
                    const KernelOptions& options, const References& references,
                    Summary* summary, const Keep& keep) {
  ConvProblem problem = conv.problem;
  problem.bias_relu = epilogue;
  const ConvOperands operands = {
      UniformOperand(problem.data_shape(), options.seed, "data"),
      UniformOperand(problem.weight_shape(), options.seed, "weights"),
      UniformOperand({problem.out_channels}, options.seed, "bias")};
  const std::string name = absl::StrCat(conv.network, "/", conv.layer);
  InterpretedModel interpreter(ConvModel(problem, operands),
                               {{"data", operands.data}});
  for (const int threads : options.threads) {
    Comparison row;
    row.name = name;
    row.problem = absl::StrCat(ConvText(problem), epilogue ? " epilogue" : "");
    row.threads = threads;
    row.flops = problem.flops();
    const std::string dump =
        options.dump_dir.empty()
            ? ""
            : JoinPath(options.dump_dir,
                       absl::StrCat(conv.network, ".", conv.layer,
                                    epilogue ? ".epilogue" : "", ".threads",
                                    threads));
    const absl::StatusOr<runtime::Artifact> artifact = CompileForThisMachine(
        name, ConvModel(problem, operands), threads, options.exact, dump);
    absl::Status status = artifact.status();
    if (status.ok()) {
      status = Measure(problem, *artifact, operands, options, references,
                       interpreter, &row);
    }
    if (!status.ok()) row.notes.emplace_back(status.message());
    Comparison shown = row;
    shown.problem = ConvText(problem);
    Print(shown, epilogue);
    summary->Add(conv, row);
    ASSAY_RETURN_IF_ERROR(keep(std::move(row)));
  }
  return absl::OkStatus();
}

absl::Status RunConv(const KernelOptions& options, const References& references,
                     absl::string_view text, const Keep& keep) {
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
      {{"conv",
        "Convolves as the networks in suites/kernels/conv_shapes.csv do, by "
        "this compiler's code\nand by libraries. Rows are called "
        "<network>/<layer>: `--filter=resnet18/` is a network.",
        {"onednn", "onnxruntime"},
        /*takes_epilogue=*/true},
       "suites/kernels/conv_shapes.csv",
       assay::suites::RunConv});
}
