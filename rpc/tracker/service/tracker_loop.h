// TrackerLoop: the thread that owns the LeaseBook of a tracker.
//
// Other threads post commands. The thread works in rounds:
//   1. It calls all commands that have arrived, and LeaseBook::Advance().
//   2. It stores all events of the round at once.
//   3. It calls the answers of the commands, and then the handler of events.
// What an answer says is therefore stored, and survives a crash. A round begins
// when a command arrives or when the time of the book has come.
//
//   TrackerLoop::Options options;
//   options.store = [&](const auto& events) { return store.Apply(events); };
//   TrackerLoop loop(std::move(book), std::move(options));
//   loop.Post([=](tracker::LeaseBook& book, int64_t now) {
//     const absl::Status status = book.Release(user, token, now);
//     return [=] { call->Finish(ToGrpc(status)); };
//   });
//
// If the disk is full, the store is tried again until there is space, and the
// round is answered then. Meanwhile, new commands are refused. If the store
// fails for another reason, the round is not answered, and nothing is any more:
// the program must end, because its memory is ahead of what is stored.
//
// Commands, answers and handlers run on the thread of the loop. They must not
// wait for anything. Time is that of CLOCK_MONOTONIC.
#ifndef ASSAY_RPC_TRACKER_SERVICE_TRACKER_LOOP_H_
#define ASSAY_RPC_TRACKER_SERVICE_TRACKER_LOOP_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "rpc/tracker/events.h"
#include "rpc/tracker/lease_book.h"

namespace assay::rpc {

class TrackerLoop {
 public:
  using Events = std::vector<tracker::Event>;
  // May be empty.
  using Answer = std::function<void()>;
  using Command =
      std::function<Answer(tracker::LeaseBook& book, int64_t now_nanos)>;

  struct Options {
    // Stores the events of a round (StateStore::Apply()). ResourceExhausted
    // means that the disk is full.
    std::function<absl::Status(const Events&)> store;
    // Is told of the events after they were stored. May change the book, and
    // then returns true; the next round begins at once.
    std::function<bool(const Events&, tracker::LeaseBook&, int64_t now_nanos)>
        handle;
    // Is called with the error when the disk is full, and with OK when there is
    // space again. May be null.
    std::function<void(const absl::Status&)> disk_full;
    // Is called once if the store fails. The thread ends afterwards.
    std::function<void(const absl::Status&)> fail;
    int64_t retry_nanos = 200'000'000;  // while the disk is full
    // The maximum number of commands that wait.
    int64_t max_commands = 20'000;
  };

  // Starts the thread.
  TrackerLoop(tracker::LeaseBook book, Options options);
  TrackerLoop(const TrackerLoop&) = delete;
  TrackerLoop& operator=(const TrackerLoop&) = delete;
  ~TrackerLoop();  // as Stop()

  // Returns ResourceExhausted if too many commands wait, and Unavailable while
  // the disk is full and after Stop() or a failure of the store. The command is
  // not called then.
  // Otherwise, it is called, and its answer, too, unless the store fails.
  // Thread-safe.
  absl::Status Post(Command command);

  // As Post(), but without the maximum, and also while the disk is full. For
  // commands whose number is limited in another way. Thread-safe.
  absl::Status PostAlways(Command command);

  // Answers the commands that wait, and ends the thread.
  void Stop();

 private:
  absl::Status Add(Command command, bool limited);
  void Run();
  // Sets `again` if the next round is due at once. Returns false if the store
  // failed.
  bool Round(const std::vector<Command>& commands, bool& again);
  // Stores the events, and waits while the disk is full.
  absl::Status Store(const Events& events);

  // Used by the thread only.
  tracker::LeaseBook book_;
  const Options options_;

  // A std::mutex with a std::condition_variable waits by the monotonic clock.
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Command> commands_;
  bool stopping_ = false;
  bool failed_ = false;
  absl::Status disk_full_;  // the error, while the disk is full

  std::thread thread_;  // the last member, because it uses the others
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRACKER_SERVICE_TRACKER_LOOP_H_
