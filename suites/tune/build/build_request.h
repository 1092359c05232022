// BuildRequest: a point of a task that is to be built, and its text, with which
// a process is asked to build it (serve_builds.h).
//
// The text is a JSON object on one line:
//
//   {"task":"4f0e…","target":"llvm …","implementation":"matmul.blocked",
//    "config":[["mc","ot",1]],"graph":"graph 4f0e…(%p0: float32[1,64]) …"}
#ifndef ASSAY_SUITES_TUNE_BUILD_BUILD_REQUEST_H_
#define ASSAY_SUITES_TUNE_BUILD_BUILD_REQUEST_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "compiler/driver/tuning_table.h"
#include "compiler/target/target.h"

namespace assay::suites {

struct BuildRequest {
  std::string task;  // its key (compiler/tune/task/tasks.h)
  target::Target target;
  driver::TunedKernel choice;
  // The kernel program as graph::ToCompleteText() prints it.
  std::string graph;
};

// Returns the text, without a newline.
std::string SerializeRequest(const BuildRequest& request);
// Returns InvalidArgument, with the name of the member, if the line is not a
// request. The graph is not parsed.
absl::StatusOr<BuildRequest> ParseRequest(absl::string_view line);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_BUILD_BUILD_REQUEST_H_
