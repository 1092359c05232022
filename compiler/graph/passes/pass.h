// Pass: one rewrite of a graph; RunPasses: a list of them, checked.
//
// A pass is one class in one file. Run() rewrites the graph in place and says
// truthfully whether it changed anything: its text, node names and ids count.
// An error leaves the graph in an unspecified but destructible state.
//
// The runner verifies the graph after each pass that changed it. An error
// carries the number and name of the pass.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_PASS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_PASS_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/graph/graph.h"

namespace assay::graph {

class Pass {
 public:
  virtual ~Pass() = default;

  // Short and unique: it stands in flags, dumps and errors. Each class gives
  // its constant kName.
  virtual absl::string_view name() const = 0;

  // True where the graph was changed.
  virtual absl::StatusOr<bool> Run(Graph& graph) = 0;
};

using PassList = std::vector<std::unique_ptr<Pass>>;

// After pass `index` of the list (from 0).
struct PassEvent {
  int index = 0;
  absl::string_view pass;
  bool changed = false;
  const Graph& graph;
};

// Before pass `index` of the list, which then failed, or after which the graph
// was not valid.
struct PassFailure {
  int index = 0;
  const Graph& before;
  const absl::Status& status;
};

struct PassRunOptions {
  // Compare the text before and after every pass with what the pass claimed.
  // Costs a print of the graph per pass; on in all tests.
  bool verify_changed = false;
  // Called after every pass, changed or not: the place to write dumps.
  std::function<absl::Status(const PassEvent&)> after_pass;
  // Called where a pass failed; what it returns is added to the error. The
  // place to write down how to see the failure again.
  std::function<std::string(const PassFailure&)> on_failure;
};

absl::Status RunPasses(const PassList& passes, Graph& graph,
                       const PassRunOptions& options = {});

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PASS_H_
