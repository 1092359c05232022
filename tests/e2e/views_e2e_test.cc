// Compiles and runs graphs with views (graph/views.h): the copies are gone and
// the results are right.
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "compiler/graph/testing/random_graph.h"
#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/base/check.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/executor/executor.h"

namespace assay::driver {
namespace {

// The kinds of the kernels that run; checks their results.
std::multiset<std::string> Kernels(const std::string& text, bool fusion,
                                   bool choose_layout = true) {
  const std::unique_ptr<graph::Graph> graph = graph::GraphFromText(text);
  const auto target = ResolveTarget("llvm -mcpu=native");
  CHECK(target.ok()) << target.status();
  CompileOptions options;
  options.fusion = fusion;
  options.choose_layout = choose_layout;
  options.verify = true;
  const auto artifact = Compile(*graph, *target, options);
  CHECK(artifact.ok()) << artifact.status();
  const auto device = runtime::CpuDevice::Create(2);
  CHECK(device.ok()) << device.status();
  const auto executor = runtime::Executor::Create(*artifact, device->get());
  CHECK(executor.ok()) << executor.status();
  // Twice: the values that one run leaves in memory do not disturb the next.
  for (const uint64_t seed : {3, 4}) {
    const std::vector<NDArray> inputs = graph::RandomInputs(*graph, seed);
    for (size_t i = 0; i < inputs.size(); ++i) {
      CHECK((*executor)->SetInput(graph->inputs()[i]->name(), inputs[i]).ok());
    }
    const absl::Status ran = (*executor)->Run();
    EXPECT_TRUE(ran.ok()) << ran;
    std::vector<NDArray> outputs;
    for (const auto& output : (*executor)->outputs()) {
      outputs.push_back((*executor)->GetOutput(output.name).value());
    }
    EXPECT_LT(graph::MaxError(outputs, *graph::Evaluate(*graph, inputs)), 1e-4)
        << text << fusion << choose_layout;
  }
  std::multiset<std::string> kinds;
  for (const runtime::KernelCall& call : artifact->calls) {
    kinds.insert(call.kind);
  }
  return kinds;
}

std::string Conv(int id, const std::string& x, int in, int out, int size) {
  return absl::StrCat("%", id, ": float32[", out, ",", in,
                      ",1,1] = constant {fill=0.0", id, "}\n%", id + 1,
                      ": float32[1,", out, ",", size, ",", size, "] = conv2d(",
                      x, ", %", id, ") {strides=[1,1], padding=[0,0,0,0], ",
                      "dilations=[1,1], groups=1}\n");
}

// Two joined branches followed by a convolution.
std::string Branches(int channels, int size) {
  const auto type = [&](int c) {
    return absl::StrCat("float32[1,", c, ",", size, ",", size, "]");
  };
  return absl::StrCat(
      "graph g(%x: ", type(16), ") -> (y=%12) {\n",
      Conv(1, "%x", 16, channels, size), "%3: ", type(channels),
      " = relu(%2)\n", Conv(4, "%x", 16, 32, size), "%6: ", type(channels + 32),
      " = concat(%3, %5) {axis=1}\n%7: ", type(channels + 32),
      " = sigmoid(%6)\n", Conv(8, "%7", channels + 32, 16, size),
      "%10: ", type(16),
      " = slice(%9) {begins=[0,0,0,0], steps=[1,1,1,1], sizes=[1,16,", size,
      ",", size, "]}\n%12: ", type(16), " = relu(%10)\n}");
}

TEST(ViewsTest, ElidesConcatOfConvolutions) {
  for (const bool fusion : {false, true}) {
    for (const bool layout : {false, true}) {
      EXPECT_EQ(Kernels(Branches(32, 8), fusion, layout).count("concat"), 0u)
          << fusion << layout;
    }
  }
}

// 7 x 7 pixels of 8 channels do not end at a multiple of the alignment, and 12
// channels are no multiple of a block. The concat is a copy, or part of another
// kernel.
TEST(ViewsTest, CopiesToUnalignedOffsets) {
  for (const int channels : {8, 12, 3}) {
    for (const bool fusion : {false, true}) {
      for (const bool layout : {false, true}) {
        const auto kernels = Kernels(Branches(channels, 7), fusion, layout);
        if (!fusion) EXPECT_EQ(kernels.count("concat"), 1u) << channels;
      }
    }
  }
}

TEST(ViewsTest, ElidesSplitAndReshape) {
  const std::string text = R"(
      graph g(%x: float32[1,32,4,4]) -> (y=%6) {
        %1: float32[1,32,4,4] = relu(%x)
        %2: float32[1,16,4,4] = slice(%1) {begins=[0,0,0,0], steps=[1,1,1,1], sizes=[1,16,4,4]}
        %3: float32[1,16,4,4] = slice(%1) {begins=[0,16,0,0], steps=[1,1,1,1], sizes=[1,16,4,4]}
        %4: float32[16,16] = reshape(%2) {shape=[16,16]}
        %5: float32[16,16] = reshape(%3) {shape=[16,16]}
        %6: float32[16,16] = matmul(%4, %5)
      })";
  for (const bool fusion : {false, true}) {
    const auto kernels = Kernels(text, fusion);
    EXPECT_EQ(kernels.count("slice"), 0u) << fusion;
    EXPECT_EQ(kernels.count("reshape"), 0u) << fusion;
  }
  EXPECT_EQ(Kernels(text, false).size(), 2u);
}

// A dense block: every value is read by several layers and stored once.
TEST(ViewsTest, ElidesConcatsOfDenseBlock) {
  std::string text =
      absl::StrCat("graph g(%x: float32[1,16,8,8]) -> (y=%30) {\n",
                   Conv(1, "%x", 16, 16, 8));
  std::string all = "%2";
  int channels = 16, id = 3;
  for (int layer = 0; layer < 3; ++layer) {
    const std::string relu = absl::StrCat("%", id++);
    absl::StrAppend(&text, relu, ": float32[1,", channels, ",8,8] = relu(", all,
                    ")\n", Conv(id, relu, channels, 16, 8));
    id += 2;
    const std::string joined = absl::StrCat("%", id++);
    absl::StrAppend(&text, joined, ": float32[1,", channels + 16,
                    ",8,8] = concat(", all, ", %", id - 2, ") {axis=1}\n");
    channels += 16;
    all = joined;
  }
  absl::StrAppend(&text, "%30: float32[1,", channels, ",8,8] = exp(", all,
                  ")\n}");
  for (const bool fusion : {false, true}) {
    for (const bool layout : {false, true}) {
      EXPECT_EQ(Kernels(text, fusion, layout).count("concat"), 0u)
          << fusion << layout;
    }
  }
}

}  // namespace
}  // namespace assay::driver
