// Tests that the harness rejects miscompiled programs with exit code 4, and
// publishes no times of them. A small network is actually compiled and run, and
// its artifact is modified in between.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/validate.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"
#include "runtime/measure/in_process.h"
#include "suites/correctness/testing/small_net_fixture.h"

namespace assay::suites {
namespace {

using runtime::Artifact;
using runtime::Location;
using runtime::TensorInfo;

// Parameters of at least this size are weights; smaller ones are biases.
constexpr int64_t kLargeBytes = 1024;

// Returns the tensors at `location`, the largest first.
std::vector<TensorInfo*> TensorsAt(Artifact& artifact, Location location) {
  std::vector<TensorInfo*> tensors;
  for (TensorInfo& tensor : artifact.tensors) {
    if (tensor.location == location) tensors.push_back(&tensor);
  }
  std::sort(tensors.begin(), tensors.end(), [](const auto* a, const auto* b) {
    return std::pair(runtime::NumBytes(*a), a->position) >
           std::pair(runtime::NumBytes(*b), b->position);
  });
  return tensors;
}

// Returns the elements of a randomly chosen weight.
float* SomeParam(Artifact& artifact, Rng& rng, int64_t* count) {
  std::vector<TensorInfo*> params = TensorsAt(artifact, Location::kParam);
  const auto large = std::count_if(params.begin(), params.end(), [](auto* t) {
    return runtime::NumBytes(*t) >= kLargeBytes;
  });
  CHECK(large > 0);
  const TensorInfo& param =
      *params[static_cast<size_t>(rng.UniformInt(0, large - 1))];
  *count = runtime::NumBytes(param) / 4;
  return reinterpret_cast<float*>(&artifact.params[0] + param.position);
}

// Sets every fiftieth element, so that the output is sure to change.
void SetSomeWeights(Artifact& artifact, Rng& rng, float value) {
  int64_t count = 0;
  float* weights = SomeParam(artifact, rng, &count);
  for (int64_t i = rng.UniformInt(0, 49); i < count; i += 50) {
    weights[i] = value;
  }
}

// Returns a random call other than the first and the last.
size_t SomeCall(const Artifact& artifact, Rng& rng) {
  return static_cast<size_t>(
      rng.UniformInt(1, static_cast<int64_t>(artifact.calls.size()) - 2));
}

bool SameType(const TensorInfo& a, const TensorInfo& b) {
  return a.dtype == b.dtype && a.shape == b.shape;
}

// Exchanges two different parameters of the same type.
void ExchangeParams(Artifact& artifact, bool large) {
  for (TensorInfo* a : TensorsAt(artifact, Location::kParam)) {
    for (TensorInfo* b : TensorsAt(artifact, Location::kParam)) {
      if (a->position != b->position && SameType(*a, *b) &&
          (runtime::NumBytes(*a) >= kLargeBytes) == large) {
        return std::swap(a->position, b->position);
      }
    }
  }
  CHECK(false) << "no two parameters are alike";
}

// Makes the last call for which this is possible read a wrong intermediate
// value, which has the same type and was computed earlier.
void ReadAnotherValue(Artifact& artifact) {
  for (size_t i = artifact.calls.size(); i-- > 0;) {
    for (int32_t& input : artifact.calls[i].inputs) {
      for (size_t before = 0; before < i; ++before) {
        const int32_t other = artifact.calls[before].outputs[0];
        const TensorInfo& tensor = artifact.tensors[static_cast<size_t>(input)];
        if (tensor.location != Location::kArena || other == input ||
            !SameType(tensor, artifact.tensors[static_cast<size_t>(other)])) {
          continue;
        }
        const int32_t right = input;
        input = other;
        if (runtime::Validate(artifact).ok()) return;
        input = right;
      }
    }
  }
  CHECK(false) << "no intermediate values are alike";
}

struct Case {
  const char* name;
  // Modifies an artifact at a random place.
  std::function<void(Artifact&, Rng&)> miscompile;
};

std::vector<Case> Miscompiles() {
  return {
      {"a weight is wrong",
       [](Artifact& a, Rng& rng) { SetSomeWeights(a, rng, 3); }},
      {"weights are not numbers",
       [](Artifact& a, Rng& rng) {
         SetSomeWeights(a, rng, std::numeric_limits<float>::quiet_NaN());
       }},
      {"weights are infinite",
       [](Artifact& a, Rng& rng) {
         SetSomeWeights(a, rng, std::numeric_limits<float>::infinity());
       }},
      {"weights are zero",
       [](Artifact& a, Rng& rng) {
         int64_t count = 0;
         float* weights = SomeParam(a, rng, &count);
         std::fill(weights, weights + count, 0.0f);
       }},
      {"all parameters are zero",
       [](Artifact& a, Rng&) { a.params.assign(a.params.size(), '\0'); }},
      {"weights are a percent too large",
       [](Artifact& a, Rng& rng) {
         int64_t count = 0;
         float* weights = SomeParam(a, rng, &count);
         for (int64_t i = 0; i < count; ++i) weights[i] *= 1.01f;
       }},
      {"weights are rounded to eight bits",
       [](Artifact& a, Rng& rng) {
         int64_t count = 0;
         float* weights = SomeParam(a, rng, &count);
         float largest = 0;
         for (int64_t i = 0; i < count; ++i) {
           largest = std::max(largest, std::abs(weights[i]));
         }
         const float step = largest / 127;
         for (int64_t i = 0; i < count; ++i) {
           weights[i] = std::round(weights[i] / step) * step;
         }
       }},
      {"weights are shifted by one",
       [](Artifact& a, Rng& rng) {
         int64_t count = 0;
         float* weights = SomeParam(a, rng, &count);
         std::rotate(weights, weights + 1, weights + count);
       }},
      {"some kernel is left out",
       [](Artifact& a, Rng& rng) {
         a.calls.erase(a.calls.begin() +
                       static_cast<ptrdiff_t>(SomeCall(a, rng)));
       }},
      {"two kernels have each other's weights",
       [](Artifact& a, Rng&) { ExchangeParams(a, /*large=*/true); }},
      {"two kernels have each other's bias",
       [](Artifact& a, Rng&) { ExchangeParams(a, /*large=*/false); }},
      {"a kernel reads the wrong value",
       [](Artifact& a, Rng&) { ReadAnotherValue(a); }},
      {"weights are in the wrong order",
       [](Artifact& a, Rng& rng) {
         int64_t count = 0;
         float* weights = SomeParam(a, rng, &count);
         std::reverse(weights, weights + count);
       }},
  };
}

std::unique_ptr<runtime::Runner> MakeRunner() {
  return std::make_unique<runtime::InProcessRunner>();
}

class MiscompilesTest : public SmallNetFixture {};

TEST_F(MiscompilesTest, AreRejectedWithExitCode4AndNoTime) {
  ExpectAccepted(RunNet(nullptr, MakeRunner));
  const std::vector<Case> cases = Miscompiles();
  EXPECT_EQ(cases.size(), 13u);
  for (const Case& test : cases) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE(::testing::Message() << test.name << ", seed " << seed);
      const auto change = [&](Artifact& artifact) {
        Rng rng(seed);
        test.miscompile(artifact, rng);
      };
      ExpectRejected(RunNet(change, MakeRunner));
    }
  }
}

}  // namespace
}  // namespace assay::suites
