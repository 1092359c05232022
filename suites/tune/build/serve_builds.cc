#include "suites/tune/build/serve_builds.h"

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/compile_options.h"
#include "compiler/graph/complete_text.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/block_text.h"

namespace assay::suites {
namespace {

// A line is shorter than a reader accepts (runtime/process/line_protocol.h).
constexpr size_t kPartBytes = size_t{48} << 10;

void WriteArtifact(const runtime::Artifact& artifact, std::ostream& out) {
  const std::string bytes = runtime::Serialize(artifact);
  for (size_t begin = 0; begin < bytes.size(); begin += kPartBytes) {
    const absl::string_view part =
        absl::string_view(bytes).substr(begin, kPartBytes);
    out << "part " << absl::Base64Escape(part) << "\n";
  }
  out << "ok\n";
}

}  // namespace

void ServeBuilds(
    std::istream& in, std::ostream& out,
    const std::function<absl::StatusOr<runtime::Artifact>(const BuildRequest&)>&
        compile) {
  const auto build =
      [&](const std::string& line) -> absl::StatusOr<runtime::Artifact> {
    ASSAY_ASSIGN_OR_RETURN(const BuildRequest request, ParseRequest(line));
    return compile(request);
  };
  out << "ready" << std::endl;
  for (std::string line; std::getline(in, line);) {
    const absl::StatusOr<runtime::Artifact> artifact = build(line);
    if (artifact.ok()) {
      WriteArtifact(*artifact, out);
    } else {
      out << runtime::SerializeFailure(artifact.status()) << "\n";
    }
    out.flush();
  }
}

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
