#include "runtime/base/parallel/for_all.h"

#include <atomic>
#include <vector>

#include "gtest/gtest.h"

namespace assay {
namespace {

TEST(ForAllTest, CallsForEachNumberOnce) {
  for (const size_t count : {0u, 1u, 2u, 1000u}) {
    std::vector<std::atomic<int>> calls(count);
    ForAll(count, [&](size_t i) { ++calls[i]; });
    for (const std::atomic<int>& call : calls) EXPECT_EQ(call, 1);
  }
}

}  // namespace
}  // namespace assay
