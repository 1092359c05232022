// ServeBuilds and PointCompiler: build points for another program, over a pair
// of pipes. First, ServeBuilds() writes the line `ready`. Each line of input is
// a request (build_request.h), which it answers with these lines:
//
//   part BASE64        a part of the artifact's file, once or more
//   ok                 the end of the artifact
//
// or, if the point cannot be built, with one line:
//
//   fail CODE MESSAGE  the error (runtime/measure/block_text.h)
//
// The artifact is not passed in a file, so that a full disk does not make a
// build fail. Both programs are always of the same commit.
#ifndef ASSAY_SUITES_TUNE_BUILD_SERVE_BUILDS_H_
#define ASSAY_SUITES_TUNE_BUILD_SERVE_BUILDS_H_

#include <functional>
#include <istream>
#include <memory>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "runtime/artifact/artifact.h"
#include "suites/tune/build/build_request.h"

namespace assay::suites {

// Returns at the end of the input. `compile` builds a point.
void ServeBuilds(
    std::istream& in, std::ostream& out,
    const std::function<absl::StatusOr<runtime::Artifact>(const BuildRequest&)>&
        compile);

// Compiles the points of tasks, one after the other. Consecutive points are
// usually those of one task, so the graph of the last request is kept. Not
// thread-safe. The compiler may crash on a point, or need minutes. A caller
// that must survive this uses a BuildPool (build_pool.h) instead.
class PointCompiler {
 public:
  // Compiles the graph of `request` with the configuration that it has for its
  // kernel (build_request.h). Returns
  // InvalidArgument if the choice does not fit the kernel, or if the graph
  // cannot be parsed.
  absl::StatusOr<runtime::Artifact> Compile(const BuildRequest& request);

 private:
  std::string text_;                     // of graph_
  std::unique_ptr<graph::Graph> graph_;  // null before the first request
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_BUILD_SERVE_BUILDS_H_
