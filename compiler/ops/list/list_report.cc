#include "compiler/ops/list/list_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "compiler/graph/parser.h"
#include "compiler/ops/instance_text.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

// Single-node graphs, such as layers of ResNet-50.
constexpr const char* kExamples[] = {
    R"(graph g(%x: float32[1,64,56,56]@blocks(16), %w: float32[64,64,3,3]@filters(in=16,out=16)) -> (%1) {
         %1: float32[1,64,56,56]@blocks(16) = conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
       })",
    R"(graph g(%x: float32[1,512,14,14]@blocks(16), %w: float32[1024,512,1,1]@filters(in=16,out=16)) -> (%1) {
         %1: float32[1,1024,14,14]@blocks(16) = conv2d(%x, %w) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
       })",
    R"(graph g(%x: float32[1,128,28,28]@blocks(16), %w: float32[128,4,3,3]@filters(in=16,out=16)) -> (%1) {
         %1: float32[1,128,28,28]@blocks(16) = conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=32}
       })",
    R"(graph g(%x: float32[1,32,112,112]@blocks(16), %w: float32[32,1,3,3]@filters(in=16,out=16)) -> (%1) {
         %1: float32[1,32,112,112]@blocks(16) = conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=32}
       })",
    R"(graph g(%x: float32[1,64,56,56]@blocks(16), %w: float32[64,64,3,3]@winograd(m=4,block=32)) -> (%1) {
         %1: float32[1,64,56,56]@blocks(16) = conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
       })",
    R"(graph g(%x: float32[1,32,112,112], %w: float32[32,16,3,3]) -> (%1) {
         %1: float32[1,32,112,112] = conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=2}
       })",
    R"(graph g(%x: float32[1,256,28,28]@blocks(16), %w: float32[256,128,4,4]@filters(in=16,out=16,transposed_groups=1)) -> (%1) {
         %1: float32[1,128,56,56]@blocks(16) = conv2d_transpose(%x, %w) {strides=[2,2], padding=[1,1,1,1], dilations=[1,1], output_padding=[0,0], groups=1}
       })",
    R"(graph g(%x: float32[1,16,28,28], %w: float32[16,16,4,4]) -> (%1) {
         %1: float32[1,16,56,56] = conv2d_transpose(%x, %w) {strides=[2,2], padding=[1,1,1,1], dilations=[1,1], output_padding=[0,0], groups=1}
       })",
    R"(graph g(%x: float32[1,2048], %w: float32[1000,2048]) -> (%1) {
         %1: float32[1,1000] = dense(%x, %w)
       })",
    R"(graph g(%a: float32[12,128,64], %b: float32[12,64,128]) -> (%1) {
         %1: float32[12,128,128] = matmul(%a, %b)
       })",
    R"(graph g(%x: float32[1,64,112,112]@blocks(16)) -> (%1) {
         %1: float32[1,64,56,56]@blocks(16) = max_pool2d(%x) {kernel=[3,3], strides=[2,2], padding=[1,1,1,1]}
       })",
    R"(graph g(%x: float32[1,2048,7,7]@blocks(16)) -> (%1) {
         %1: float32[1,2048,1,1]@blocks(16) = global_avg_pool2d(%x)
       })",
    R"(graph g(%x: float32[1,64,112,112]@blocks(16)) -> (%1) {
         %1: float32[1,64,56,56]@blocks(16) = avg_pool2d(%x) {kernel=[2,2], strides=[2,2], padding=[0,0,0,0]}
       })",
    R"(graph g(%x: float32[1,64,56,56]) -> (%1) {
         %1: float32[1,64] = reduce_mean(%x) {axes=[2,3]}
       })",
    R"(graph g(%x: float32[64,1000]) -> (%1) {
         %1: float32[1000] = reduce_sum(%x) {axes=[0]}
       })",
    R"(graph g(%x: float32[12,128,128]) -> (%1) {
         %1: float32[12,128,128] = softmax(%x) {axis=2}
       })",
    R"(graph g(%x: float32[128,768], %s: float32[768], %b: float32[768]) -> (%1) {
         %1: float32[128,768] = layer_norm(%x, %s, %b) {axis=1, epsilon=1e-05}
       })",
};

std::string CandidateText(const Candidate& candidate) {
  std::string text = absl::StrFormat(
      "  %s  %d point%s  %.3g ms by the model%s\n",
      candidate.implementation->name, candidate.space.size(),
      candidate.space.size() == 1 ? "" : "s", candidate.seconds * 1e3,
      candidate.implementation->inexact == nullptr ? "" : "  not exact");
  if (candidate.space.knobs().empty()) return text;
  absl::StrAppend(&text, "    ", candidate.space.Summary(), "\n    default ",
                  candidate.config.ToString(), "\n");
  return text;
}

}  // namespace

std::string ListReport(const target::Target& target) {
  std::string report = absl::StrCat("target ", target.ToString(), "\n");
  for (const char* example : kExamples) {
    const auto graph = graph::ParseGraph(example);
    CHECK(graph.ok()) << graph.status() << " in " << example;
    const OpInstance op = InstanceOf(*(*graph)->outputs()[0].value.node);
    absl::StrAppend(&report, "\n", InstanceText(op), "\n");
    for (const Candidate& candidate : Strategy(op, target)) {
      absl::StrAppend(&report, CandidateText(candidate));
    }
  }
  return report;
}

}  // namespace assay::ops
