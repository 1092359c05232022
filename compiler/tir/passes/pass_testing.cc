#include "compiler/tir/passes/pass_testing.h"

#include <cmath>
#include <vector>

#include "compiler/tir/interpreter.h"
#include "compiler/tir/parser.h"
#include "compiler/tir/printer.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"

namespace assay::tir {

namespace {

bool Same(const NDArray& a, const NDArray& b, float tolerance) {
  if (tolerance == 0) return BitwiseEqual(a, b);
  const auto x = a.data<float>(), y = b.data<float>();
  for (size_t i = 0; i < x.size(); ++i) {
    if (!(std::fabs(x[i] - y[i]) <= tolerance)) return false;
  }
  return true;
}

}  // namespace

void ExpectSameOutputs(const Function& a, const Function& b, uint64_t seed,
                       float tolerance) {
  Rng rng(seed);
  std::vector<NDArray> inputs;
  for (const Buffer& buffer : a.inputs) {
    rng.FillUniform(inputs.emplace_back(buffer->dtype, buffer->shape), -4, 4);
  }
  const auto expected = Interpret(a, inputs);
  ASSERT_TRUE(expected.ok()) << expected.status() << "\n" << a;
  for (uint64_t order : {uint64_t{0}, seed}) {
    InterpretOptions options;
    options.seed = order;
    const auto actual = Interpret(b, inputs, options);
    ASSERT_TRUE(actual.ok()) << actual.status() << "\n" << a << b;
    for (size_t i = 0; i < expected->size(); ++i) {
      ASSERT_TRUE(Same((*expected)[i], (*actual)[i], tolerance))
          << "output " << i << " differs, seed " << seed << "\n"
          << a << b;
    }
  }
}

std::string RunPass(Stmt (*pass)(const Stmt&), absl::string_view before,
                    float tolerance) {
  absl::StatusOr<Function> f = ParseFunction(before);
  if (!f.ok()) {
    ADD_FAILURE() << f.status();
    return "";
  }
  Function after = *f;
  after.body = pass(f->body);
  ExpectSameOutputs(*f, after, /*seed=*/1, tolerance);
  return ToString(after);
}

}  // namespace assay::tir
