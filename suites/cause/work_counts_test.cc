#include "suites/cause/work_counts.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/tools/count/region_counts.h"

namespace assay::suites {
namespace {

runtime::KernelCall Call(const std::string& symbol, const std::string& node,
                         const std::string& digest) {
  runtime::KernelCall call;
  call.symbol = symbol;
  call.sources = {node};
  call.code_digest = digest;
  return call;
}

runtime::RegionCounts Counts(int64_t instructions) {
  runtime::RegionCounts counts;
  counts.instructions[0] = instructions;
  return counts;
}

TEST(AddWorkCountsTest, SaysWhichKernelsDoMoreWork) {
  const std::vector<runtime::KernelCall> base = {Call("k0", "a", "1"),
                                                 Call("k1", "b", "2")};
  const std::vector<runtime::KernelCall> run = {Call("k0", "a", "1"),
                                                Call("k2", "b", "3")};
  const std::vector<runtime::RegionCounts> base_counts = {Counts(1000),
                                                          Counts(5000)};
  const std::vector<runtime::RegionCounts> run_counts = {Counts(1000),
                                                         Counts(6000)};
  reports::Attribution attribution;
  // In the order of the times.
  attribution.kernels = {{{"b"}, {"k1"}, {"k2"}}, {{"a"}, {"k0"}, {"k0"}}};
  AddWorkCounts({base, base_counts}, {run, run_counts}, &attribution);
  ASSERT_TRUE(attribution.kernels[0].work.has_value());
  EXPECT_EQ(attribution.kernels[0].work->change, "more_work");
  EXPECT_EQ(attribution.kernels[0].work->base_instructions, 5000);
  EXPECT_EQ(attribution.kernels[0].work->run_instructions, 6000);
  ASSERT_TRUE(attribution.kernels[1].work.has_value());
  EXPECT_EQ(attribution.kernels[1].work->change, "same_code");
}

}  // namespace
}  // namespace assay::suites
