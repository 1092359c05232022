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

absl::StatusOr<KnownKernel> Compile(const Source& source) {
  ASSAY_ASSIGN_OR_RETURN(const auto graph, graph::ParseGraph(source.graph));
  ASSAY_ASSIGN_OR_RETURN(const target::Target target,
                         driver::ResolveTarget("llvm -mcpu=native"));
  KnownKernel kernel;
  kernel.name = source.name;
  ASSAY_ASSIGN_OR_RETURN(kernel.artifact,
                         driver::Compile(*graph, target.WithCores(1), {}));
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

KnownPair PairOf(const KnownKernel& kernel) {
  return {kernel.artifact, MakeTwin(kernel.artifact, /*seed=*/1),
          kernel.inputs};
}

PairLoader LoaderOf(const KnownPair& pair, double extra_work,
                    runtime::Runner& runner, int threads, bool separate) {
  using SessionOr = absl::StatusOr<std::unique_ptr<runtime::Session>>;
  return [&pair, extra_work, &runner, threads, separate](
             const PairPlacement& placement) -> absl::StatusOr<ProgramPair> {
    auto sessions =
        std::make_shared<std::vector<std::unique_ptr<runtime::Session>>>();
    const auto load =
        [&](absl::Span<const runtime::Artifact* const> artifacts) {
          SessionOr session = runner.Load(artifacts, {threads, placement.seed});
          if (session.ok()) sessions->push_back(*std::move(session));
          return session.status();
        };
    std::vector<const runtime::Artifact*> order = {&pair.base, &pair.twin};
    if (placement.run_first) std::swap(order[0], order[1]);
    const absl::Status together =
        separate ? absl::UnimplementedError("") : load(order);
    if (absl::IsUnimplemented(together)) {
      ASSAY_RETURN_IF_ERROR(load({order[0]}));
      ASSAY_RETURN_IF_ERROR(load({order[1]}));
    } else {
      ASSAY_RETURN_IF_ERROR(together);
    }
    for (const auto& session : *sessions) {
      ASSAY_RETURN_IF_ERROR(session->SetInputs(pair.inputs));
    }
    // The session and the number in it of the program that was loaded k-th.
    const auto contender = [&](size_t k) {
      Contender c;
      c.session =
          sessions->size() == 2 ? (*sessions)[k].get() : (*sessions)[0].get();
      c.program = sessions->size() == 2 ? 0 : static_cast<int>(k);
      return c;
    };
    ProgramPair loaded;
    loaded.base = contender(placement.run_first ? 1 : 0);
    loaded.run = contender(placement.run_first ? 0 : 1);
    loaded.run.extra_work = extra_work;
    loaded.owner = sessions;
    return loaded;
  };
}

}  // namespace assay::suites
