#include "compiler/ops/testing/kernel_check.h"

#include <cmath>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/encoding/encode.h"
#include "compiler/graph/reference/evaluate.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/lower/lower.h"
#include "compiler/target/target.h"
#include "compiler/tir/interpreter.h"
#include "compiler/tir/passes/pipeline.h"
#include "runtime/base/check.h"
#include "runtime/base/element.h"
#include "runtime/base/random.h"

namespace assay::ops {
namespace {

double Number(const NDArray& x, int64_t i) {
  return x.dtype().is_float() ? LoadFloat(x, i)
                              : static_cast<double>(LoadInt(x, i));
}

bool Close(double a, double b, const CheckOptions& options) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == std::isnan(b);
  if (a == b) return true;
  return std::abs(a - b) <= options.absolute + options.relative * std::abs(b);
}

std::string Difference(const NDArray& actual, const NDArray& expected,
                       const CheckOptions& options) {
  if (actual.shape() != expected.shape() ||
      actual.dtype() != expected.dtype()) {
    return absl::StrCat("is ", actual.dtype().ToString(),
                        ShapeToString(actual.shape()));
  }
  for (int64_t i = 0; i < actual.num_elements(); ++i) {
    const double a = Number(actual, i), b = Number(expected, i);
    if (Close(a, b, options)) continue;
    return absl::StrCat("element ", i, " is ", a, " instead of ", b);
  }
  return "";
}

}  // namespace

target::Target CheckTarget(const char* text) {
  const auto target = target::Target::Parse(text);
  CHECK(target.ok()) << target.status();
  return *target;
}

std::string CheckKernel(const graph::Graph& body, const char* target_text,
                        const CheckOptions& options) {
  const auto target = target::Target::Parse(target_text);
  CHECK(target.ok()) << target.status();
  const auto kernel = BuildKernel(body, *target, options.kernel);
  if (!kernel.ok()) return kernel.status().ToString();
  const auto lowered =
      lower::Lower(kernel->schedule, "k", kernel->inputs, kernel->outputs);
  if (!lowered.ok()) return lowered.status().ToString();
  Rng rng(11);
  std::vector<NDArray> inputs, stored;
  for (const graph::Node* input : body.inputs()) {
    inputs.emplace_back(input->type().dtype, input->type().shape);
    rng.FillUniform(inputs.back(), options.low, options.high);
    stored.push_back(*graph::Encode(inputs.back(), input->type().encoding));
  }
  const auto expected = graph::Evaluate(body, inputs);
  if (!expected.ok()) return expected.status().ToString();
  for (const tir::Function& f : {*lowered, tir::LowerLoops(*lowered)}) {
    tir::InterpretOptions interpret;
    interpret.seed = 5;
    const auto actual = tir::Interpret(f, stored, interpret);
    if (!actual.ok()) return actual.status().ToString();
    for (size_t i = 0; i < expected->size(); ++i) {
      const graph::TensorType& type = body.outputs()[i].value.type();
      const auto decoded =
          graph::Decode((*actual)[i], type.encoding, {type.dtype, type.shape});
      if (!decoded.ok()) return decoded.status().ToString();
      const std::string difference =
          Difference(*decoded, (*expected)[i], options);
      if (difference.empty()) continue;
      return absl::StrCat(target_text, ": output ", i, ": ", difference);
    }
  }
  return "";
}

std::string CheckText(const std::string& text, const CheckOptions& options) {
  const std::unique_ptr<graph::Graph> graph = graph::GraphFromText(text);
  for (const char* target : kCheckTargets) {
    const std::string difference = CheckKernel(*graph, target, options);
    if (!difference.empty()) return difference;
  }
  return "";
}

}  // namespace assay::ops
