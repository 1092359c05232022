// JobQueue: queues of jobs in a PostgreSQL store, for workers on several
// machines.
//
//   Enqueue      Take            Finish
//   ───────▶ waiting ───▶ leased ───────▶ done
//               ▲            │ Fail, or the lease expires
//               ├────────────┤
//               │            └──▶ failed, after the last attempt
//
// A worker leases a job and must finish it, or Renew() the lease, before the
// lease expires. A job whose worker was killed or lost its network is taken by
// the next worker. A job may therefore be executed more than once, but only one
// execution can finish it: that of the last lease. Jobs of a queue are taken in
// the order in which they were enqueued, and no worker waits for another one
// (FOR UPDATE SKIP LOCKED). All times are those of the server's clock.
//
// Errors are those of Connection::Run(). After Unavailable, each call may be
// repeated: Enqueue() and Finish() have no further effect if they had
// succeeded, and a job that a lost Take() has leased is taken again after its
// lease.
#ifndef ASSAY_REPORTS_STORE_POSTGRES_JOB_QUEUE_H_
#define ASSAY_REPORTS_STORE_POSTGRES_JOB_QUEUE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "reports/store/postgres/connection.h"

namespace assay::reports {

// A job that this worker has leased.
struct LeasedJob {
  int64_t id = 0;
  std::string name;
  std::string payload;
  std::string worker;
  int attempt = 0;  // 1 for the first
};

struct JobCounts {
  int64_t waiting = 0;
  int64_t leased = 0;  // whose lease has not expired
  int64_t done = 0;
  int64_t failed = 0;
};

class JobQueue {
 public:
  // The queue with this name. `connection` must have the tables of a store
  // (SharedStore::connection()) and must outlive the queue.
  JobQueue(std::string queue, Connection* connection)
      : queue_(std::move(queue)), connection_(connection) {}

  // Adds a job unless the queue has, or had, a job with this name. It is
  // attempted at most `max_attempts` times.
  absl::Status Enqueue(const std::string& name, const std::string& payload,
                       int max_attempts = 3);

  // Leases the first job that is waiting. Returns nullopt if there is none.
  // `worker` names the worker in the table.
  absl::StatusOr<std::optional<LeasedJob>> Take(const std::string& worker,
                                                absl::Duration lease);

  // Extends the lease to `lease` from now. Returns FailedPrecondition if the
  // lease has expired and another worker has leased or finished the job.
  absl::Status Renew(const LeasedJob& job, absl::Duration lease);

  // Finishes the job. Returns FailedPrecondition like Renew(): the result of
  // the other worker counts.
  absl::Status Finish(const LeasedJob& job, const std::string& result);

  // Gives the job back: another attempt is made, or, after the last one, the
  // job has failed for this reason. Returns FailedPrecondition like Renew().
  absl::Status Fail(const LeasedJob& job, const std::string& reason);

  absl::StatusOr<JobCounts> Count();

 private:
  absl::Status Update(const std::string& sql, const LeasedJob& job,
                      const std::string& value);

  const std::string queue_;
  Connection* const connection_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_POSTGRES_JOB_QUEUE_H_
