#include "compiler/graph/passes/pass.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/verifier.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

absl::Status RunOne(Pass& pass, Graph& graph, const PassRunOptions& options,
                    bool* changed) {
  const std::string before =
      options.verify_changed ? ToString(graph) : std::string();
  ASSAY_ASSIGN_OR_RETURN(*changed, pass.Run(graph));
  if (options.verify_changed && (ToString(graph) != before) != *changed) {
    return absl::InternalError(
        *changed ? "claims a change but the graph is the same"
                 : "claims no change but the graph is another");
  }
  return *changed ? Verify(graph) : absl::OkStatus();
}

}  // namespace

absl::Status RunPasses(const PassList& passes, Graph& graph,
                       const PassRunOptions& options) {
  for (size_t i = 0; i < passes.size(); ++i) {
    const int index = static_cast<int>(i);
    // Constants are shared, so a copy costs little.
    const std::unique_ptr<Graph> before =
        options.on_failure ? graph.Clone() : nullptr;
    bool changed = false;
    absl::Status status = RunOne(*passes[i], graph, options, &changed);
    if (!status.ok()) {
      status = absl::Status(status.code(),
                            absl::StrCat("pass ", i, " (", passes[i]->name(),
                                         "): ", status.message()));
      if (!options.on_failure) return status;
      return absl::Status(
          status.code(),
          absl::StrCat(status.message(),
                       options.on_failure({index, *before, status})));
    }
    if (options.after_pass) {
      ASSAY_RETURN_IF_ERROR(
          options.after_pass({index, passes[i]->name(), changed, graph}));
    }
  }
  return absl::OkStatus();
}

}  // namespace assay::graph
