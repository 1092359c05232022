// Pass: one rewrite of a graph; RunPasses: a list of them, checked.
//
// A pass is one class in one file. Run() rewrites the graph in place and
// returns true if it changed anything that the text of the graph shows, node
// names and ids included. After an error the graph is in an unspecified but
// destructible state.
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

  // A short, unique name for flags, dumps and errors: the kName of the class.
  virtual absl::string_view name() const = 0;

  // Returns true if the graph was changed.
  virtual absl::StatusOr<bool> Run(Graph& graph) = 0;
};

using PassList = std::vector<std::unique_ptr<Pass>>;

// The state after pass `index` of the list (from 0).
struct PassEvent {
  int index = 0;
  absl::string_view pass;
  bool changed = false;
  const Graph& graph;
};

// The state before pass `index` of the list, which failed or left an invalid
// graph.
struct PassFailure {
  int index = 0;
  const Graph& before;
  const absl::Status& status;
};

struct PassRunOptions {
  // Compare the text before and after every pass with what the pass claimed.
  // Costs a print of the graph per pass; on in all tests.
  bool verify_changed = false;
  // Called after every pass, whether it changed the graph or not. For dumps.
  std::function<absl::Status(const PassEvent&)> after_pass;
  // Called when a pass fails; the result is appended to the error. For writing
  // a reproducer.
  std::function<std::string(const PassFailure&)> on_failure;
};

absl::Status RunPasses(const PassList& passes, Graph& graph,
                       const PassRunOptions& options = {});

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PASS_H_
