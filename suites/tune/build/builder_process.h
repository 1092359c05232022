// BuilderProcess: a running point_builder, which builds one point after the
// other.
//
//   ASSAY_ASSIGN_OR_RETURN(const auto builder,
//                          BuilderProcess::Start({path}, /*time_limit_s=*/60));
//   const BuiltPoint built = builder->Build(request);
//
// A point on which the compiler crashes or hangs ends the process, and
// BuiltPoint::status says so. The process is then useless, and Build() must not
// be called again. The destructor kills the process; if this process dies
// first, Linux kills it. Not thread-safe.
#ifndef ASSAY_SUITES_TUNE_BUILD_BUILDER_PROCESS_H_
#define ASSAY_SUITES_TUNE_BUILD_BUILDER_PROCESS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/artifact/artifact.h"
#include "runtime/process/line_protocol.h"
#include "suites/tune/build/build_request.h"
#include "suites/tune/log/tuning_record.h"

namespace assay::suites {

struct BuiltPoint {
  // kOk, or how the build has failed: kBuildError, kBuildCrash or
  // kBuildTimeout.
  TrialStatus status = TrialStatus::kOk;
  std::string error = {};           // one sentence; empty if the status is kOk
  runtime::Artifact artifact = {};  // if the status is kOk
  std::string code_digest = {};     // of the kernel's machine code, likewise
};

class BuilderProcess {
 public:
  // Starts the program `command[0]` and waits until it is ready. A build may
  // take `time_limit_s` seconds.
  static absl::StatusOr<std::unique_ptr<BuilderProcess>> Start(
      const std::vector<std::string>& command, double time_limit_s);

  BuiltPoint Build(const BuildRequest& request);

  // Returns false after a crash or a timeout.
  bool is_usable() const { return is_usable_; }
  // Number of calls of Build().
  int64_t builds() const { return builds_; }

 private:
  BuilderProcess(std::unique_ptr<runtime::LineProtocol> program,
                 double time_limit_s)
      : program_(std::move(program)), time_limit_s_(time_limit_s) {}

  absl::StatusOr<std::string> ReadFile(std::string line, int64_t deadline);
  BuiltPoint Broken(const absl::Status& error);

  const std::unique_ptr<runtime::LineProtocol> program_;
  const double time_limit_s_;
  bool is_usable_ = true;
  int64_t builds_ = 0;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_TUNE_BUILD_BUILDER_PROCESS_H_
