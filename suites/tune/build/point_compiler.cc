#include "suites/tune/build/point_compiler.h"

#include "compiler/driver/compile.h"
#include "compiler/driver/compile_options.h"
#include "compiler/graph/complete_text.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {

absl::StatusOr<runtime::Artifact> PointCompiler::Compile(
    const BuildRequest& request) {
  if (graph_ == nullptr || text_ != request.graph) {
    ASSAY_ASSIGN_OR_RETURN(graph_, graph::ParseCompleteText(request.graph));
    text_ = request.graph;
  }
  driver::CompileOptions options;
  options.tuned[request.task] = request.choice;
  return driver::CompileKernelGraph(*graph_, request.target, options);
}

}  // namespace assay::suites
