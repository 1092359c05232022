#include "runtime/tools/count/count_report.h"

#include <nlohmann/json.hpp>
#include <string>

#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/tools/count/count_kernels.h"
#include "runtime/tools/count/region_counts.h"

namespace assay::runtime {
namespace {

struct Example {
  Example() {
    artifact.metadata[kMetaModel] = "net";
    artifact.calls = {
        {"conv", {}, {}, {"Conv_0", "Relu_1"}, "conv2d+relu", 0, 0, "c0de"},
        {"a,b", {}, {}, {}, "copy", 0, 0, ""}};
    counts.machine = "aarch64";
    counts.cpu = "cortex-a53";
    RegionCounts call;
    call.instructions = {1000, 0, 10, 200, 500, 20, 260, 10};
    call.loads = 500;
    call.stores = 20;
    call.loaded_bytes = 7900;
    call.stored_bytes = 100;
    call.lines = 120;
    counts.calls.push_back(call);
    call = RegionCounts();
    call.instructions = {0, 0, 0, 10, 10, 10, 10, 0};
    call.loads = 10;
    call.stores = 10;
    call.loaded_bytes = 40;
    call.stored_bytes = 40;
    call.lines = 2;
    counts.calls.push_back(call);
  }
  Artifact artifact;
  KernelCounts counts;
};

TEST(CountReportTest, Table) {
  const Example example;
  EXPECT_EQ(
      CountTable(example.artifact, example.counts),
      "kernel  kind         instructions   fma  vector  loads  stores  bytes  "
      "lines  fma/instr  bytes/fma\n"
      "conv    conv2d+relu          2000  1000    1010    500      20   8000  "
      "  120       0.50       8.00\n"
      "a,b     copy                   40     0       0     10      10     80  "
      "    2       0.00          -\n"
      "all                          2040  1000    1010    510      30   8080  "
      "    -       0.49       8.08\n");
}

TEST(CountReportTest, Json) {
  const Example example;
  const auto json =
      nlohmann::json::parse(CountJson(example.artifact, example.counts));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["artifact"], Digest(example.artifact));
  EXPECT_EQ(json["metadata"]["model"], "net");
  EXPECT_EQ(json["machine"], "aarch64");
  EXPECT_EQ(json["cpu"], "cortex-a53");
  ASSERT_EQ(json["calls"].size(), 2u);
  const auto& call = json["calls"][0];
  EXPECT_EQ(call["kernel"], "conv");
  EXPECT_EQ(call["kind"], "conv2d+relu");
  EXPECT_EQ(call["sources"][1], "Relu_1");
  EXPECT_EQ(call["code_digest"], "c0de");
  EXPECT_EQ(call["instructions"], 2000);
  EXPECT_EQ(call["vector_multiply_add"], 1000);
  EXPECT_EQ(call["scalar_multiply_add"], 0);
  EXPECT_EQ(call["branch"], 260);
  EXPECT_EQ(call["loads"], 500);
  EXPECT_EQ(call["stored_bytes"], 100);
  EXPECT_EQ(call["lines"], 120);
}

TEST(CountReportTest, Csv) {
  const Example example;
  EXPECT_EQ(
      CountCsv(example.artifact, example.counts),
      "kernel,kind,instructions,vector_multiply_add,scalar_multiply_add,vector,"
      "scalar,load,store,branch,other,loads,stores,loaded_bytes,stored_bytes,"
      "lines\n"
      "conv,conv2d+relu,2000,1000,0,10,200,500,20,260,10,500,20,7900,100,120\n"
      "\"a,b\",copy,40,0,0,0,10,10,10,10,0,10,10,40,40,2\n");
}

}  // namespace
}  // namespace assay::runtime
