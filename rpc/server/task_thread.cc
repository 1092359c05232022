#include "rpc/server/task_thread.h"

#include <utility>

namespace assay::rpc {

TaskThread::TaskThread(size_t max_waiting)
    : max_waiting_(max_waiting), thread_([this] { Serve(); }) {}

TaskThread::~TaskThread() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

bool TaskThread::Post(std::function<void()> task) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (tasks_.size() >= max_waiting_) return false;
  tasks_.push_back(std::move(task));
  changed_.notify_one();
  return true;
}

void TaskThread::PostFirst(std::function<void()> task) {
  const std::lock_guard<std::mutex> lock(mutex_);
  tasks_.push_front(std::move(task));
  changed_.notify_one();
}

bool TaskThread::TryHold() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (running_ || held_ || !tasks_.empty()) return false;
  held_ = true;
  return true;
}

void TaskThread::Release() {
  const std::lock_guard<std::mutex> lock(mutex_);
  held_ = false;
  changed_.notify_one();
}

void TaskThread::Serve() {
  while (true) {
    std::function<void()> task;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      running_ = false;
      changed_.wait(lock, [this] { return HasWork(); });
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
      running_ = true;
    }
    task();
  }
}

}  // namespace assay::rpc
