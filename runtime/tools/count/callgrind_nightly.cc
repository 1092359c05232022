// Callgrind counts the same instructions, loads and stores as the plug-in of
// qemu. It works in another way: it translates the program with VEX, and knows
// from its own decoder which instructions access memory.
//
// Both count what their markers execute, which the count of a region without
// work removes.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/process/runfiles.h"
#include "runtime/process/subprocess.h"
#include "runtime/tools/count/counted_run.h"
#include "runtime/tools/count/region_counts.h"

namespace assay::runtime {
namespace {

struct Counts {
  int64_t instructions = 0;
  int64_t loads = 0;
  int64_t stores = 0;
};

std::string Program() {
  return *FindRunfile("",
                      "assay/runtime/tools/count/testing/counted_twice_x86_64");
}

Counts ByPlugin(const std::string& what) {
  auto run = CountedRun::Create("", {"x86_64", "max", 60});
  CHECK(run.ok()) << run.status();
  const auto regions = run->Run(Program(), {what});
  CHECK(regions.ok() && regions->size() == 1) << regions.status();
  const RegionCounts& region = (*regions)[0];
  return {region.Total(), region.loads, region.stores};
}

Counts ByCallgrind(const std::string& what) {
  const std::string callgrind = *FindRunfile(
      "", "debian_valgrind/usr/libexec/valgrind/callgrind-amd64-linux");
  // The variable is set by the launcher `valgrind`, which is not needed.
  const auto result =
      RunProcess({"/usr/bin/env", "VALGRIND_LAUNCHER=" + callgrind, callgrind,
                  "--callgrind-out-file=/dev/null", "--collect-atstart=no",
                  "--cache-sim=yes", Program(), what},
                 {});
  CHECK(result.ok() && result->ok()) << result.status();
  // Events    : Ir Dr Dw ...
  // Collected : 89772 16972 7516 ...
  const std::vector<std::string> parts =
      absl::StrSplit(result->err, "Collected : ");
  CHECK_EQ(parts.size(), size_t{2}) << result->err;
  const std::vector<std::string> numbers = absl::StrSplit(parts[1], ' ');
  Counts counts;
  CHECK(absl::SimpleAtoi(numbers[0], &counts.instructions));
  CHECK(absl::SimpleAtoi(numbers[1], &counts.loads));
  CHECK(absl::SimpleAtoi(numbers[2], &counts.stores));
  return counts;
}

Counts Difference(const Counts& work, const Counts& nothing) {
  return {work.instructions - nothing.instructions, work.loads - nothing.loads,
          work.stores - nothing.stores};
}

TEST(CallgrindNightly, AgreesWithThePlugin) {
  for (const std::string what : {"product", "sort"}) {
    SCOPED_TRACE(what);
    const Counts plugin = Difference(ByPlugin(what), ByPlugin("nothing"));
    const Counts callgrind =
        Difference(ByCallgrind(what), ByCallgrind("nothing"));
    EXPECT_EQ(plugin.instructions, callgrind.instructions);
    EXPECT_EQ(plugin.loads, callgrind.loads);
    EXPECT_EQ(plugin.stores, callgrind.stores);
    EXPECT_GT(plugin.instructions, 10000);
    EXPECT_GT(plugin.loads, 1000);
    EXPECT_GT(plugin.stores, 100);
  }
}

// The plug-in counts an instruction that reads and writes the same memory as a
// load and as a store, and Callgrind only as a store.
TEST(CallgrindNightly, CountsReadModifyWriteAsAStore) {
  const Counts plugin = Difference(ByPlugin("modify"), ByPlugin("nothing"));
  const Counts callgrind =
      Difference(ByCallgrind("modify"), ByCallgrind("nothing"));
  EXPECT_EQ(plugin.instructions, callgrind.instructions);
  EXPECT_EQ(plugin.loads, 1000);
  EXPECT_EQ(plugin.stores, 1000);
  EXPECT_EQ(callgrind.loads, 0);
  EXPECT_EQ(callgrind.stores, 1000);
}

}  // namespace
}  // namespace assay::runtime
