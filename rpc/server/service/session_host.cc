#include "rpc/server/service/session_host.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "rpc/server/worker/worker_session.h"
#include "rpc/transport/status.h"
#include "runtime/base/clock.h"
#include "runtime/base/status_macros.h"

namespace assay::rpc {
namespace {

absl::Status TooManyCalls() {
  return absl::ResourceExhaustedError(
      "too many calls wait for the device; repeat the call later");
}

absl::Status NoSession(absl::string_view message) {
  return WithReason(absl::NotFoundError(message), ErrorInfo::NO_SESSION);
}

}  // namespace

absl::Status NoSuchSession() {
  return NoSession("there is no such session, or it is over");
}

absl::StatusOr<BlobPin> PinBlob(BlobStore& blobs, const std::string& digest) {
  absl::StatusOr<BlobPin> pin = blobs.Pin(digest);
  if (!absl::IsNotFound(pin.status())) return pin;
  return WithReason(pin.status(), ErrorInfo::NO_BLOB);
}

SessionHost::SessionHost(const HostOptions& options)
    : options_(options),
      tasks_(options.max_waiting),
      watcher_([this] { Watch(); }) {}

SessionHost::~SessionHost() {
  Stop();
  watcher_.join();
}

void SessionHost::Open(std::shared_ptr<CallState> call,
                       const LeaseHolder& holder, int64_t deadline_nanos,
                       const SessionRequest& request, OpenDone done) {
  absl::StatusOr<SessionPointer> session = Replace(holder);
  if (!session.ok()) return done(session.status());
  const bool posted = tasks_.Post(
      [this, call, session = *session, deadline_nanos, request, done] {
        const absl::Status status =
            StartWorker(*call, session, deadline_nanos, request);
        if (!status.ok()) return done(status);
        done(OpenedSession{session->id, session->worker->threads(),
                           session->worker->load_nanos()});
      });
  if (posted) return;
  End(*session, TooManyCalls());
  done(TooManyCalls());
}

void SessionHost::Run(std::shared_ptr<CallState> call,
                      const LeaseHolder& holder, const std::string& id,
                      int64_t deadline_nanos, Work work, Done done) {
  PostRun(std::move(call), Find(holder, id), deadline_nanos, std::move(work),
          std::move(done));
}

void SessionHost::RunCurrent(std::shared_ptr<CallState> call,
                             const LeaseHolder& holder, int64_t deadline_nanos,
                             Work work, Done done) {
  PostRun(std::move(call), FindCurrent(holder), deadline_nanos, std::move(work),
          std::move(done));
}

void SessionHost::PostRun(std::shared_ptr<CallState> call,
                          const absl::StatusOr<SessionPointer>& session,
                          int64_t deadline_nanos, Work work, Done done) {
  if (!session.ok()) return done(session.status());
  const bool posted =
      tasks_.Post([this, call, session = *session, deadline_nanos, work, done] {
        done(RunNow(*call, session, deadline_nanos, work));
      });
  if (!posted) done(TooManyCalls());
}

void SessionHost::Close(const LeaseHolder& holder, const std::string& id,
                        std::function<void()> done) {
  const absl::StatusOr<SessionPointer> session = Find(holder, id);
  if (!session.ok()) return done();
  End(*session, NoSession(absl::StrCat("the session `", id, "` was closed")));
  // End() lets the worker be killed before all tasks that wait.
  if (!tasks_.Post(done)) done();
}

bool SessionHost::Post(std::function<void()> task) {
  return tasks_.Post(std::move(task));
}

void SessionHost::CheckLease() {
  SessionPointer session;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    wake_ = true;
    session = current_;
  }
  changed_.notify_one();
  if (session == nullptr) return;
  const absl::Status lease = options_.guard->CheckToken(session->holder.token);
  if (!lease.ok()) End(session, lease);
}

bool SessionHost::TryReserve() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return current_ == nullptr && tasks_.TryHold();
}

void SessionHost::Unreserve() { tasks_.Release(); }

void SessionHost::Stop() {
  SessionPointer session;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
    session = current_;
  }
  changed_.notify_one();
  if (session != nullptr) {
    End(session, absl::UnavailableError("the server of the device stops"));
  }
}

absl::Status SessionHost::running() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return CheckRunning();
}

absl::Status SessionHost::CheckRunning() const {
  return stopped_ ? absl::UnavailableError("the server of the device stops")
                  : absl::OkStatus();
}

absl::StatusOr<SessionHost::SessionPointer> SessionHost::Replace(
    const LeaseHolder& holder) {
  SessionPointer session, earlier;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ASSAY_RETURN_IF_ERROR(CheckRunning());
    // A lease that has ended since the call began must not end the session of
    // its successor.
    ASSAY_RETURN_IF_ERROR(options_.guard->CheckToken(holder.token));
    session = std::make_shared<LiveSession>(
        absl::StrCat(holder.token, "-", ++opened_), holder);
    earlier = std::exchange(current_, session);
    wake_ = true;
  }
  changed_.notify_one();
  if (earlier != nullptr) {
    End(earlier, NoSession(absl::StrCat("the session `", earlier->id,
                                        "` was replaced by the session `",
                                        session->id, "`")));
  }
  return session;
}

absl::StatusOr<SessionHost::SessionPointer> SessionHost::FindCurrent(
    const LeaseHolder& holder) {
  const std::lock_guard<std::mutex> lock(mutex_);
  ASSAY_RETURN_IF_ERROR(CheckRunning());
  if (current_ == nullptr || current_->holder.token != holder.token) {
    return NoSuchSession();
  }
  return current_;
}

