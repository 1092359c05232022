// Tests that the check finds programs that simplify arithmetic as if floats
// were real numbers. The models below contain cancellation that is intended:
// they round, split numbers or compute the errors of roundings. Each has three
// programs, which are written in C++: an honest one, an honest one with fused
// multiply-adds, and one that simplifies.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"
#include "runtime/base/random.h"
#include "suites/correctness/comparators.h"
#include "suites/correctness/oracle.h"
#include "suites/correctness/rounding.h"
#include "suites/correctness/rounding_sensitivity.h"

#pragma clang fp contract(off)

namespace assay::suites {
namespace {

using runtime::NamedTensors;

constexpr int64_t kElements = 1000;

// Computes an element of the output from those of the two inputs.
using Program = std::function<float(float x, float y)>;

struct Case {
  const char* name;
  // Inputs are in [low, high].
  float low = -1;
  float high = 1;
  const char* graph;
  Program honest;
  Program fused;  // null if the model has no product that is added
  Program simplified;
};

// The sum of two numbers, and its error (Knuth).
struct TwoSum {
  float sum = 0, error = 0;
};
TwoSum AddWithError(float a, float b) {
  const float sum = a + b;
  const float tail = sum - a;
  return {sum, (a - (sum - tail)) + (b - tail)};
}

// The upper half of a number. The products are exact, so that a fused
// multiply-add gives the same bits. With Dekker's factor of 4097 instead, it
// gives x itself.
float UpperHalf(float x) {
  const float large = 4096.0f * x;
  const float sum = large + x;
  const float rest = sum - x;
  return sum - rest;
}

// The error of the product (Dekker).
float ProductError(float x, float y) {
  const float x_high = UpperHalf(x), y_high = UpperHalf(y);
  const float x_low = x - x_high, y_low = y - y_high;
  const float product = std::max(x * y, -8.0f);
  const float high = x_high * y_high, low = x_low * y_low;
  const float left = x_high * y_low, right = x_low * y_high;
  const float first = high - product;
  const float second = first + left;
  const float third = second + right;
  return third + low;
}

std::vector<Case> Cases() {
  return {
      {"rounds to integers by a large constant", -100, 100, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%3) {
        %1: float32[] = constant {value=[12582912]}
        %2: float32[1000] = add(%x, %1)
        %3: float32[1000] = subtract(%2, %1)
      })",
       [](float x, float) {
         const float sum = x + 12582912.0f;
         return sum - 12582912.0f;
       },
       nullptr, [](float x, float) { return x; }},
      {"rounds to multiples of 1/128 by a large constant", -1, 1, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%3) {
        %1: float32[] = constant {value=[98304]}
        %2: float32[1000] = add(%x, %1)
        %3: float32[1000] = subtract(%2, %1)
      })",
       [](float x, float) {
         const float sum = x + 98304.0f;
         return sum - 98304.0f;
       },
       nullptr, [](float x, float) { return x; }},
      {"rounds to multiples of a number in the data", -1, 1, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%4) {
        %1: float32[] = constant {value=[65536]}
        %2: float32[1000] = multiply(%y, %1)
        %3: float32[1000] = add(%x, %2)
        %4: float32[1000] = subtract(%3, %2)
      })",
       [](float x, float y) {
         const float large = y * 65536.0f;
         const float sum = x + large;
         return sum - large;
       },
       [](float x, float y) {
         return std::fma(-y, 65536.0f, std::fma(y, 65536.0f, x));
       },
       [](float x, float) { return x; }},
      {"is a floor by a large constant", -100, 100, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%6) {
        %1: float32[] = constant {value=[12582912]}
        %2: float32[1000] = add(%x, %1)
        %3: float32[1000] = subtract(%2, %1)
        %4: bool[1000] = less(%x, %3)
        %5: float32[1000] = cast(%4) {dtype=float32}
        %6: float32[1000] = subtract(%3, %5)
      })",
       [](float x, float) {
         const float sum = x + 12582912.0f;
         const float rounded = sum - 12582912.0f;
         return rounded - (x < rounded ? 1.0f : 0.0f);
       },
       nullptr, [](float x, float) { return x; }},
      {"is the error of a sum", -1, 1, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%6) {
        %1: float32[1000] = add(%x, %y)
        %2: float32[1000] = subtract(%1, %x)
        %3: float32[1000] = subtract(%1, %2)
        %4: float32[1000] = subtract(%x, %3)
        %5: float32[1000] = subtract(%y, %2)
        %6: float32[1000] = add(%4, %5)
      })",
       [](float x, float y) { return AddWithError(x, y).error; }, nullptr,
       [](float, float) { return 0; }},
      {"subtracts both terms from their sum", -1, 1, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%3) {
        %1: float32[1000] = add(%x, %y)
        %2: float32[1000] = subtract(%1, %x)
        %3: float32[1000] = subtract(%2, %y)
      })",
       [](float x, float y) {
         const float sum = x + y;
         const float rest = sum - x;
         return rest - y;
       },
       nullptr, [](float, float) { return 0; }},
      {"is the upper half of a number", -1, 1, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%5) {
        %1: float32[] = constant {value=[4096]}
        %2: float32[1000] = multiply(%x, %1)
        %3: float32[1000] = add(%2, %x)
        %4: float32[1000] = subtract(%3, %x)
        %5: float32[1000] = subtract(%3, %4)
      })",
       [](float x, float) { return UpperHalf(x); }, nullptr,
       [](float x, float) { return x; }},
      // A maximum lets no program join the product with the subtraction.
      {"is the error of a product", -1, 1, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%22) {
        %1: float32[] = constant {value=[4096]}
        %2: float32[1000] = multiply(%x, %1)
        %3: float32[1000] = add(%2, %x)
        %4: float32[1000] = subtract(%3, %x)
        %5: float32[1000] = subtract(%3, %4)
        %6: float32[1000] = subtract(%x, %5)
        %7: float32[1000] = multiply(%y, %1)
        %8: float32[1000] = add(%7, %y)
        %9: float32[1000] = subtract(%8, %y)
        %10: float32[1000] = subtract(%8, %9)
        %11: float32[1000] = subtract(%y, %10)
        %12: float32[1000] = multiply(%x, %y)
        %13: float32[] = constant {value=[-8]}
        %14: float32[1000] = maximum(%12, %13)
        %15: float32[1000] = multiply(%5, %10)
        %16: float32[1000] = subtract(%15, %14)
        %17: float32[1000] = multiply(%5, %11)
        %18: float32[1000] = add(%16, %17)
        %19: float32[1000] = multiply(%6, %10)
        %20: float32[1000] = add(%18, %19)
        %21: float32[1000] = multiply(%6, %11)
        %22: float32[1000] = add(%20, %21)
      })",
       [](float x, float y) { return ProductError(x, y); }, nullptr,
       [](float, float) { return 0; }},
      {"compensates a sum", -1, 1, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%8) {
        %1: float32[] = constant {value=[1000]}
        %2: float32[1000] = add(%x, %1)
        %3: float32[1000] = subtract(%2, %1)
        %4: float32[1000] = subtract(%3, %x)
        %5: float32[1000] = subtract(%y, %4)
        %6: float32[1000] = add(%2, %5)
        %7: float32[] = constant {value=[1000]}
        %8: float32[1000] = subtract(%6, %7)
      })",
       [](float x, float y) {
         const float sum = x + 1000.0f;
         const float moved = sum - 1000.0f;
         const float error = moved - x;
         const float next = y - error;
         const float total = sum + next;
         return total - 1000.0f;
       },
       nullptr,
       [](float x, float y) {
         const float sum = x + 1000.0f;
         const float total = sum + y;
         return total - 1000.0f;
       }},
      {"is log(1 + x) by steps", 1e-7f, 1e-4f, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%6) {
        %1: float32[] = constant {value=[1]}
        %2: float32[1000] = add(%x, %1)
        %3: float32[1000] = subtract(%2, %1)
        %4: float32[1000] = log(%2)
        %5: float32[1000] = divide(%x, %3)
        %6: float32[1000] = multiply(%4, %5)
      })",
       [](float x, float) {
         const float u = 1 + x;
         if (u == 1) return std::numeric_limits<float>::quiet_NaN();
         return std::log(u) * (x / (u - 1));
       },
       nullptr, [](float x, float) { return std::log(1 + x); }},
      {"is exp(x) - 1 by steps", 1e-6f, 1e-4f, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%6) {
        %1: float32[] = constant {value=[1]}
        %2: float32[1000] = exp(%x)
        %3: float32[1000] = subtract(%2, %1)
        %4: float32[1000] = log(%2)
        %5: float32[1000] = divide(%x, %4)
        %6: float32[1000] = multiply(%3, %5)
      })",
       [](float x, float) {
         const float u = std::exp(x);
         return (u - 1) * (x / std::log(u));
       },
       nullptr, [](float x, float) { return std::exp(x) - 1; }},
      {"subtracts a fake quantization", -1, 1, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%5) {
        %1: float32[] = constant {value=[0.1]}
        %2: float32[1000] = divide(%x, %1)
        %3: float32[1000] = round(%2)
        %4: float32[1000] = multiply(%3, %1)
        %5: float32[1000] = subtract(%x, %4)
      })",
       [](float x, float) {
         const float product = std::nearbyint(x / 0.1f) * 0.1f;
         return x - product;
       },
       [](float x, float) {
         return std::fma(-std::nearbyint(x / 0.1f), 0.1f, x);
       },
       [](float, float) { return 0; }},
      {"is sqrt(x * x + e) - x", 0.01f, 0.1f, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%5) {
        %1: float32[] = constant {value=[0.0001]}
        %2: float32[1000] = multiply(%x, %x)
        %3: float32[1000] = add(%2, %1)
        %4: float32[1000] = sqrt(%3)
        %5: float32[1000] = subtract(%4, %x)
      })",
       [](float x, float) {
         const float square = x * x;
         return std::sqrt(square + 0.0001f) - x;
       },
       [](float x, float) { return std::sqrt(std::fma(x, x, 0.0001f)) - x; },
       [](float, float) { return 0; }},
      {"is a difference of large exponentials", 80, 100, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%3) {
        %1: float32[1000] = exp(%x)
        %2: float32[1000] = exp(%x)
        %3: float32[1000] = subtract(%1, %2)
      })",
       [](float x, float) { return std::exp(x) - std::exp(x); }, nullptr,
       [](float, float) { return 0; }},
      {"multiplies and divides by a large number", -1e10f, 1e10f, R"(
      graph g(%x: float32[1000], %y: float32[1000]) -> (%3) {
        %1: float32[] = constant {value=[1e30]}
        %2: float32[1000] = multiply(%x, %1)
        %3: float32[1000] = divide(%2, %1)
      })",
       [](float x, float) {
         const float product = x * 1e30f;
         return product / 1e30f;
       },
       nullptr, [](float x, float) { return x; }},
  };
}

