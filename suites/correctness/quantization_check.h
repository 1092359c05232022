// CheckQuantization: tests the rewrite of a quantized model to integers on real
// inputs.
//
// A quantized ONNX file computes in floats between quantize operators. The pass
// fake_quantization_to_integer replaces these floats by integers, and programs
// are compared with the result of this pass, bit for bit. An error of the pass
// would therefore be in the program and in its answer. CheckQuantization
// compares the graph before the pass with that after it.
//
// If both graphs simply computed their outputs, differences of one step would
// add up over the layers, and a wide bound would be needed. Instead, the graphs
// are compared at each quantize operator, and each of these parts is computed
// on the same operands:
//
//   graph after the pass     x ──────▶ q1 ──────▶ q2 ──────▶ outputs
//                                      │ ╲         │ ╲
//   graph before it          x ──▶ q1' ┘  ─▶ q2'  ┘  ─▶ outputs'
//
// An element of q' may differ from that of q by one step, because the value may
// lie near the middle between two steps, and only few elements may differ.
#ifndef ASSAY_SUITES_CORRECTNESS_QUANTIZATION_CHECK_H_
#define ASSAY_SUITES_CORRECTNESS_QUANTIZATION_CHECK_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "compiler/graph/passes/pass.h"
#include "runtime/artifact/tensor_file.h"
#include "suites/correctness/model.h"
#include "suites/correctness/oracle.h"

namespace assay::suites {

// The largest share of the elements of a tensor that may differ by a step.
constexpr double kMaxMovedShare = 0.01;

struct QuantizationCheck {
  // What is wrong, in one sentence that names the node; empty if nothing is.
  std::string problem;
  // Number of quantized tensors and of their elements, and how many of these
  // differ by a step.
  int64_t tensors = 0;
  int64_t elements = 0;
  int64_t moved = 0;
};

// Compares Model::graph with the result of `rewrite`, which is
// fake_quantization_to_integer except in tests. `answer` has the outputs of
// Model::computed() for `inputs`.
//
// Returns Unimplemented if the model has an output with a bounded dynamic
// dimension. Other errors are those of the oracle and the pass.
absl::StatusOr<QuantizationCheck> CheckQuantization(
    const Model& model, const runtime::NamedTensors& inputs,
    const runtime::NamedTensors& answer, graph::Pass& rewrite, Oracle& oracle);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_QUANTIZATION_CHECK_H_
