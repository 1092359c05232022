#include "suites/harness/work_list.h"

#include <cstddef>

#include "absl/algorithm/container.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

std::vector<Unit> UnitsOf(int models,
                          const std::vector<std::vector<int>>& threads) {
  std::vector<Unit> units;
  for (int model = 0; model < models; ++model) {
    for (size_t plan = 0; plan < threads.size(); ++plan) {
      for (const int count : threads[plan]) {
        units.push_back({static_cast<int>(units.size()), model,
                         static_cast<int>(plan), count});
      }
    }
  }
  return units;
}

}  // namespace

WorkList::WorkList(int models, const std::vector<std::vector<int>>& threads)
    : units_(UnitsOf(models, threads)),
      states_(units_.size(), State::kOpen),
      lanes_(threads.size()) {}

void WorkList::Join(int plan) {
  const absl::MutexLock lock(&mutex_);
  ++lanes_.at(plan);
}

std::optional<Unit> WorkList::TakeFirst(std::optional<int> plan) {
  for (const Unit& unit : units_) {
    if (states_[unit.index] != State::kOpen) continue;
    if (plan.has_value() && unit.plan != *plan) continue;
    states_[unit.index] = State::kTaken;
    return unit;
  }
  return std::nullopt;
}

std::optional<Unit> WorkList::Take(int plan) {
  const absl::MutexLock lock(&mutex_);
  const std::optional<Unit> unit = TakeFirst(plan);
  if (!unit.has_value()) --lanes_.at(plan);
  return unit;
}

std::optional<Unit> WorkList::TakeAny() {
  const absl::MutexLock lock(&mutex_);
  return TakeFirst(std::nullopt);
}

bool WorkList::GiveBack(const Unit& unit) {
  const absl::MutexLock lock(&mutex_);
  CHECK(states_.at(unit.index) == State::kTaken);
  if (lanes_.at(unit.plan) < 2) return false;
  --lanes_[unit.plan];
  states_[unit.index] = State::kOpen;
  return true;
}

bool WorkList::Finish(const Unit& unit) {
  const absl::MutexLock lock(&mutex_);
  CHECK(states_.at(unit.index) == State::kTaken);
  states_[unit.index] = State::kFinished;
  return absl::c_all_of(units_, [&](const Unit& other) {
    return other.model != unit.model ||
           states_[other.index] == State::kFinished;
  });
}

void WorkList::Drop(int model) {
  const absl::MutexLock lock(&mutex_);
  for (const Unit& unit : units_) {
    State& state = states_[unit.index];
    if (unit.model == model && state == State::kOpen) state = State::kFinished;
  }
}

void WorkList::WaitUntilFinished() const {
  const auto finished = [this] {
    return absl::c_all_of(
        states_, [](State state) { return state == State::kFinished; });
  };
  const absl::MutexLock lock(&mutex_);
  mutex_.Await(absl::Condition(&finished));
}

int WorkList::CountOf(int plan) const {
  return static_cast<int>(absl::c_count_if(
      units_, [plan](const Unit& unit) { return unit.plan == plan; }));
}

}  // namespace assay::suites
