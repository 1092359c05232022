#include "suites/tune/search/build_pool.h"

#include <utility>

#include "compiler/driver/compile.h"
#include "compiler/driver/compile_options.h"
#include "runtime/base/check.h"

namespace assay::suites {

BuiltPoint BuildPoint(const BuildRequest& request) {
  driver::CompileOptions options;
  options.tuned[request.key] = request.choice;
  BuiltPoint built = {driver::CompileKernelGraph(*request.program->graph,
                                                 request.target, options),
                      ""};
  if (built.artifact.ok() && !built.artifact->calls.empty()) {
    built.code_digest = built.artifact->calls[0].code_digest;
  }
  return built;
}

BuildPool::BuildPool(int threads) {
  CHECK(threads > 0);
  for (int i = 0; i < threads; ++i) {
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

std::future<BuiltPoint> BuildPool::Build(BuildRequest request) {
  std::packaged_task<BuiltPoint()> task(
      [request = std::move(request)] { return BuildPoint(request); });
  std::future<BuiltPoint> built = task.get_future();
  const absl::MutexLock lock(&mutex_);
  waiting_.push_back(std::move(task));
  return built;
}

void BuildPool::Work() {
  const auto ready = [this] { return stopped_ || !waiting_.empty(); };
  while (true) {
    std::packaged_task<BuiltPoint()> task;
    {
      const absl::MutexLock lock(&mutex_);
      mutex_.Await(absl::Condition(&ready));
      if (stopped_) return;
      task = std::move(waiting_.front());
      waiting_.pop_front();
    }
    task();
  }
}

}  // namespace assay::suites
