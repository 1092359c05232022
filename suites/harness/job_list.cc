#include "suites/harness/job_list.h"

#include <cstddef>

#include "absl/algorithm/container.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

std::vector<Job> JobsOf(int models,
                        const std::vector<std::vector<int>>& threads) {
  std::vector<Job> jobs;
  for (int model = 0; model < models; ++model) {
    for (size_t device = 0; device < threads.size(); ++device) {
      for (const int count : threads[device]) {
        jobs.push_back({static_cast<int>(jobs.size()), model,
                        static_cast<int>(device), count});
      }
    }
  }
  return jobs;
}

}  // namespace

JobList::JobList(int models, const std::vector<std::vector<int>>& threads)
    : jobs_(JobsOf(models, threads)),
      states_(jobs_.size(), State::kOpen),
      takers_(threads.size()) {}

void JobList::Join(int device) {
  const absl::MutexLock lock(&mutex_);
  ++takers_.at(device);
}

std::optional<Job> JobList::TakeFirst(std::optional<int> device) {
  for (const Job& job : jobs_) {
    if (states_[job.index] != State::kOpen) continue;
    if (device.has_value() && job.device != *device) continue;
    states_[job.index] = State::kTaken;
    return job;
  }
  return std::nullopt;
}

std::optional<Job> JobList::Take(int device) {
  const absl::MutexLock lock(&mutex_);
  const std::optional<Job> job = TakeFirst(device);
  if (!job.has_value()) --takers_.at(device);
  return job;
}

std::optional<Job> JobList::TakeAny() {
  const absl::MutexLock lock(&mutex_);
  return TakeFirst(std::nullopt);
}

bool JobList::GiveBack(const Job& job) {
  const absl::MutexLock lock(&mutex_);
  CHECK(states_.at(job.index) == State::kTaken);
  if (takers_.at(job.device) < 2) return false;
  --takers_[job.device];
  states_[job.index] = State::kOpen;
  return true;
}

bool JobList::Finish(const Job& job) {
  const absl::MutexLock lock(&mutex_);
  CHECK(states_.at(job.index) == State::kTaken);
  states_[job.index] = State::kFinished;
  return absl::c_all_of(jobs_, [&](const Job& other) {
    return other.model != job.model || states_[other.index] == State::kFinished;
  });
}

void JobList::Drop(int model) {
  const absl::MutexLock lock(&mutex_);
  for (const Job& job : jobs_) {
    State& state = states_[job.index];
    if (job.model == model && state == State::kOpen) state = State::kFinished;
  }
}

void JobList::WaitUntilFinished() const {
  const auto finished = [this] {
    return absl::c_all_of(
        states_, [](State state) { return state == State::kFinished; });
  };
  const absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&finished));
}

int JobList::CountOf(int device) const {
  return static_cast<int>(absl::c_count_if(
      jobs_, [device](const Job& job) { return job.device == device; }));
}

}  // namespace assay::suites
