// TaskThread: one thread that performs the blocking work of the server in the
// order in which it was asked for.
//
// A device does one thing at a time: while it takes a block of samples, nothing
// else may use its processors and its disk. So all sessions, uploads and canary
// runs share this thread, and the threads of gRPC never wait.
//
//   TaskThread thread(/*max_waiting=*/64);
//   if (!thread.Post([call] { call->Run(); })) {
//     call->Finish(absl::ResourceExhaustedError("too many calls wait"));
//   }
//
// Thread-safe.
#ifndef ASSAY_RPC_SERVER_TASK_THREAD_H_
#define ASSAY_RPC_SERVER_TASK_THREAD_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace assay::rpc {

class TaskThread {
 public:
  explicit TaskThread(size_t max_waiting);
  // Performs the tasks that wait, and ends the thread.
  ~TaskThread();
  TaskThread(const TaskThread&) = delete;
  TaskThread& operator=(const TaskThread&) = delete;

  // Returns false, and drops the task, if `max_waiting` tasks wait already.
  bool Post(std::function<void()> task);

  // Performs the task before those that wait, whatever their number. For tasks
  // of the server itself, the number of which is limited otherwise.
  void PostFirst(std::function<void()> task);

  // If no task is running or waiting, keeps all tasks from running until
  // Release(), and returns true. Does not wait.
  bool TryHold();
  void Release();

 private:
  bool HasWork() const { return stopping_ || (!held_ && !tasks_.empty()); }
  void Serve();

  const size_t max_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool running_ = false;
  bool held_ = false;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_TASK_THREAD_H_
