#include "suites/tune/build/build_pool.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace assay::suites {

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
      auto started =
          BuilderProcess::Start(options_.command, options_.time_limit_s);
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
