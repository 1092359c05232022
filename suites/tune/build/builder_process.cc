#include "suites/tune/build/builder_process.h"

#include <algorithm>
#include <optional>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/block_text.h"

namespace assay::suites {
namespace {

// The time in which the program must be ready, in seconds.
constexpr double kStartLimitS = 60;

absl::Status Unexpected(absl::string_view line) {
  return absl::InternalError(
      absl::StrCat("the process that builds points wrote the unexpected line `",
                   line.substr(0, 40), "`"));
}

}  // namespace

absl::StatusOr<std::unique_ptr<BuilderProcess>> BuilderProcess::Start(
    const std::vector<std::string>& command, double time_limit_s) {
  ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::LineProtocol> program,
                         runtime::LineProtocol::Start(command, time_limit_s));
  ASSAY_ASSIGN_OR_RETURN(const std::string line,
                         program->ReadLine(kStartLimitS));
  if (line != "ready") return Unexpected(line);
  return std::unique_ptr<BuilderProcess>(
      new BuilderProcess(std::move(program), time_limit_s));
}

// Returns the bytes of the artifact's file, whose first line is `line`.
absl::StatusOr<std::string> BuilderProcess::ReadFile(std::string line,
                                                     int64_t deadline) {
  std::string bytes;
  while (line != "ok") {
    absl::string_view text = line;
    std::string part;
    if (!absl::ConsumePrefix(&text, "part ") ||
        !absl::Base64Unescape(text, &part)) {
      return Unexpected(line);
    }
    bytes += part;
    const auto left_s = static_cast<double>(deadline - MonotonicNanos()) * 1e-9;
    absl::StatusOr<std::string> next =
        program_->ReadLine(std::max(left_s, 0.0));
    if (absl::IsDeadlineExceeded(next.status())) {
      return absl::DeadlineExceededError(
          absl::StrCat("the process that builds points did not answer within ",
                       time_limit_s_, " s"));
    }
    ASSAY_ASSIGN_OR_RETURN(line, std::move(next));
  }
  return bytes;
}

BuiltPoint BuilderProcess::Broken(const absl::Status& error) {
  is_usable_ = false;
  BuiltPoint built;
  built.status = absl::IsDeadlineExceeded(error) ? TrialStatus::kBuildTimeout
                                                 : TrialStatus::kBuildCrash;
  built.error = std::string(error.message());
  return built;
}

BuiltPoint BuilderProcess::Build(const BuildRequest& request) {
  CHECK(is_usable_);
  ++builds_;
  const int64_t deadline =
      MonotonicNanos() + static_cast<int64_t>(time_limit_s_ * 1e9);
  const auto line = program_->Request(SerializeRequest(request));
  if (!line.ok()) return Broken(line.status());
  BuiltPoint built;
  if (const auto failure = runtime::ParseFailure(*line)) {
    built.status = TrialStatus::kBuildError;
    built.error = std::string(failure->message());
    return built;
  }
  absl::StatusOr<std::string> bytes = ReadFile(*line, deadline);
  if (!bytes.ok()) return Broken(bytes.status());
  absl::StatusOr<runtime::Artifact> artifact = runtime::Parse(*bytes);
  if (!artifact.ok()) return Broken(artifact.status());
  if (!artifact->calls.empty()) {
    built.code_digest = artifact->calls[0].code_digest;
  }
  built.artifact = *std::move(artifact);
  return built;
}

}  // namespace assay::suites
