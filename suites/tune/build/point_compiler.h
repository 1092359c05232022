// PointCompiler: compiles the points of tasks, one after the other.
//
//   PointCompiler compiler;
//   ASSAY_ASSIGN_OR_RETURN(const runtime::Artifact artifact,
//                          compiler.Compile(request));
//
// Consecutive points are usually those of one task, so the graph of the last
// request is kept. Not thread-safe.
//
// The compiler may crash on a point, or need minutes. Whoever must survive this
// asks another process to compile it (build_pool.h).
#ifndef ASSAY_SUITES_TUNE_BUILD_POINT_COMPILER_H_
#define ASSAY_SUITES_TUNE_BUILD_POINT_COMPILER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "compiler/graph/graph.h"
#include "runtime/artifact/artifact.h"
#include "suites/tune/build/build_request.h"

namespace assay::suites {

class PointCompiler {
 public:
  // Compiles the program with the choice for its kernel. Returns
  // InvalidArgument if the choice does not fit the kernel, or if the graph
  // cannot be parsed.
  absl::StatusOr<runtime::Artifact> Compile(const BuildRequest& request);

 private:
  std::string text_;                     // of graph_
  std::unique_ptr<graph::Graph> graph_;  // null before the first request
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_BUILD_POINT_COMPILER_H_
