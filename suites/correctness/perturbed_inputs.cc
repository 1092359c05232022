#include "suites/correctness/perturbed_inputs.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/element.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"

namespace assay::suites {
namespace {

constexpr float kMaxShrinking = 1.0f / 64;

void Shrink(NDArray& array, Rng& rng) {
  for (int64_t i = 0; i < array.num_elements(); ++i) {
    const float shrinking = rng.UniformFloat(0, kMaxShrinking);
    StoreFloat(array, i, LoadFloat(array, i) * (1.0 - shrinking));
  }
}

// All permutations are equally likely (Fisher and Yates).
void ShuffleElements(NDArray& array, Rng& rng) {
  for (int64_t i = array.num_elements() - 1; i > 0; --i) {
    const int64_t other = rng.UniformInt(0, i);
    const int64_t value = LoadInt(array, i);
    StoreInt(array, i, LoadInt(array, other));
    StoreInt(array, other, value);
  }
}

}  // namespace

runtime::NamedTensors PerturbedInputs(const runtime::NamedTensors& inputs,
                                      const std::set<std::string>& varying,
                                      uint64_t seed) {
  const bool any_float =
      absl::c_any_of(inputs, [](const runtime::NamedTensor& input) {
        return input.value.dtype().is_float();
      });
  runtime::NamedTensors perturbed;
  for (const runtime::NamedTensor& input : inputs) {
    NDArray value = input.value.Clone();
    Rng rng(SeedFor(seed, absl::StrCat("input ", perturbed.size())));
    if (value.dtype().is_float()) {
      Shrink(value, rng);
    } else if (varying.count(input.name) > 0 ||
               (!any_float && !value.dtype().is_bool() &&
                value.dtype().bits() == 8)) {
      ShuffleElements(value, rng);
    }
    perturbed.push_back({input.name, std::move(value)});
  }
  return perturbed;
}

}  // namespace assay::suites
