#include "compiler/codegen/llvm/testing/differential.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/codegen/llvm/codegen_llvm.h"
#include "compiler/codegen/llvm/testing/difference.h"
#include "compiler/codegen/llvm/testing/run_kernel.h"
#include "compiler/tir/interpreter.h"
#include "runtime/base/random.h"

namespace assay::codegen {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

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
  const auto image = GenerateLlvm({f}, target, options);
  if (!image.ok()) return AssertionFailure() << image.status();
  for (const expr::Buffer& buffer : f.outputs) {
    buffers.emplace_back(buffer->dtype, buffer->shape);
  }
  RuntimeLog log;
  const auto result = RunKernel(image->code, f.name, buffers, log);
  if (!result.ok()) return AssertionFailure() << result.status();
  if (*result != 0) return AssertionFailure() << "returned " << *result;
  if (log.allocations != log.frees) {
    return AssertionFailure()
           << log.allocations << " allocations and " << log.frees << " frees";
  }
  for (size_t i = 0; i < f.outputs.size(); ++i) {
    const std::string difference =
        Difference((*expected)[i], buffers[f.inputs.size() + i]);
    if (!difference.empty()) {
      return AssertionFailure()
             << difference << " in output `" << f.outputs[i]->name << "`, seed "
             << seed << ", level " << opt_level << ", `" << target.ToString()
             << "`";
    }
  }
  return AssertionSuccess();
}

}  // namespace assay::codegen