absl::StatusOr<SessionHost::SessionPointer> SessionHost::Find(
    const LeaseHolder& holder, const std::string& id) {
  ASSAY_ASSIGN_OR_RETURN(SessionPointer session, FindCurrent(holder));
  if (session->id != id) return NoSuchSession();
  return session;
}

void SessionHost::End(const SessionPointer& session,
                      const absl::Status& reason) {
  if (session->End(reason)) {
    options_.log->Write(
        "session_ended",
        {{"session", session->id}, {"reason", std::string(reason.message())}});
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (current_ == session) current_ = nullptr;
  if (reap_waits_) return;
  reap_waits_ = true;
  tasks_.PostFirst([this] {
    {
      const std::lock_guard<std::mutex> again(mutex_);
      reap_waits_ = false;
    }
    Reap();
  });
}

absl::Status SessionHost::StartWorker(CallState& call,
                                      const SessionPointer& session,
                                      int64_t deadline_nanos,
                                      const SessionRequest& request) {
  Reap();
  const auto start = [&]() -> absl::Status {
    ASSAY_RETURN_IF_ERROR(session->ended());
    SessionOptions options;
    for (const std::string& digest : request.digests) {
      ASSAY_ASSIGN_OR_RETURN(BlobPin pin, PinBlob(*options_.blobs, digest));
      options.artifacts.push_back(pin.path());
      session->artifacts.push_back(std::move(pin));
    }
    options.sandbox = options_.sandbox;
    options.root = options_.root;
    options.threads = request.threads;
    options.placement_seed = request.placement_seed;
    options.max_output_bytes = options_.max_output_bytes;
    options.interrupt = &session->interrupt;
    ASSAY_ASSIGN_OR_RETURN(session->worker,
                           WorkerSession::Start(options, deadline_nanos));
    return absl::OkStatus();
  };
  installed_ = session;
  ASSAY_RETURN_IF_ERROR(Finish(session, Perform(call, session, start)));
  session->set_folder(session->worker->folder());
  options_.log->Write("session_opened",
                      {{"session", session->id},
                       {"user", session->holder.user},
                       {"artifact", request.digests[0]},
                       {"programs", session->worker->programs()},
                       {"threads", session->worker->threads()}});
  return absl::OkStatus();
}

absl::Status SessionHost::RunNow(CallState& call, const SessionPointer& session,
                                 int64_t deadline_nanos, const Work& work) {
  ASSAY_RETURN_IF_ERROR(session->ended());
  if (session->worker == nullptr) {
    return NoSession("the session is not open");
  }
  if (MonotonicNanos() >= deadline_nanos) {
    return absl::DeadlineExceededError(
        "the device was busy until the deadline of the call");
  }
  return Finish(session,
                Perform(call, session, [&] { return work(*session); }));
}

absl::Status SessionHost::Perform(CallState& call,
                                  const SessionPointer& session,
                                  const std::function<absl::Status()>& work) {
  const absl::Status cancelled =
      absl::CancelledError("the client has cancelled the call");
  if (!call.Begin([this, session, cancelled] { End(session, cancelled); })) {
    return cancelled;
  }
  const absl::Status status = work();
  call.End();
  return status;
}

absl::Status SessionHost::Finish(const SessionPointer& session,
                                 const absl::Status& status) {
  // The reason why the session has ended explains an error better than what
  // became of the worker.
  const absl::Status ended = session->ended();
  if (!ended.ok()) {
    Reap();
    return ended;
  }
  const std::string crash = CrashOf(status);
  if (!crash.empty()) {
    options_.crashes->Add(session->holder.user, crash);
    options_.log->Write("worker_crashed", {{"session", session->id},
                                           {"user", session->holder.user},
                                           {"how", crash}});
  }
  if (session->worker == nullptr || session->worker->over()) {
    End(session, NoSession(absl::StrCat("the session `", session->id,
                                        "` is over: ", status.message())));
    Reap();
  }
  return status;
}

void SessionHost::Reap() {
  if (installed_ == nullptr || installed_->ended().ok()) return;
  installed_->set_folder("");
  installed_->worker = nullptr;
  installed_->artifacts.clear();
  installed_ = nullptr;
}

void SessionHost::Watch() {
  int64_t next_usage = MonotonicNanos() + options_.usage_nanos;
  int64_t next_collect = MonotonicNanos() + options_.collect_nanos;
  while (true) {
    const int64_t expiry = options_.guard->NextExpiryNanos();
    SessionPointer session;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      int64_t wake = std::min(next_collect, expiry);
      if (current_ != nullptr) wake = std::min(wake, next_usage);
      const int64_t wait = wake - MonotonicNanos();
      if (wait > 0 && !stopped_ && !wake_) {
        changed_.wait_for(lock, std::chrono::nanoseconds(wait));
      }
      if (stopped_) return;
      wake_ = false;
      session = current_;
    }
    if (session != nullptr) {
      const absl::Status lease =
          options_.guard->CheckToken(session->holder.token);
      if (!lease.ok()) End(session, lease);
    }
    options_.lease_changed();
    const int64_t now = MonotonicNanos();
    if (now >= next_usage) {
      CheckFolder();
      next_usage = now + options_.usage_nanos;
    }
    if (now >= next_collect) {
      tasks_.Post([this] { options_.blobs->Collect(); });
      next_collect = now + options_.collect_nanos;
    }
  }
}

void SessionHost::CheckFolder() {
  SessionPointer session;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    session = current_;
  }
  const std::string folder = session == nullptr ? "" : session->folder();
  if (folder.empty()) return;
  const absl::Status usage =
      CheckUsage(folder, options_.max_folder_bytes, options_.max_folder_files);
  // The folder may have been removed meanwhile.
  if (!absl::IsResourceExhausted(usage)) return;
  End(session, absl::InternalError(usage.message()));
}

}  // namespace assay::rpc
