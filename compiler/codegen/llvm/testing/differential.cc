#include "compiler/codegen/llvm/testing/differential.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/codegen/llvm/codegen.h"
#include "compiler/codegen/llvm/testing/run_kernel.h"
#include "compiler/tir/interpreter.h"
#include "runtime/base/random.h"

namespace assay::codegen {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

constexpr double kTolerance = 5e-6;

template <typename T>
AssertionResult FloatsAgree(const NDArray& expected, const NDArray& actual) {
  double largest = 1;
  for (const T value : expected.data<T>()) {
    if (std::isfinite(value)) {
      largest = std::max<double>(largest, std::fabs(value));
    }
  }
  for (int64_t i = 0; i < expected.num_elements(); ++i) {
    const double e = expected.data<T>()[i], a = actual.data<T>()[i];
    if (std::isnan(e) && std::isnan(a)) continue;
    if (e == a || std::fabs(e - a) <= kTolerance * largest) continue;
    return AssertionFailure()
           << "element " << i << " is " << a << " instead of " << e;
  }
  return AssertionSuccess();
}

AssertionResult Agree(const NDArray& expected, const NDArray& actual) {
  if (expected.dtype() == DType::Float32()) {
    return FloatsAgree<float>(expected, actual);
  }
  if (expected.dtype() == DType::Float64()) {
    return FloatsAgree<double>(expected, actual);
  }
  if (BitwiseEqual(expected, actual)) return AssertionSuccess();
  const int64_t bytes = expected.dtype().bytes();
  const auto* e = static_cast<const char*>(expected.raw());
  const auto* a = static_cast<const char*>(actual.raw());
  for (int64_t i = 0;; ++i) {
    if (std::memcmp(e + i * bytes, a + i * bytes, bytes) != 0) {
      return AssertionFailure() << "element " << i << " differs";
    }
  }
}

}  // namespace

std::vector<NDArray> RandomInputs(const tir::Function& f, uint64_t seed) {
  Rng rng(seed);
  std::vector<NDArray> inputs;
  for (const expr::Buffer& buffer : f.inputs) {
    inputs.emplace_back(buffer->dtype, buffer->shape);
    rng.FillUniform(inputs.back(), -50, 50);
  }
  return inputs;
}

AssertionResult AgreesWithInterpreter(const tir::Function& f,
                                      const target::Target& target,
                                      int opt_level, uint64_t seed) {
  std::vector<NDArray> buffers = RandomInputs(f, seed);
  const auto expected = tir::Interpret(f, buffers);
  if (!expected.ok()) {
    return AssertionFailure() << "interpreter: " << expected.status();
  }
  Options options;
  options.opt_level = opt_level;
  const auto image = CompileToSharedObject({f}, target, options);
  if (!image.ok()) return AssertionFailure() << image.status();
  for (const expr::Buffer& buffer : f.outputs) {
    buffers.emplace_back(buffer->dtype, buffer->shape);
  }
  RuntimeLog log;
  const auto result = RunKernel(*image, f.name, buffers, log);
  if (!result.ok()) return AssertionFailure() << result.status();
  if (*result != 0) return AssertionFailure() << "returned " << *result;
  if (log.allocations != log.frees) {
    return AssertionFailure()
           << log.allocations << " allocations and " << log.frees << " frees";
  }
  for (size_t i = 0; i < f.outputs.size(); ++i) {
    AssertionResult agree = Agree((*expected)[i], buffers[f.inputs.size() + i]);
    if (!agree) {
      return agree << " in output `" << f.outputs[i]->name << "`, seed " << seed
                   << ", level " << opt_level << ", `" << target.ToString()
                   << "`";
    }
  }
  return AssertionSuccess();
}

}  // namespace assay::codegen
