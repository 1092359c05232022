#include "runtime/device/cpu/cpu_affinity.h"

#include <sched.h>

#include <algorithm>

#include "runtime/base/random.h"

namespace assay::runtime {
namespace {

// A dynamically allocated cpu_set_t for the CPUs 0 to `limit` - 1.
class CpuSet {
 public:
  explicit CpuSet(int limit)
      : limit_(limit), bytes_(CPU_ALLOC_SIZE(limit)), set_(CPU_ALLOC(limit)) {
    if (set_ != nullptr) CPU_ZERO_S(bytes_, set_);
  }
  ~CpuSet() { CPU_FREE(set_); }
  CpuSet(const CpuSet&) = delete;
  CpuSet& operator=(const CpuSet&) = delete;

  size_t bytes() const { return bytes_; }
  cpu_set_t* get() { return set_; }
  void Add(int cpu) { CPU_SET_S(cpu, bytes_, set_); }
  std::vector<int> Members() const {
    std::vector<int> members;
    for (int cpu = 0; cpu < limit_; ++cpu) {
      if (CPU_ISSET_S(cpu, bytes_, set_)) members.push_back(cpu);
    }
    return members;
  }

 private:
  const int limit_;
  const size_t bytes_;
  cpu_set_t* const set_;
};

// Returns the result of `set(bytes, mask)`, where `mask` contains `cpus`.
// Returns false if `cpus` is empty.
template <typename Set>
bool SetMask(const std::vector<int>& cpus, Set set) {
  if (cpus.empty()) return false;
  CpuSet mask(*std::max_element(cpus.begin(), cpus.end()) + 1);
  if (mask.get() == nullptr) return false;
  for (const int cpu : cpus) mask.Add(cpu);
  return set(mask.bytes(), mask.get()) == 0;
}

}  // namespace

std::vector<int> AllowedCpus() { return AllowedCpusOf(/*tid=*/0); }

std::vector<int> AllowedCpusOf(pid_t tid) {
  // The call fails if the kernel's mask is larger than the set.
  for (int limit = 1024; limit <= 1 << 20; limit *= 4) {
    CpuSet set(limit);
    if (set.get() == nullptr) break;
    if (sched_getaffinity(tid, set.bytes(), set.get()) == 0) {
      return set.Members();
    }
  }
  return {};
}

bool SetAllowedCpus(pthread_t thread, const std::vector<int>& cpus) {
  return SetMask(cpus, [thread](size_t bytes, const cpu_set_t* mask) {
    return pthread_setaffinity_np(thread, bytes, mask);
  });
}

bool SetAllowedCpusOf(pid_t tid, const std::vector<int>& cpus) {
  return SetMask(cpus, [tid](size_t bytes, const cpu_set_t* mask) {
    return sched_setaffinity(tid, bytes, mask);
  });
}

std::vector<int> AssignCpus(const std::vector<int>& cpus, int caller_cpu,
                            int thread, int num_threads) {
  const int count = static_cast<int>(cpus.size());
  if (count == 0) return {};
  const auto caller = std::find(cpus.begin(), cpus.end(), caller_cpu);
  const int first =
      caller == cpus.end() ? 0 : static_cast<int>(caller - cpus.begin());
  std::vector<int> assigned;
  for (int i = thread % count; i < count; i += num_threads) {
    assigned.push_back(cpus[(first + i) % count]);
  }
  std::sort(assigned.begin(), assigned.end());
  return assigned;
}

ScopedCpu::ScopedCpu(uint64_t seed) : before_(AllowedCpus()) {
  if (before_.empty()) return;
  const auto last = static_cast<int64_t>(before_.size()) - 1;
  const auto drawn =
      static_cast<size_t>(Rng(SeedFor(seed, "processor")).UniformInt(0, last));
  (void)SetAllowedCpusOf(/*tid=*/0, {before_[drawn]});
}

ScopedCpu::~ScopedCpu() { (void)SetAllowedCpusOf(/*tid=*/0, before_); }

}  // namespace assay::runtime
