#include "rpc/server/task_thread.h"

#include <utility>

namespace assay::rpc {

TaskThread::TaskThread(size_t max_waiting)
    : max_waiting_(max_waiting), thread_([this] { Serve(); }) {}

TaskThread::~TaskThread() {
  {
    const absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  thread_.join();
}

bool TaskThread::Post(std::function<void()> task) {
  const absl::MutexLock lock(&mutex_);
  if (tasks_.size() >= max_waiting_) return false;
  tasks_.push_back(std::move(task));
  return true;
}

void TaskThread::PostFirst(std::function<void()> task) {
  const absl::MutexLock lock(&mutex_);
  tasks_.push_front(std::move(task));
}

bool TaskThread::idle() {
  const absl::MutexLock lock(&mutex_);
  return !running_ && tasks_.empty();
}

void TaskThread::Serve() {
  while (true) {
    std::function<void()> task;
    {
      const absl::MutexLock lock(&mutex_);
      running_ = false;
      mutex_.Await(absl::Condition(this, &TaskThread::HasWork));
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
      running_ = true;
    }
    task();
  }
}

}  // namespace assay::rpc
