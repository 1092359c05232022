#include "suites/tune/build/build_pool.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/block_text.h"
#include "runtime/process/line_protocol.h"

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

// A running point_builder, which builds one point after the other. A point on
// which the compiler crashes or hangs ends the process. The process is then
// useless, and Build() must not be called again. The destructor kills the
// process; if this process dies first, Linux kills it.
class BuildPool::Process {
 public:
  // Starts the program `command[0]` and waits until it is ready.
  static absl::StatusOr<std::unique_ptr<Process>> Start(
      const BuildPoolOptions& options) {
    ASSAY_ASSIGN_OR_RETURN(
        std::unique_ptr<runtime::LineProtocol> program,
        runtime::LineProtocol::Start(options.command, options.time_limit_s));
    ASSAY_ASSIGN_OR_RETURN(const std::string line,
                           program->ReadLine(kStartLimitS));
    if (line != "ready") return Unexpected(line);
    return std::make_unique<Process>(std::move(program), options.time_limit_s);
  }

  Process(std::unique_ptr<runtime::LineProtocol> program, double time_limit_s)
      : program_(std::move(program)), time_limit_s_(time_limit_s) {}

  BuiltPoint Build(const BuildRequest& request) {
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

  // Returns false after a crash or a timeout.
  bool is_usable() const { return is_usable_; }
  // Number of calls of Build().
  int64_t builds() const { return builds_; }

 private:
  // Returns the bytes of the artifact's file, whose first line is `line`.
  absl::StatusOr<std::string> ReadFile(std::string line, int64_t deadline) {
    std::string bytes;
    while (line != "ok") {
      absl::string_view text = line;
      std::string part;
      if (!absl::ConsumePrefix(&text, "part ") ||
          !absl::Base64Unescape(text, &part)) {
        return Unexpected(line);
      }
      bytes += part;
      const auto left_s =
          static_cast<double>(deadline - MonotonicNanos()) * 1e-9;
      absl::StatusOr<std::string> next =
          program_->ReadLine(std::max(left_s, 0.0));
      if (absl::IsDeadlineExceeded(next.status())) {
        return absl::DeadlineExceededError(absl::StrCat(
            "the process that builds points did not answer within ",
            time_limit_s_, " s"));
      }
      ASSAY_ASSIGN_OR_RETURN(line, std::move(next));
    }
    return bytes;
  }

  BuiltPoint Broken(const absl::Status& error) {
    is_usable_ = false;
    BuiltPoint built;
    built.status = absl::IsDeadlineExceeded(error) ? TrialStatus::kBuildTimeout
                                                   : TrialStatus::kBuildCrash;
    built.error = std::string(error.message());
    return built;
  }

  const std::unique_ptr<runtime::LineProtocol> program_;
  const double time_limit_s_;
  bool is_usable_ = true;
  int64_t builds_ = 0;
};

BuildPool::BuildPool(BuildPoolOptions options) : options_(std::move(options)) {
  CHECK(options_.processes > 0);
  for (int i = 0; i < options_.processes; ++i) {
    threads_.emplace_back([this] { Work(); });
  }
}

BuildPool::~BuildPool() {
  {
    const absl::MutexLock lock(&mutex_);
    stopped_ = true;
  }
  for (std::thread& thread : threads_) thread.join();
}

std::future<absl::StatusOr<BuiltPoint>> BuildPool::Build(BuildRequest request) {
  Task task([this, request = std::move(request)](Builder* builder) {
    return BuildWith(builder, request);
  });
  std::future<absl::StatusOr<BuiltPoint>> built = task.get_future();
  const absl::MutexLock lock(&mutex_);
  waiting_.push_back(std::move(task));
  return built;
}

absl::StatusOr<BuiltPoint> BuildPool::BuildWith(
    Builder* builder, const BuildRequest& request) const {
  while (true) {
    if (*builder == nullptr) {
      auto started = Process::Start(options_);
      if (!started.ok()) {
        return absl::UnavailableError(
            absl::StrCat("no process can be started to build points: ",
                         started.status().message()));
      }
      *builder = *std::move(started);
    }
    BuiltPoint built = (*builder)->Build(request);
    if ((*builder)->is_usable()) return built;
    const bool was_new = (*builder)->builds() == 1;
    builder->reset();
    if (was_new || built.status == TrialStatus::kBuildTimeout) return built;
  }
}

// Each thread has a process of its own.
void BuildPool::Work() {
  const auto ready = [this] { return stopped_ || !waiting_.empty(); };
  Builder builder;
  while (true) {
    Task task;
    {
      const absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(&ready));
      if (stopped_) return;
      task = std::move(waiting_.front());
      waiting_.pop_front();
    }
    task(&builder);
  }
}

}  // namespace assay::suites