class SimplificationsTest : public ::testing::Test {
 protected:
  void Use(const char* graph, float low, float high) {
    model_ = Model();
    model_.graph = graph::GraphFromText(graph);
    Rng rng(7);
    inputs_ = {{"x", NDArray(DType::Float32(), {kElements})},
               {"y", NDArray(DType::Float32(), {kElements})}};
    for (runtime::NamedTensor& input : inputs_) {
      rng.FillUniform(input.value, low, high);
    }
    // Multiples of a power of two would have exact sums.
    for (float& y : inputs_[1].value.data<float>()) y *= 0.3f;
    answer_ = oracle_.Reference(model_, inputs_).value();
    noise_ = std::make_unique<RoundingSensitivity>(
        *model_.graph, [this](uint64_t seed) {
          return oracle_.Outputs(model_, inputs_, seed);
        });
  }

  NamedTensors Run(const Program& program) const {
    NDArray output(DType::Float32(), {kElements});
    const auto x = inputs_[0].value.data<float>();
    const auto y = inputs_[1].value.data<float>();
    for (size_t i = 0; i < x.size(); ++i) {
      output.data<float>()[i] = program(x[i], y[i]);
    }
    return {{"out", output}};
  }

  // Returns the problem of the outputs; empty if they are right.
  std::string Problem(const NamedTensors& outputs) {
    return AcceptOutputs(
               {outputs, answer_, InterpreterRule(model_), noise_.get()})
        ->problem;
  }

