// Pass: a rewrite of a graph. RunPasses: runs a list of passes and checks their
// results.
//
// A pass is one class in one file. Run() rewrites the graph in place. If Run()
// returns an error, the graph is in an unspecified state and can only be
// destroyed.
//
// RunPasses verifies the graph after each pass that changed it. Its errors
// contain the index (from 0) and the name of the pass. If a check fails in a
// pass, its message contains the name, too (runtime/base/check_context.h).
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

  // Returns the kName of the class, a short and unique name for flags, dumps
  // and error messages.
  virtual absl::string_view name() const = 0;

  // Returns true if the text of the graph, including node names and ids, was
  // changed.
  virtual absl::StatusOr<bool> Run(Graph& graph) = 0;
};

using PassList = std::vector<std::unique_ptr<Pass>>;

// The state after the pass with index `index` in the list, counted from 0.
struct PassEvent {
  int index = 0;
  absl::string_view pass;
  bool changed = false;
  const Graph& graph;
};

// The state before a pass that failed or left an invalid graph. `index` is the
// index of this pass in the list, counted from 0.
struct PassFailure {
  int index = 0;
  const Graph& before;
  const absl::Status& status;
  // True if a check failed in the pass. Then `status` contains the message of
  // the check, and the process is about to end.
  bool check_failed = false;
};

struct PassRunOptions {
  // If true, RunPasses compares the texts of the graph before and after every
  // pass. It returns an Internal error if Run() reported a change but the texts
  // are equal, or reported no change but the texts differ. This option is slow,
  // because it converts the graph to text twice per pass.
  bool verify_changed = false;
  // Called after every successful pass, for example to write dumps. An error of
  // this function stops RunPasses, which returns the error.
  std::function<absl::Status(const PassEvent&)> after_pass;
  // Called when a pass fails, for example to write a reproducer. If the result
  // is not empty, it is appended to the error message after a semicolon, or, if
  // a check failed, printed after the message of the check. If on_failure is
  // set, the graph is copied before every pass.
  std::function<std::string(const PassFailure&)> on_failure;
};

absl::Status RunPasses(const PassList& passes, Graph& graph,
                       const PassRunOptions& options = {});

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_PASS_H_
