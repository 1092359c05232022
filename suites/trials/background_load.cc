#include "suites/trials/background_load.h"

#include <iterator>

#include "absl/algorithm/container.h"
#include "runtime/base/check.h"
#include "runtime/base/clock.h"
#include "runtime/base/random.h"
#include "runtime/device/cpu/cpu_affinity.h"

namespace assay::suites {
namespace {

constexpr int64_t kBurstNanos = 5'000'000;
constexpr size_t kBytes = size_t{16} << 20;

struct Kind {
  const char* name;
  double duty;
  bool every_processor, first_processor;
};
constexpr Kind kKinds[] = {
    {"idle", 0, false, false},
    {"steady", 1, false, false},
    {"bursts", 0.25, true, false},
    {"one_core", 0.5, false, true},
};

const Kind& FindKind(absl::string_view name) {
  const auto* const kind = absl::c_find_if(
      kKinds, [name](const Kind& known) { return name == known.name; });
  CHECK(kind != std::end(kKinds)) << name;
  return *kind;
}

}  // namespace

std::vector<std::string> BackgroundLoadNames() {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.push_back(kind.name);
  return names;
}

BackgroundLoad::BackgroundLoad(absl::string_view name, uint64_t seed)
    : start_nanos_(MonotonicNanos()) {
  const Kind& kind = FindKind(name);
  if (kind.duty == 0) return;
  std::vector<std::optional<int>> processors;
  if (kind.every_processor || kind.first_processor) {
    const std::vector<int> allowed = runtime::AllowedCpus();
    processors.assign(allowed.begin(), allowed.end());
    if (kind.first_processor && processors.size() > 1) processors.resize(1);
  } else {
    processors.push_back(std::nullopt);
  }
  for (const std::optional<int> processor : processors) {
    seed = SeedFor(seed, "thread");
    threads_.emplace_back([this, processor, duty = kind.duty, seed] {
      Disturb(processor, duty, seed);
    });
  }
}

BackgroundLoad::~BackgroundLoad() {
  stop_ = true;
  for (std::thread& thread : threads_) thread.join();
}

double BackgroundLoad::MeasuredDuty() const {
  if (threads_.empty()) return 0;
  const int64_t nanos = MonotonicNanos() - start_nanos_;
  return static_cast<double>(busy_nanos_) /
         static_cast<double>(nanos * count());
}

void BackgroundLoad::Disturb(std::optional<int> processor, double duty,
                             uint64_t seed) {
  // A thread that cannot be pinned adds load as well.
  if (processor.has_value()) {
    (void)runtime::SetAllowedCpusOf(/*tid=*/0, {*processor});
  }
  Rng rng(seed);
  std::vector<int64_t> memory(kBytes / sizeof(int64_t), 1);
  Clock* clock = Clock::Monotonic();
  size_t at = 0;
  while (!stop_) {
    const double burst =
        static_cast<double>(kBurstNanos) * rng.UniformFloat(0.5f, 1.5f);
    const int64_t begin = clock->NowNanos();
    int64_t now = begin;
    while (static_cast<double>(now - begin) < burst && !stop_) {
      for (int i = 0; i < 4096; ++i) {
        memory[at] += static_cast<int64_t>(at);
        at = (at + 8) % memory.size();
      }
      now = clock->NowNanos();
    }
    busy_nanos_ += now - begin;
    const double pause = static_cast<double>(kBurstNanos) * (1 - duty) / duty;
    clock->SleepNanos(
        static_cast<int64_t>(pause * rng.UniformFloat(0.5f, 1.5f)));
  }
}

}  // namespace assay::suites
