// //suites:kernel: compiles one operator as one kernel and explains its speed.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "benchmark/benchmark.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/compile_kernel.h"
#include "compiler/graph/reference/evaluate.h"
#include "reports/stats/summary.h"
#include "runtime/base/clock.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "runtime/device/cpu/cpu_count.h"
#include "suites/correctness/accuracy.h"
#include "suites/kernels/compiled_kernel.h"
#include "suites/kernels/error_verdict.h"
#include "suites/kernels/operator_options.h"
#include "suites/kernels/peak/arithmetic.h"
#include "suites/kernels/peak/machine_peak.h"
#include "suites/kernels/roofline.h"
#include "suites/kernels/spill_count.h"
#include "suites/references/problem.h"

namespace assay::suites {
namespace {

using driver::CompiledOperator;

std::string Indented(absl::string_view text) {
  return absl::StrCat("  ", absl::StrReplaceAll(text, {{"\n", "\n  "}}));
}

// Prints the chosen implementation with its schedule parameters, and the names
// of the alternatives.
void PrintChoice(const CompiledOperator& op, std::ostream& out) {
  if (op.implementation.empty()) {
    out << "implementation: one element-wise loop nest, nothing to choose\n";
    return;
  }
  out << "implementation: " << op.implementation
      << "\nconfig: " << (op.config.empty() ? "nothing to choose" : op.config)
      << "\n";
  for (const driver::KernelCandidate& c : op.candidates) {
    out << absl::StrFormat("%s %s  %d point%s  %.3g ms by the model%s\n",
                           c.name == op.implementation ? "*" : " ", c.name,
                           c.points, c.points == 1 ? "" : "s",
                           1e3 * c.model_seconds, c.exact ? "" : "  not exact");
    if (c.name != op.implementation) continue;
    for (const std::string& knob : c.knobs) out << "    " << knob << "\n";
  }
}

absl::Status PrintKernel(const CompiledOperator& op,
                         const target::Target& target,
                         const std::string& dump_dir, std::ostream& out) {
  ASSAY_ASSIGN_OR_RETURN(
      const std::string assembly,
      ReadFile(JoinPath(dump_dir, absl::StrCat("kernel.", op.symbol, ".s"))));
  out << op.instance << "\non " << target.ToString() << "\n";
  PrintChoice(op, out);
  out << "schedule:\n"
      << Indented(absl::StripTrailingAsciiWhitespace(op.schedule))
      << absl::StrFormat("\n%.4g MFLOP on %.4g MB of operands and result\n",
                         1e-6 * static_cast<double>(op.flops),
                         1e-6 * static_cast<double>(op.bytes))
      << "vector register spills: "
      << ToString(CountSpills(assembly, target.arch())) << "\n"
      << std::flush;
  return absl::OkStatus();
}

// Inputs of the kernel and expected output, computed by the interpreter.
struct Problem {
  NDArray answer;                  // output of the plain model
  runtime::NamedTensors operands;  // inputs of the kernel
};

absl::StatusOr<Problem> Interpret(const graph::Graph& model,
                                  const CompiledOperator& op, uint64_t seed) {
  std::vector<NDArray> inputs;
  for (const graph::Node* node : model.inputs()) {
    inputs.push_back(UniformOperand(node->type().shape, seed, node->name(),
                                    node->type().dtype));
  }
  Problem problem;
  ASSAY_ASSIGN_OR_RETURN(const std::vector<NDArray> answers,
                         graph::Evaluate(model, inputs));
  problem.answer = answers[0];
  ASSAY_ASSIGN_OR_RETURN(const std::vector<NDArray> operands,
                         graph::EvaluateStored(*op.before, inputs));
  for (size_t i = 0; i < operands.size(); ++i) {
    problem.operands.push_back({absl::StrCat("p", i), operands[i]});
  }
  return problem;
}

// Runs the kernel and judges the error of its output.
absl::StatusOr<ErrorVerdict> CheckResult(const Problem& problem,
                                         const CompiledOperator& op,
                                         runtime::Session& kernel) {
  ASSAY_ASSIGN_OR_RETURN(const runtime::Sample sample,
                         runtime::RunOnce(kernel));
  ASSAY_ASSIGN_OR_RETURN(
      const std::vector<NDArray> outputs,
      graph::EvaluateStored(*op.after, {sample.outputs.at(0).value}));
  const Accuracy accuracy =
      CheckOutputs({{"out", outputs[0]}}, {{"out", problem.answer}});
  return JudgeError(accuracy, op.error_bound, AlgorithmOf(op.artifact));
}

// A kernel with a number of threads, and the nanoseconds per run of each
// repetition.
struct Timed {
  int threads = 1;
  std::unique_ptr<runtime::Session> kernel;
  int64_t iterations = 0;
  std::vector<double> samples_ns;
  absl::Status status;
};

// Google Benchmark calls this with increasing numbers of iterations until the
// time is long enough; only calls with the largest number are samples.
void TimeKernel(benchmark::State& state, Timed& timed, int64_t flops) {
  runtime::Block block;
  block.samples = {{/*program=*/0, static_cast<int64_t>(state.max_iterations)}};
  double nanos = 0;  // of one run
  while (state.KeepRunningBatch(block.samples[0].number)) {
    const auto samples = timed.kernel->RunBlock(block);
    timed.status.Update(samples.status());
    if (!timed.status.ok()) break;
    nanos = samples->at(0).NanosPerRun();
  }
  if (!timed.status.ok()) {
    state.SkipWithError(std::string(timed.status.message()).c_str());
    return;
  }
  state.counters["FLOP/s"] =
      benchmark::Counter(static_cast<double>(flops),
                         benchmark::Counter::kIsIterationInvariantRate);
  if (state.iterations() > timed.iterations) timed.samples_ns.clear();
  timed.iterations = std::max<int64_t>(timed.iterations, state.iterations());
  if (state.iterations() == timed.iterations) {
    timed.samples_ns.push_back(nanos);
  }
}

void PrintTimes(const Timed& timed, const CompiledOperator& op,
                const MachinePeak& peak, std::ostream& out) {
  const double nanos = stats::Summarize(timed.samples_ns).median;
  out << absl::StrFormat("\n%d thread%s: %.3f us (median of %d)\n",
                         timed.threads, timed.threads == 1 ? "" : "s",
                         1e-3 * nanos, timed.samples_ns.size());
  const std::optional<Arithmetic> arithmetic =
      ArithmeticOf(op.instance, op.implementation);
  std::optional<Roofline> line;
  if (arithmetic.has_value()) {
    line = RooflineOf(peak, *arithmetic, timed.threads, op.flops, op.bytes,
                      1e-9 * nanos);
  }
  if (line.has_value()) {
    out << Indented(line->ToString()) << "\n";
    return;
  }
  out << absl::StrFormat("  %.1f nominal GFLOP/s, %.1f GB/s; ",
                         static_cast<double>(op.flops) / nanos,
                         static_cast<double>(op.bytes) / nanos)
      << (peak.gflops.empty()
              ? "percentages need `//suites:peak` to have run once\n"
              : "the peak of this arithmetic is not known for that number of "
                "threads\n");
}

absl::StatusOr<ExitCode> Measure(const OperatorOptions& options,
                                 const graph::Graph& model,
                                 const CompiledOperator& op,
                                 std::ostream& out) {
  ASSAY_ASSIGN_OR_RETURN(const Problem problem,
                         Interpret(model, op, options.seed));
  std::vector<Timed> timed(options.threads.size());
  for (size_t i = 0; i < timed.size(); ++i) {
    timed[i].threads = options.threads[i];
    ASSAY_ASSIGN_OR_RETURN(
        timed[i].kernel,
        LoadKernel(op.artifact, nullptr, problem.operands, timed[i].threads));
    ASSAY_ASSIGN_OR_RETURN(const ErrorVerdict error,
                           CheckResult(problem, op, *timed[i].kernel));
    if (!error.correct) {
      std::cerr << "wrong result on " << timed[i].threads
                << " thread(s): " << error.text << "\n";
      return ExitCode::kWrongResult;
    }
    out << timed[i].threads << (timed[i].threads == 1 ? " thread" : " threads")
        << ": " << error.text << "\n";
    benchmark::RegisterBenchmark(
        absl::StrCat(options.problem.op, "/", options.problem.ToString(),
                     "/threads:", timed[i].threads)
            .c_str(),
        [&timed, &op, i](benchmark::State& state) {
          TimeKernel(state, timed[i], op.flops);
        })
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
  }
  out << "\n" << std::flush;
  if (benchmark::RunSpecifiedBenchmarks() == 0) {
    return absl::InvalidArgumentError(
        "`--benchmark_filter` leaves nothing to measure");
  }
  const MachinePeak peak = StoredPeak();
  for (const Timed& one : timed) {
    ASSAY_RETURN_IF_ERROR(one.status);
    // Empty if the benchmark is filtered out or only listed.
    if (!one.samples_ns.empty()) PrintTimes(one, op, peak, out);
  }
  return ExitCode::kPass;
}

absl::Status InitializeBenchmark(char* program,
                                 const OperatorOptions& options) {
  std::vector<std::string> flags = options.benchmark_flags;
  std::vector<char*> argv = {program};
  for (std::string& flag : flags) argv.push_back(flag.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  benchmark::Initialize(&argc, argv.data());
  if (argc <= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("`", argv[1], "` is no flag of Google Benchmark"));
}

absl::StatusOr<ExitCode> Run(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  ASSAY_ASSIGN_OR_RETURN(
      OperatorOptions options,
      ParseOperatorOptions(arguments, runtime::UsableCpuCount()));
  if (options.help.has_value()) {
    std::cout << *options.help;
    return ExitCode::kPass;
  }
  ASSAY_RETURN_IF_ERROR(InitializeBenchmark(argv[0], options));
  const bool here = options.target.empty();
  ASSAY_ASSIGN_OR_RETURN(
      const target::Target target,
      driver::ResolveTarget(here ? "llvm -mcpu=native" : options.target));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<graph::Graph> model,
                         OperatorModel(options.problem, options.seed));
  // The assembly is always read from the dump.
  ASSAY_ASSIGN_OR_RETURN(const TempDir scratch, TempDir::Create("kernel"));
  if (options.compile.dump_dir.empty()) {
    options.compile.dump_dir = scratch.path();
  }
  ASSAY_ASSIGN_OR_RETURN(
      const CompiledOperator op,
      driver::CompileKernel(*model, target, options.compile));
  std::ostream& out = options.machine_readable ? std::cerr : std::cout;
  ASSAY_RETURN_IF_ERROR(PrintKernel(op, target, options.compile.dump_dir, out));
  if (!here) return ExitCode::kPass;
  return Measure(options, *model, op, out);
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) {
  return assay::RunMain([&] { return assay::suites::Run(argc, argv); });
}
