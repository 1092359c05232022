#include "compiler/driver/memory_plan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "runtime/abi/abi.h"
#include "runtime/base/check.h"

namespace assay::driver {
namespace {

constexpr int64_t kAlignment = ASSAY_BUFFER_ALIGNMENT;

int64_t AlignedBytes(const BufferLifetime& buffer) {
  CHECK_GE(buffer.bytes, 0);
  CHECK_LE(buffer.first_use, buffer.last_use);
  return (buffer.bytes + kAlignment - 1) / kAlignment * kAlignment;
}

bool LiveTogether(const BufferLifetime& a, const BufferLifetime& b) {
  return a.first_use <= b.last_use && b.first_use <= a.last_use;
}

// Returns the offset of the smallest gap of at least `bytes` bytes between the
// `taken` ranges [begin, end), which may overlap; or else the end of the last
// range. Sorts `taken`.
int64_t BestFit(std::vector<std::pair<int64_t, int64_t>>& taken,
                int64_t bytes) {
  std::sort(taken.begin(), taken.end());
  int64_t best_offset = -1;
  int64_t best_gap = std::numeric_limits<int64_t>::max();
  int64_t end = 0;
  for (const auto& [range_begin, range_end] : taken) {
    const int64_t gap = range_begin - end;
    if (gap >= bytes && gap < best_gap) {
      best_offset = end;
      best_gap = gap;
    }
    end = std::max(end, range_end);
  }
  return best_offset >= 0 ? best_offset : end;
}

// A sort key; buffers are placed by decreasing weight.
using Weight = int64_t (*)(const BufferLifetime&);

int64_t BySize(const BufferLifetime& b) { return b.bytes; }

int64_t ByArea(const BufferLifetime& b) {
  return b.bytes * (int64_t{b.last_use} - b.first_use + 1);
}

int64_t ByDuration(const BufferLifetime& b) {
  return int64_t{b.last_use} - b.first_use;
}

int64_t ByAge(const BufferLifetime& b) { return -int64_t{b.first_use}; }

MemoryPlan PlanInOrder(absl::Span<const BufferLifetime> buffers,
                       Weight weight) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const BufferLifetime& x = buffers[a];
    const BufferLifetime& y = buffers[b];
    return std::tuple(-weight(x), -x.bytes, x.first_use, a) <
           std::tuple(-weight(y), -y.bytes, y.first_use, b);
  });

  MemoryPlan plan;
  plan.offsets.resize(buffers.size(), 0);
  std::vector<size_t> placed;
  std::vector<std::pair<int64_t, int64_t>> taken;
  for (size_t index : order) {
    const int64_t bytes = AlignedBytes(buffers[index]);
    if (bytes == 0) continue;
    taken.clear();
    for (size_t other : placed) {
      if (LiveTogether(buffers[index], buffers[other])) {
        taken.emplace_back(plan.offsets[other],
                           plan.offsets[other] + AlignedBytes(buffers[other]));
      }
    }
    const int64_t offset = BestFit(taken, bytes);
    plan.offsets[index] = offset;
    plan.arena_bytes = std::max(plan.arena_bytes, offset + bytes);
    placed.push_back(index);
  }
  return plan;
}

}  // namespace

MemoryPlan PlanMemory(absl::Span<const BufferLifetime> buffers) {
  const int64_t bound = LiveBytesLowerBound(buffers);
  MemoryPlan best = PlanInOrder(buffers, BySize);
  for (const Weight weight : {ByArea, ByDuration, ByAge}) {
    if (best.arena_bytes == bound) break;
    MemoryPlan plan = PlanInOrder(buffers, weight);
    if (plan.arena_bytes < best.arena_bytes) best = std::move(plan);
  }
  return best;
}

int64_t LiveBytesLowerBound(absl::Span<const BufferLifetime> buffers) {
  std::map<int64_t, int64_t> change;  // time -> change of the live bytes
  for (const BufferLifetime& b : buffers) {
    change[b.first_use] += AlignedBytes(b);
    change[int64_t{b.last_use} + 1] -= AlignedBytes(b);
  }
  int64_t live = 0;
  int64_t most = 0;
  for (const auto& [time, bytes] : change) {
    live += bytes;
    most = std::max(most, live);
  }
  return most;
}

}  // namespace assay::driver
