// //suites:conv: compares the convolutions of networks with oneDNN, ONNX
// Runtime and OpenVINO.
//
// There are two comparisons of equal work. The oneDNN primitive uses its own
// layouts, so it is compared with our convolution kernels, without the layout
// transformations at the edges of the model. ONNX Runtime and OpenVINO run a
// model with plain layouts, so they are compared with our whole artifact. If an
// algorithm that is not exact was chosen (Winograd's, or products of split
// numbers on a matrix unit), both comparisons are made for the program without
// it, too.
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/stats/ratio.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"
#include "suites/kernels/compiled_kernel.h"
#include "suites/kernels/interpreted_model.h"
#include "suites/kernels/kernel_main.h"
#include "suites/kernels/shapes.h"
#include "suites/references/parity.h"
#include "suites/references/problem.h"

namespace assay::suites {
namespace {

using Keep = std::function<absl::Status(Comparison)>;

// The names of the series of one of our programs.
struct ProgramSeries {
  const char* kernel;  // the convolution kernel alone
  const char* model;   // the whole program
};
constexpr ProgramSeries kOurs = {"kernel", "ours"};
constexpr ProgramSeries kExact = {"exact_kernel", "exact"};

// The references that run models with plain layouts.
constexpr const char* kModelReferences[] = {"onnxruntime", "openvino"};

constexpr char kFormat[] =
    "%-38s %-28s %4s %3s %-15s %8s %7s %32s %8s %7s %7s %32s\n";

void PrintHeader() {
  std::cout
      << "nominal GFLOP/s: counts the operations of the definition; Winograd's "
         "algorithm needs fewer,\nand bf16x3 computes with numbers that are "
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
  PrintLine(row, epilogue, row.algorithm.empty() ? "-" : row.algorithm, kOurs);
  if (row.MedianNs(kExact.model) > 0) {
    PrintLine(row, epilogue, "exact", kExact);
  }
  PrintRemarks(row);
}

// Geometric means of the smaller ratios of the rows by network and class.
class Summary {
 public:
  void Add(const NamedConv& conv, const Comparison& row) {
    const std::vector<double> ours = SmallerLogRatios(row, kOurs);
    if (ours.empty()) return;
    const std::vector<double> exact = SmallerLogRatios(row, kExact);
    for (const std::string& network : {conv.network, std::string("all")}) {
      Rows& rows = rows_[{network, ConvClass(conv.problem), row.threads}];
      rows.ours.push_back(ours);
      rows.exact.push_back(exact.empty() ? ours : exact);
      rows.precision_differs |= PrecisionDiffers(row, kOurs);
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

absl::Status Measure(const ConvProblem& problem,
                     const CompiledPrograms& programs,
                     const ConvOperands& operands, const KernelOptions& options,
                     const References& references,
                     InterpretedModel& interpreter, Comparison* row) {
  const runtime::Artifact* exact =
      programs.exact.has_value() ? &*programs.exact : nullptr;
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<runtime::Session> session,
                         LoadKernel(programs.ours, exact,
                                    {{"data", operands.data}}, row->threads));
  const std::unique_ptr<runtime::Session> kernel =
      WithoutLayoutTransforms(*session, programs.ours);
  const auto parity = [&](const runtime::Artifact& program,
                          TensorLayout layout) {
    Parity parity = OurParity(session->threads(), program);
    parity.precision = problem.precision();
    parity.layout = layout;
    return parity;
  };
  std::vector<Entrant> entrants = {
      {{kOurs.model, session.get()},
       parity(programs.ours, TensorLayout::kPlain)},
      {{kOurs.kernel, kernel.get()},
       parity(programs.ours, TensorLayout::kOwn),
       /*peer=*/"onednn"}};
  const std::string plain = PlainLayoutNote(programs.ours);
  if (!plain.empty()) row->notes.push_back(plain);
  std::unique_ptr<runtime::Session> exact_kernel;
  if (exact != nullptr) {
    exact_kernel = WithoutLayoutTransforms(*session, *exact);
    entrants.push_back({{kExact.model, session.get(), /*program=*/1},
                        parity(*exact, TensorLayout::kPlain)});
    entrants.push_back({{kExact.kernel, exact_kernel.get(), /*program=*/1},
                        parity(*exact, TensorLayout::kOwn),
                        /*peer=*/"onednn"});
    const std::string plain_exact = PlainLayoutNote(*exact);
    if (!plain_exact.empty()) {
      row->notes.push_back(absl::StrCat("exact: ", plain_exact));
    }
  }
  const auto prepare = [&](Reference& reference) {
    return reference.PrepareConv(problem, operands, row->threads);
  };
  return CompareWithReferences(std::move(entrants), references.loaded, prepare,
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
    const absl::StatusOr<CompiledPrograms> programs = CompileForThisMachine(
        name, ConvModel(problem, operands), threads, options.exact, dump);
    absl::Status status = programs.status();
    if (status.ok()) {
      row.algorithm = AlgorithmOf(programs->ours);
      status = Measure(problem, *programs, operands, options, references,
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
        {"onednn", "onnxruntime", "openvino"},
        /*takes_epilogue=*/true},
       "suites/kernels/conv_shapes.csv",
       assay::suites::RunConv});
}
