#include "compiler/graph/passes/pass.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/verifier.h"
#include "runtime/base/check_context.h"
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
    const absl::string_view name = passes[i]->name();
    // Constants are shared, so a copy costs little.
    const std::unique_ptr<Graph> before =
        options.on_failure ? graph.Clone() : nullptr;
    // Returns an empty string if there is nothing to add to the error.
    const auto note = [&](const absl::Status& failure, bool check_failed) {
      return before == nullptr
                 ? std::string()
                 : options.on_failure({index, *before, failure, check_failed});
    };
    const auto with_pass = [&](absl::string_view message) {
      return absl::StrCat("pass ", index, " (", name, "): ", message);
    };
    const ScopedCheckContext context("in pass", name);
    const OnCheckFailure on_check_failure([&](absl::string_view failure) {
      return note(absl::InternalError(with_pass(failure)), true);
    });
    bool changed = false;
    const absl::Status status = RunOne(*passes[i], graph, options, &changed);
    if (!status.ok()) {
      const absl::Status named(status.code(), with_pass(status.message()));
      const std::string more = note(named, false);
      if (more.empty()) return named;
      return absl::Status(named.code(),
                          absl::StrCat(named.message(), "; ", more));
    }
    if (options.after_pass) {
      ASSAY_RETURN_IF_ERROR(options.after_pass({index, name, changed, graph}));
    }
  }
  return absl::OkStatus();
}

}  // namespace assay::graph
