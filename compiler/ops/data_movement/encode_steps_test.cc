#include "compiler/ops/data_movement/encode_steps.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/ops/testing/kernel_check.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

std::string Text(const std::string& type, const std::string& encoding) {
  return absl::StrCat("graph g(%x: ", type, ") -> (%1) { %1: ", type, "@",
                      encoding, " = encode(%x) }");
}

// The check decodes the results, so that padding is not compared.
TEST(EncodeStepsTest, StoresWeightsInEveryEncoding) {
  const struct {
    const char* type;
    const char* encoding;
  } kCases[] = {
      {"float32[8,6,3,1]", "filters(in=3,out=4)"},
      {"int8[8,16,1,3]", "filters(in=8,out=4,depth=4,dtype=int16)"},
      {"float32[6,5,3,3]", "filters(in=3,out=5,transposed_groups=2)"},
      {"float32[16,35,3,2]", "split_filters()"},
      {"float32[32,3,5,7]", "split_filters(7)"},
      {"float32[8,5,3,3]", "winograd(m=2,block=4)"},
      {"float32[16,5,3,3]", "winograd(m=4,block=8)"},
      {"float32[6,1,3,3]", "winograd(m=6,block=2)"},
      {"float32[7,13]", "panels(width=8,depth=9)"},
      {"float32[13,7]", "panels(width=8,depth=9,transposed=true)"},
      {"int8[7,13]", "panels(width=4,depth=8,factors=4,dtype=int16)"},
      {"float32[33,17]", "panels(width=16,depth=64,split=true)"},
      {"float32[7,13]", "column_major()"},
  };
  CheckOptions options;
  options.absolute = 1e-5;
  for (const auto& c : kCases) {
    EXPECT_EQ(CheckText(Text(c.type, c.encoding), options), "")
        << c.type << "@" << c.encoding;
  }
}

TEST(EncodeStepsTest, VectorsHoldTheTilesOfSeveralFilters) {
  const auto graph =
      graph::GraphFromText(Text("float32[32,8,3,3]", "winograd(m=4,block=16)"));
  const auto kernel = BuildKernel(*graph, CheckTarget(kCheckTargets[0]));
  ASSERT_TRUE(kernel.ok()) << kernel.status();
  EXPECT_TRUE(absl::StrContains(kernel->schedule.ToString(), "rows.vectorize"))
      << kernel->schedule.ToString();
}

}  // namespace
}  // namespace assay::ops
