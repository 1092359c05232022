#include "suites/trace/trace_file.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace assay::suites {
namespace {

TracedRun TwoKernels() {
  TracedRun run;
  run.name = "net on host, 2 threads";
  run.calls.resize(2);
  run.calls[0].symbol = "k000_conv2d";
  run.calls[0].sources = {"conv1", "bn1"};
  run.calls[0].flops = 1000;
  run.calls[1].symbol = "k001_softmax";
  run.calls[1].sources = {"prob\xff"};
  run.trace.threads = 2;
  run.trace.kernels = {{0, 100'000}, {100'000, 150'000}};
  run.trace.chunks = {{0, 7, 0, 1, 0, 100'000}, {1, 7, 1, 2, 20'000, 90'000}};
  return run;
}

TEST(ChromeTraceTest, HasATrackForEachThread) {
  const auto json = nlohmann::json::parse(ChromeTrace({TwoKernels()}));
  std::vector<std::string> events;
  for (const auto& event : json["traceEvents"]) {
    std::string text = event["ph"].get<std::string>() + " " +
                       std::to_string(event["tid"].get<int>()) + " ";
    text += event["ph"] == "M" ? event["args"]["name"].get<std::string>()
                               : event["name"].get<std::string>();
    if (event["ph"] == "X") {
      text += " " + event["ts"].dump() + " " + event["dur"].dump();
    }
    EXPECT_EQ(event["pid"], 1);
    events.push_back(text);
  }
  EXPECT_EQ(events,
            (std::vector<std::string>{
                "M 0 net on host, 2 threads", "M 0 kernels", "M 1 thread 0",
                "M 2 thread 1", "X 0 k000_conv2d 0.0 100.0",
                "X 0 k001_softmax 100.0 50.0", "X 1 k000_conv2d 0.0 100.0",
                "X 2 k000_conv2d 20.0 70.0"}));
  EXPECT_EQ(json["traceEvents"][4]["args"]["nodes"][1], "bn1");
}

TEST(ChromeTraceTest, EachRunIsAProcess) {
  const auto json =
      nlohmann::json::parse(ChromeTrace({TwoKernels(), TwoKernels()}));
  EXPECT_EQ(json["traceEvents"].size(), 16u);
  EXPECT_EQ(json["traceEvents"].back()["pid"], 2);
  EXPECT_EQ(nlohmann::json::parse(ChromeTrace({}))["traceEvents"].size(), 0u);
}

TEST(TraceSummaryTest, SaysWhereTheTimeGoes) {
  EXPECT_EQ(TraceSummary(TwoKernels(), 2),
            "2 threads, 0.15 ms: 56.7 % busy, 6.7 % late, 3.3 % waiting, "
            "33.3 % serial\n"
            "kernel           ms  busy  late  waiting  serial  nodes\n"
            "k001_softmax  0.050   0 %   0 %      0 %   100 %  prob\xff\n"
            "k000_conv2d   0.100  85 %  10 %      5 %     0 %  conv1 bn1\n");
  EXPECT_EQ(TraceSummary(TracedRun(), 2),
            "0 threads, 0 ms: 0.0 % busy, 0.0 % late, 0.0 % waiting, 0.0 % "
            "serial\n");
}

}  // namespace
}  // namespace assay::suites
