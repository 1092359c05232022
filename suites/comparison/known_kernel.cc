#include "suites/comparison/known_kernel.h"

#include <memory>
#include <utility>

#include "compiler/driver/compile.h"
#include "compiler/graph/parser.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "suites/comparison/twin.h"

namespace assay::suites {
namespace {

struct Source {
  const char* name;
  const char* graph;
};
constexpr Source kSources[] = {
    {"add",
     "graph add(%x: float32[32,512], %y: float32[32,512]) -> (y=%2) {\n"
     "  %1: float32[32,512] = add(%x, %y)\n"
     "  %2: float32[32,512] = relu(%1)\n}"},
    {"conv2d",
     "graph conv2d(%x: float32[1,8,14,14], %w: float32[16,8,3,3]) -> (y=%2) {\n"
     "  %1: float32[1,16,14,14] = conv2d(%x, %w) {strides=[1,1], "
     "padding=[1,1,1,1], dilations=[1,1], groups=1}\n"
     "  %2: float32[1,16,14,14] = relu(%1)\n}"},
    {"matmul",
     "graph matmul(%x: float32[48,64], %y: float32[64,48]) -> (y=%1) {\n"
     "  %1: float32[48,48] = matmul(%x, %y)\n}"},
};

// Large enough to be divided among several threads.
constexpr Source kParallelMatmul = {
    "parallel_matmul",
    "graph matmul(%x: float32[256,256], %y: float32[256,256]) -> (y=%1) {\n"
    "  %1: float32[256,256] = matmul(%x, %y)\n}"};

absl::StatusOr<KnownKernel> Compile(const Source& source, int threads = 1) {
  ASSAY_ASSIGN_OR_RETURN(const auto graph, graph::ParseGraph(source.graph));
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         driver::ResolveTarget("llvm -mcpu=native"));
  KnownKernel kernel;
  kernel.name = source.name;
  ASSAY_ASSIGN_OR_RETURN(
      kernel.artifact, driver::Compile(*graph, target.WithCores(threads), {}));
  Rng rng(1);
  for (const graph::Node* input : graph->inputs()) {
    NDArray value(input->type().dtype, input->type().shape);
    rng.FillUniform(value, -1, 1);
    kernel.inputs.push_back({input->name(), std::move(value)});
  }
  return kernel;
}

}  // namespace

absl::StatusOr<std::vector<KnownKernel>> CompileKnownKernels() {
  std::vector<KnownKernel> kernels;
  for (const Source& source : kSources) {
    ASSAY_ASSIGN_OR_RETURN(KnownKernel kernel, Compile(source));
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

absl::StatusOr<KnownKernel> CompileMatmul(int threads) {
  return threads == 1 ? Compile(kSources[2])
                      : Compile(kParallelMatmul, threads);
}

KnownPair PairOf(const KnownKernel& kernel) {
  return {kernel.artifact, MakeTwin(kernel.artifact, /*seed=*/1),
          kernel.inputs};
}

PairLoader LoaderOf(const KnownPair& pair, double extra_work,
                    runtime::Runner& runner, int threads, bool separate) {
  return [&pair, extra_work, &runner, threads, separate](
             const PairPlacement& placement) -> absl::StatusOr<ProgramPair> {
    const auto load = [&](absl::Span<const runtime::Artifact* const> artifacts,
                          bool) {
      auto session = runner.Load(artifacts, {threads, placement.seed});
      if (!session.ok()) return session;
      const absl::Status set = (*session)->SetInputs(pair.inputs);
      if (!set.ok()) session = set;
      return session;
    };
    bool together = !separate;
    using Loaded = LoadedPair<runtime::Session>;
    ASSAY_ASSIGN_OR_RETURN(
        Loaded loaded, LoadInOrder<runtime::Session>(
                           &pair.base, &pair.twin, placement, &together, load));
    ProgramPair programs;
    programs.base = {"kernel", loaded.base.get(), loaded.base_program};
    programs.run = {"twin", loaded.run.get(), loaded.run_program, extra_work};
    programs.owner = std::make_shared<const Loaded>(std::move(loaded));
    return programs;
  };
}

}  // namespace assay::suites
