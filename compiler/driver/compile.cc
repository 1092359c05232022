#include "compiler/driver/compile.h"

#include <memory>
#include <utility>

#include "compiler/codegen/llvm/host_target.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/plan.h"
#include "compiler/driver/stages.h"
#include "compiler/graph/views.h"
#include "runtime/abi/abi.h"
#include "runtime/base/status_macros.h"

namespace assay::driver {

using graph::Graph;
using graph::Node;
using graph::OpKind;

absl::StatusOr<runtime::Artifact> Compile(const Graph& model,
                                          const target::Target& target,
                                          const CompileOptions& options) {
  DumpDir dump(options.dump_dir);
  const std::unique_ptr<Graph> graph = model.Clone();
  ASSAY_RETURN_IF_ERROR(OptimizeGraph(*graph, target, options, dump));
  KernelLowering lowering(target, options.verify, dump);
  const graph::Views views = graph::FindViews(*graph, ASSAY_BUFFER_ALIGNMENT);
  for (const Node* node : graph->Nodes()) {
    if (node->kind() != OpKind::kKernel || views.idle.contains(node)) continue;
    ASSAY_RETURN_IF_ERROR(lowering.Add(*node).status());
  }
  ASSAY_ASSIGN_OR_RETURN(
      runtime::Artifact artifact,
      BuildPlan(*graph, views, lowering.symbols(), options.max_memory));
  if (!lowering.functions().empty()) {
    ASSAY_ASSIGN_OR_RETURN(artifact.code,
                           GenerateCode(lowering.functions(), target, dump));
  }
  DescribeArtifact(model, target, options.fusion, artifact);
  return artifact;
}

absl::StatusOr<target::Target> ResolveTarget(absl::string_view text) {
  return codegen::ResolveTarget(text);
}

}  // namespace assay::driver
