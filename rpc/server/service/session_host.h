// SessionHost: runs the sessions of a device, one at a time.
//
//   SessionHost host(options);
//   …
//   host.Open(state, holder, deadline, request, [call](auto opened) { … });
//   host.Run(state, holder, session_id, deadline,
//            [](LiveSession& session) { return session.worker->…; },
//            [call](const absl::Status& status) { … });
//   host.Close(holder, session_id, [call] { … });
//
// Open(), Run() and Close() do not wait. The work is done by one thread
// (task_thread.h), in the order of the calls, and the last argument, which is
// called exactly once, receives the result. It may be called before the method
// returns.
//
// A session ends when
//   - its lease ends: the guard's listener must call CheckLease(), and a thread
//     of this class looks at the time at which the lease expires;
//   - it is closed, or the holder of the lease, or of a lease with a higher
//     token, opens another one;
//   - a call that runs is cancelled (live_session.h);
//   - its worker fails, or writes too much to its folder, which is looked at
//     every second;
//   - Stop() is called.
// The worker is then killed at once, also in the middle of a block.
//
// Errors of the results, in addition to those of WorkerSession:
//   NotFound           there is no such session, or it was closed or replaced;
//                      the reason (rpc/transport/status.h) is NO_SESSION
//   Aborted            the lease has ended
//   Unavailable        the server stops
//   ResourceExhausted  too many calls wait
#ifndef ASSAY_RPC_SERVER_SERVICE_SESSION_HOST_H_
#define ASSAY_RPC_SERVER_SERVICE_SESSION_HOST_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "rpc/program/event_log.h"
#include "rpc/server/blob_store.h"
#include "rpc/server/crash_record.h"
#include "rpc/server/lease_guard.h"
#include "rpc/server/service/live_session.h"
#include "rpc/server/task_thread.h"
#include "rpc/server/worker/work_folder.h"
#include "rpc/server/worker/worker_sandbox.h"

namespace assay::rpc {

// The objects must outlive the host.
struct HostOptions {
  LeaseGuard* guard = nullptr;
  BlobStore* blobs = nullptr;
  CrashRecord* crashes = nullptr;
  const WorkerSandbox* sandbox = nullptr;
  WorkRoot* root = nullptr;
  EventLog* log = nullptr;
  size_t max_waiting = 64;  // calls
  // Of the folder of a session.
  int64_t max_folder_bytes = int64_t{4} << 30;
  int64_t max_folder_files = 200'000;
  // The largest tensor file of outputs.
  int64_t max_output_bytes = int64_t{1} << 30;
  // Called by a thread of the host after leases have changed or expired.
  std::function<void()> lease_changed = [] {};
  int64_t usage_nanos = 1'000'000'000;     // between two looks at the folder
  int64_t collect_nanos = 60'000'000'000;  // between two BlobStore::Collect()
};

// What a session runs. The digests are valid and their artifacts are trusted.
struct SessionRequest {
  std::vector<std::string> digests = {};
  int threads = 0;
  uint64_t placement_seed = 0;
};

struct OpenedSession {
  std::string id = {};
  int threads = 0;
  std::optional<int64_t> load_nanos = {};  // WorkerSession::load_nanos()
};

// Returns the error of a call for a session that does not exist.
absl::Status NoSuchSession();

// Returns BlobStore::Pin(); NotFound has the reason NO_BLOB.
absl::StatusOr<BlobPin> PinBlob(BlobStore& blobs, const std::string& digest);

class SessionHost {
 public:
  using OpenDone = std::function<void(absl::StatusOr<OpenedSession>)>;
  // Called only if the session has a worker.
  using Work = std::function<absl::Status(LiveSession& session)>;
  using Done = std::function<void(const absl::Status&)>;

  explicit SessionHost(const HostOptions& options);
  SessionHost(const SessionHost&) = delete;
  SessionHost& operator=(const SessionHost&) = delete;
  // Performs the tasks that wait, all of which end soon after Stop().
  ~SessionHost();

  void Open(std::shared_ptr<CallState> call, const LeaseHolder& holder,
            int64_t deadline_nanos, const SessionRequest& request,
            OpenDone done);
  void Run(std::shared_ptr<CallState> call, const LeaseHolder& holder,
           const std::string& session, int64_t deadline_nanos, Work work,
           Done done);
  // The same for the current session of the lease. `work` must check that its
  // id is the right one. For calls whose requests take long to parse.
  void RunCurrent(std::shared_ptr<CallState> call, const LeaseHolder& holder,
                  int64_t deadline_nanos, Work work, Done done);
  // Ends the session. `done` is called after its worker has ended.
  void Close(const LeaseHolder& holder, const std::string& session,
             std::function<void()> done);

  // Performs `task`, which does not belong to a session, in the same thread.
  // Returns false if too many tasks wait.
  bool Post(std::function<void()> task);

  // Ends the session if its lease is not valid any more. Returns quickly.
  void CheckLease();

  // Keeps all calls waiting until Unreserve(), and returns true, if there is no
  // session and no call is running or waiting. Does not wait. For work that
  // must not be disturbed, and takes at most a second.
  bool TryReserve();
  void Unreserve();

  // Ends the session, and lets all calls fail.
  void Stop();
  // Returns Unavailable once Stop() was called.
  absl::Status running() const;

 private:
  using SessionPointer = std::shared_ptr<LiveSession>;

  // Makes a new session the current one.
  absl::StatusOr<SessionPointer> Replace(const LeaseHolder& holder);
  absl::StatusOr<SessionPointer> FindCurrent(const LeaseHolder& holder);
  absl::StatusOr<SessionPointer> Find(const LeaseHolder& holder,
                                      const std::string& id);
  void PostRun(std::shared_ptr<CallState> call,
               const absl::StatusOr<SessionPointer>& session,
               int64_t deadline_nanos, Work work, Done done);
  void End(const SessionPointer& session, const absl::Status& reason);
  // Requires the mutex. The same as running().
  absl::Status CheckRunning() const;

  // These are called in the task thread.
  absl::Status StartWorker(CallState& call, const SessionPointer& session,
                           int64_t deadline_nanos,
                           const SessionRequest& request);
  absl::Status RunNow(CallState& call, const SessionPointer& session,
                      int64_t deadline_nanos, const Work& work);
  // Calls `work`, and lets a cancellation of the call end the session.
  absl::Status Perform(CallState& call, const SessionPointer& session,
                       const std::function<absl::Status()>& work);
  // Returns the error of a call whose work has ended with `status`.
  absl::Status Finish(const SessionPointer& session,
                      const absl::Status& status);
  // Kills the worker of a session that has ended.
  void Reap();

  void Watch();
  void CheckFolder();

  const HostOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;  // for the thread that watches
  SessionPointer current_;           // null if there is none
  int64_t opened_ = 0;
  bool stopped_ = false;
  bool wake_ = false;        // something has changed for this thread
  bool reap_waits_ = false;  // a task calls Reap()

  SessionPointer installed_;  // has a worker; only for the task thread

  TaskThread tasks_;
  std::thread watcher_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_SERVER_SERVICE_SESSION_HOST_H_
