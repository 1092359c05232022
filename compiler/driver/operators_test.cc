// Compiles and runs operators of every family on the host.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/driver/compile.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "compiler/graph/testing/random_graph.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/device/cpu/cpu_device.h"
#include "runtime/executor/executor.h"

namespace assay::driver {
namespace {

// Returns the error of the compiled graph relative to the interpreter on random
// inputs; a negative number if it does not compile or run.
double Error(const std::string& text) {
  const std::unique_ptr<graph::Graph> graph = graph::GraphFromText(text);
  const auto target = ResolveTarget("llvm -mcpu=native");
  CHECK(target.ok()) << target.status();
  CompileOptions options;
  options.verify = true;
  const auto artifact = Compile(*graph, *target, options);
  EXPECT_TRUE(artifact.ok()) << artifact.status();
  auto device = runtime::CpuDevice::Create(2);
  if (!artifact.ok() || !device.ok()) return -1;
  auto executor = runtime::Executor::Create(*artifact, device->get());
  if (!executor.ok()) return -1;
  const std::vector<NDArray> inputs = graph::RandomInputs(*graph, 3);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const absl::Status set =
        (*executor)->SetInput(graph->inputs()[i]->name(), inputs[i]);
    EXPECT_TRUE(set.ok()) << set;
  }
  const absl::Status ran = (*executor)->Run();
  EXPECT_TRUE(ran.ok()) << ran;
  std::vector<NDArray> outputs;
  for (const auto& output : (*executor)->outputs()) {
    const auto value = (*executor)->GetOutput(output.name);
    CHECK(value.ok()) << value.status();
    outputs.push_back(*value);
  }
  return graph::MaxError(outputs, *graph::Evaluate(*graph, inputs));
}

// Convolutions of types other than float32.
TEST(OperatorsTest, NarrowConvolutions) {
  EXPECT_EQ(Error(R"(
      graph g(%x: float32[1,3,9,11]) -> (y=%8) {
        %1: float32[] = constant {value=[40]}
        %2: float32[1,3,9,11] = multiply(%x, %1)
        %3: int8[1,3,9,11] = cast(%2) {dtype=int8}
        %4: int8[5,3,3,3] = constant {fill=-3}
        %5: int32[1,5,9,11] = conv2d(%3, %4) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
        %6: int32[5,1,1] = constant {fill=7}
        %7: int32[1,5,9,11] = add(%5, %6)
        %8: float32[1,5,9,11] = cast(%7) {dtype=float32}
      })"),
            0);
  // Two convolutions in a blocked layout with requantization in between.
  EXPECT_EQ(Error(R"(
      graph g(%x: float32[1,16,9,11]) -> (y=%11) {
        %1: float32[] = constant {value=[40]}
        %2: float32[1,16,9,11] = multiply(%x, %1)
        %3: int8[1,16,9,11] = cast(%2) {dtype=int8}
        %4: int8[24,16,3,3] = constant {fill=-3}
        %5: int32[1,24,9,11] = conv2d(%3, %4) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
        %6: float32[] = constant {value=[0.03125]}
        %7: uint8[] = constant {value=[9]}
        %8: uint8[1,24,9,11] = requantize(%5, %6, %7) {axis=1, dtype=uint8}
        %9: int8[16,24,1,1] = constant {fill=2}
        %10: int32[1,16,9,11] = conv2d(%8, %9) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %11: float32[1,16,9,11] = cast(%10) {dtype=float32}
      })"),
            0);
  const double error = Error(R"(
      graph g(%x: float32[1,3,9,11]) -> (y=%7) {
        %1: bfloat16[1,3,9,11] = cast(%x) {dtype=bfloat16}
        %2: float32[4,3,3,3] = constant {fill=0.25}
        %3: bfloat16[4,3,3,3] = cast(%2) {dtype=bfloat16}
        %4: float32[1,4,7,9] = conv2d(%1, %3) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %5: float32[4] = constant {fill=0.5}
        %6: float32[1,4,7,9] = batch_norm(%4, %5, %5, %5, %5) {epsilon=0.1}
        %7: float32[1,4,7,9] = relu(%6)
      })");
  EXPECT_GE(error, 0);
  EXPECT_LE(error, 1e-5);
}

TEST(OperatorsTest, FusedReductions) {
  for (const char* reduce : {"float32[3,5] = reduce_mean(%2) {axes=[2,3]}",
                             "float32[3,5] = reduce_max(%2) {axes=[2,3]}",
                             "float32[3,5] = reduce_sum(%2) {axes=[2,3]}"}) {
    const double error = Error(absl::StrCat(R"(
      graph g(%x: float32[3,5,17,9]) -> (y=%6) {
        %2: float32[3,5,17,9] = abs(%x)
        %3: )",
                                            reduce, R"(
        %4: float32[5] = constant {value=[1,2,3,4,5]}
        %5: float32[3,5] = add(%3, %4)
        %6: float32[3,5] = sqrt(%5)
      })"));
    EXPECT_GE(error, 0) << reduce;
    EXPECT_LT(error, 1e-5) << reduce;
  }
  EXPECT_EQ(Error(R"(
      graph g(%x: float32[3,40]) -> (y=%3) {
        %2: int64[3,1] = arg_max(%x) {axis=1, keepdims=true}
        %3: float32[3,1] = cast(%2) {dtype=float32}
      })"),
            0);
  // A reduction over the first axis, blocked by vectors.
  const double columns = Error(R"(
      graph g(%x: float32[40,64]) -> (y=%4) {
        %2: float32[64] = reduce_sum(%x) {axes=[0]}
        %3: float32[64] = abs(%2)
        %4: float32[64] = relu(%3)
      })");
  EXPECT_GE(columns, 0);
  EXPECT_LT(columns, 1e-5);
}

TEST(OperatorsTest, NarrowFloats) {
  const double error = Error(R"(
      graph g(%x: float32[3,40]) -> (y=%5) {
        %1: float16[3,40] = cast(%x) {dtype=float16}
        %2: float16[3,40] = gelu(%1)
        %3: float16[3,40] = cast(%2) {dtype=float16}
        %4: float16[3,40] = multiply(%3, %3)
        %5: float32[3,40] = cast(%4) {dtype=float32}
      })");
  EXPECT_GE(error, 0);
  EXPECT_LT(error, 1e-2);
}

TEST(OperatorsTest, QuantizeAndDequantize) {
  const double error = Error(R"(
      graph g(%x: float32[2,3,17]) -> (y=%6) {
        %1: float32[3] = constant {value=[0.01,0.02,0.003]}
        %2: int8[3] = constant {value=[0,5,-7]}
        %3: int8[2,3,17] = quantize(%x, %1, %2) {axis=1, dtype=int8}
        %4: float32[2,3,17] = dequantize(%3, %1, %2) {axis=1, dtype=float32}
        %5: float32[2,3,17] = abs(%4)
        %6: float32[2,3,17] = sqrt(%5)
      })");
  EXPECT_GE(error, 0);
  EXPECT_LT(error, 1e-5);
}

TEST(OperatorsTest, RowsAndTiles) {
  const double error = Error(R"(
      graph g(%x: float32[4,6,203], %s: float32[203], %b: float32[203]) -> (y=%3, z=%5, w=%6) {
        %1: float32[4,6,203] = layer_norm(%x, %s, %b) {axis=2, epsilon=1e-05}
        %2: float32[4,6,203] = softmax(%1) {axis=2}
        %3: float32[4,6] = reduce_max(%2) {axes=[2]}
        %4: float32[4,6,203] = log_softmax(%x) {axis=1}
        %5: float32[6,203] = reduce_mean(%4) {axes=[0]}
        %6: float32[] = reduce_sum(%2) {axes=[0,1,2]}
      })");
  EXPECT_GE(error, 0);
  EXPECT_LT(error, 1e-4);
}

// Poolings and activations between convolutions keep the blocked layout.
TEST(OperatorsTest, BlockedPoolsBetweenConvolutions) {
  const double error = Error(R"(
      graph g(%x: float32[1,16,13,13]) -> (y=%8) {
        %1: float32[32,16,3,3] = constant {fill=0.02}
        %2: float32[1,32,13,13] = conv2d(%x, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
        %3: float32[1,32,13,13] = hard_swish(%2)
        %4: float32[1,32,7,7] = avg_pool2d(%3) {kernel=[3,3], strides=[2,2], padding=[1,1,1,1]}
        %5: float32[32,32,1,1] = constant {fill=0.01}
        %6: float32[1,32,7,7] = conv2d(%4, %5) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %7: float32[1,32,7,7] = sigmoid(%6)
        %8: float32[1,32,1,1] = global_max_pool2d(%7)
      })");
  EXPECT_GE(error, 0);
  EXPECT_LT(error, 1e-4);
}

// The extent of a bounded output is computed at run time.
TEST(OperatorsTest, BoundedOutputs) {
  EXPECT_EQ(Error(R"(
      graph g(%x: float32[2,9,2], %s: float32[2,3,9]) -> (y=%7 {axis=0, extent=%2.1}, z=%6 {axis=1, extent=%2.1}) {
        %1: float32[2,9,4] = concat(%x, %x) {axis=2}
        %2: (int64[24,3], int64[]) = non_max_suppression(%1, %s) {most=4, iou_threshold=0.5, score_threshold=0.25}
        %3: int64[24,3] = add(%2, %2)
        %4: int64[24,1] = slice(%2) {begins=[0,2], steps=[1,1], sizes=[24,1]}
        %5: float32[2,24,1,2] = gather(%x, %4) {axis=1}
        %6: float32[2,24,2] = reduce_max(%5) {axes=[2]}
        %7: float32[24,3] = cast(%3) {dtype=float32}
      })"),
            0);
}

TEST(OperatorsTest, DataMovement) {
  const double error = Error(R"(
      graph g(%x: float32[1,4,9,10]) -> (y=%5) {
        %1: float32[1,4,9,5] = slice(%x) {begins=[0,3,8,1], steps=[1,-1,-1,2], sizes=[1,4,9,5]}
        %2: float32[1,4,11,8] = pad(%1) {before=[0,0,1,3], after=[0,0,1,0], value=0.5}
        %3: float32[4,3,3,3] = constant {fill=0.1}
        %4: float32[1,3,22,16] = conv2d_transpose(%2, %3) {strides=[2,2], padding=[1,1,1,1], dilations=[1,1], output_padding=[1,1], groups=1}
        %5: float32[1,3,22,16] = leaky_relu(%4) {alpha=0.1}
      })");
  EXPECT_GE(error, 0);
  EXPECT_LT(error, 1e-4);
}

}  // namespace
}  // namespace assay::driver
