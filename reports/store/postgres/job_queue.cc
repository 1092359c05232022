#include "reports/store/postgres/job_queue.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kEnqueue[] = R"(
INSERT INTO jobs (queue, name, payload, max_attempts) VALUES ($1, $2, $3, $4)
ON CONFLICT (queue, name) DO NOTHING)";
// Jobs whose last worker did not finish them.
constexpr char kGiveUp[] = R"(
UPDATE jobs SET outcome = 'failed', result = 'the lease of ' || worker ||
  ' expired' WHERE id IN (
  SELECT id FROM jobs WHERE queue = $1 AND outcome IS NULL
    AND attempts >= max_attempts AND leased_until <= now()
  FOR UPDATE SKIP LOCKED))";
constexpr char kTake[] = R"(
UPDATE jobs SET worker = $2, attempts = attempts + 1,
  leased_until = now() + $3::double precision * interval '1 second'
WHERE id = (
  SELECT id FROM jobs WHERE queue = $1 AND outcome IS NULL
    AND attempts < max_attempts
    AND (leased_until IS NULL OR leased_until <= now())
  ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1)
RETURNING id, name, payload, attempts)";
// The conditions of all updates of a leased job.
constexpr char kIfLeased[] =
    " WHERE id = $1 AND worker = $2 AND attempts = $3 AND outcome IS NULL";
constexpr char kRenew[] =
    "UPDATE jobs SET "
    "leased_until = now() + $4::double precision * interval '1 second'";
constexpr char kFinish[] = "UPDATE jobs SET outcome = 'done', result = $4";
constexpr char kFail[] =
    "UPDATE jobs SET result = $4, leased_until = NULL, "
    "outcome = CASE WHEN attempts >= max_attempts THEN 'failed' END";
constexpr char kIsDone[] = R"(
SELECT 1 FROM jobs WHERE id = $1 AND worker = $2 AND attempts = $3
  AND outcome = 'done')";
constexpr char kCount[] = R"(
SELECT count(*) FILTER (WHERE outcome IS NULL
    AND (leased_until IS NULL OR leased_until <= now())),
  count(*) FILTER (WHERE outcome IS NULL AND leased_until > now()),
  count(*) FILTER (WHERE outcome = 'done'),
  count(*) FILTER (WHERE outcome = 'failed')
FROM jobs WHERE queue = $1)";

std::string SecondsOf(absl::Duration duration) {
  return absl::StrCat(absl::ToDoubleSeconds(duration));
}

}  // namespace

absl::Status JobQueue::Enqueue(const std::string& name,
                               const std::string& payload, int max_attempts) {
  return connection_
      ->Run(kEnqueue, {queue_, name, payload, absl::StrCat(max_attempts)})
      .status();
}

absl::StatusOr<std::optional<LeasedJob>> JobQueue::Take(
    const std::string& worker, absl::Duration lease) {
  ASSAY_RETURN_IF_ERROR(connection_->Run(kGiveUp, {queue_}).status());
  ASSAY_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->Run(kTake, {queue_, worker, SecondsOf(lease)}));
  if (rows.size() == 0) return std::nullopt;
  return LeasedJob{rows.Number(0, 0), rows.Text(0, 1), rows.Text(0, 2), worker,
                   static_cast<int>(rows.Number(0, 3))};
}

absl::Status JobQueue::Update(const std::string& sql, const LeasedJob& job,
                              const std::string& value) {
  ASSAY_ASSIGN_OR_RETURN(
      const Rows rows,
      connection_->Run(sql + kIfLeased, {absl::StrCat(job.id), job.worker,
                                         absl::StrCat(job.attempt), value}));
  if (rows.affected() > 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the lease of the job `", job.name,
                   "` has expired and another worker "
                   "has it, or the job has ended"));
}

absl::Status JobQueue::Renew(const LeasedJob& job, absl::Duration lease) {
  return Update(kRenew, job, SecondsOf(lease));
}

absl::Status JobQueue::Finish(const LeasedJob& job, const std::string& result) {
  absl::Status status = Update(kFinish, job, result);
  if (!absl::IsFailedPrecondition(status)) return status;
  // An earlier call may have succeeded although the connection was lost.
  ASSAY_ASSIGN_OR_RETURN(
      const Rows done,
      connection_->Run(kIsDone, {absl::StrCat(job.id), job.worker,
                                 absl::StrCat(job.attempt)}));
  return done.size() > 0 ? absl::OkStatus() : status;
}

absl::Status JobQueue::Fail(const LeasedJob& job, const std::string& reason) {
  return Update(kFail, job, reason);
}

absl::StatusOr<JobCounts> JobQueue::Count() {
  ASSAY_ASSIGN_OR_RETURN(const Rows rows, connection_->Run(kCount, {queue_}));
  return JobCounts{rows.Number(0, 0), rows.Number(0, 1), rows.Number(0, 2),
                   rows.Number(0, 3)};
}

}  // namespace assay::reports
