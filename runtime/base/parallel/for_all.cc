#include "runtime/base/parallel/for_all.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace assay {

void ForAll(size_t count, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next = 0;
  const auto loop = [&] {
    for (size_t i = next++; i < count; i = next++) work(i);
  };
  const size_t number = std::min<size_t>(
      count, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::thread> threads;
  for (size_t i = 1; i < number; ++i) threads.emplace_back(loop);
  loop();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace assay