  InterpreterOracle oracle_{/*folder=*/"", /*version=*/""};
  Model model_;
  NamedTensors inputs_;
  NamedTensors answer_;
  std::unique_ptr<RoundingSensitivity> noise_;
};

TEST_F(SimplificationsTest, AreFoundWrongAndHonestProgramsAreRight) {
  const std::vector<Case> cases = Cases();
  EXPECT_GE(cases.size(), 11u);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    Use(c.graph, c.low, c.high);
    EXPECT_EQ(Problem(Run(c.honest)), "");
    if (c.fused) EXPECT_EQ(Problem(Run(c.fused)), "");
    EXPECT_NE(Problem(Run(c.simplified)), "");
  }
}

// The numbers that are rounded are sums, whose errors decide near ties. A few
// elements may differ by a whole step, but not all by half a step.
TEST_F(SimplificationsTest, AreFoundBehindSums) {
  model_ = Model();
  model_.graph = graph::GraphFromText(R"(
      graph g(%x: float32[2000,64], %w: float32[64]) -> (%5) {
        %1: float32[2000,64] = multiply(%x, %w)
        %2: float32[2000] = reduce_sum(%1) {axes=[1]}
        %3: float32[] = constant {value=[12582912]}
        %4: float32[2000] = add(%2, %3)
        %5: float32[2000] = subtract(%4, %3)
      })");
  Rng rng(7);
  inputs_ = {{"x", NDArray(DType::Float32(), {2000, 64})},
             {"w", NDArray(DType::Float32(), {64})}};
  // Multiples of 1/8192 make near ties likely.
  for (float& x : inputs_[0].value.data<float>()) {
    x = static_cast<float>(rng.UniformInt(-8192, 8192)) / 8192;
  }
  for (float& w : inputs_[1].value.data<float>()) {
    w = rng.UniformInt(0, 1) == 0 ? 0.1f : -0.3f;
  }
  answer_ = oracle_.Reference(model_, inputs_).value();
  noise_ = std::make_unique<RoundingSensitivity>(
      *model_.graph,
      [this](uint64_t s) { return oracle_.Outputs(model_, inputs_, s); });
  // Adds the terms in float32, from the last to the first.
  const auto run = [&](const std::function<float(float)>& finish) {
    NDArray output(DType::Float32(), {2000});
    for (size_t row = 0; row < 2000; ++row) {
      float sum = 0;
      for (size_t i = 64; i-- > 0;) {
        const float product = inputs_[0].value.data<float>()[row * 64 + i] *
                              inputs_[1].value.data<float>()[i];
        sum += product;
      }
      output.data<float>()[row] = finish(sum);
    }
    return NamedTensors{{"out", output}};
  };
  EXPECT_EQ(Problem(run([](float sum) {
              const float large = sum + 12582912.0f;
              return large - 12582912.0f;
            })),
            "");
  EXPECT_NE(Problem(run([](float sum) { return sum; })), "");
  EXPECT_NE(Problem(run([](float sum) { return std::floor(sum); })), "");
}

}  // namespace
}  // namespace assay::suites
