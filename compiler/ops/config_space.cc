#include "compiler/ops/config_space.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::ops {
namespace {

using Ints = std::vector<int64_t>;

// In ascending order.
Ints Factors(int64_t extent, const SplitOptions& options) {
  Ints result;
  if (options.policy != SplitPolicy::kPower2) {
    for (int64_t d = 1; d <= extent; ++d) {
      if (extent % d == 0) result.push_back(d);
    }
  }
  if (options.policy != SplitPolicy::kFactors) {
    for (int64_t p = 1; p <= extent; p *= 2) result.push_back(p);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  while (!result.empty() && result.back() > options.max_factor) {
    result.pop_back();
  }
  return result;
}

// Appends every split that starts with `sizes`.
struct SplitSearch {
  int64_t extent;
  const SplitOptions& options;
  bool no_tail;
  Ints factors;
  std::vector<Entity> found;

  void Run(Ints& sizes, int64_t product) {
    if (static_cast<int>(sizes.size()) == options.num_outputs) {
      if (no_tail && extent % product != 0) return;
      if (extent % product != 0 && product >= extent) return;
      if (options.filter && !options.filter(sizes)) return;
      found.push_back(SplitEntity{sizes});
      return;
    }
    for (int64_t factor : factors) {
      if (factor > extent / product) break;
      sizes.push_back(factor);
      Run(sizes, product * factor);
      sizes.pop_back();
    }
  }
};

absl::string_view KindNoun(const Entity& entity) {
  constexpr absl::string_view kNouns[] = {"splits", "values"};
  return kNouns[entity.index()];
}

}  // namespace

void ConfigSpace::DefineSplit(absl::string_view name, int64_t extent,
                              const SplitOptions& options) {
  CHECK_GE(extent, 1) << name;
  CHECK_GE(options.num_outputs, 2) << name;
  const bool no_tail =
      options.no_tail.value_or(options.policy == SplitPolicy::kFactors);
  SplitSearch search{extent, options, no_tail, {}, {}};
  if (options.policy == SplitPolicy::kCandidate) {
    for (const Ints& sizes : options.candidates) {
      CHECK_EQ(static_cast<int>(sizes.size()), options.num_outputs) << name;
      CHECK_EQ(sizes[0], -1) << name;
      search.found.push_back(SplitEntity{sizes});
    }
  } else {
    search.factors = Factors(extent, options);
    Ints sizes = {-1};
    search.Run(sizes, 1);
  }
  Add(name, std::move(search.found));
}

void ConfigSpace::DefineKnob(absl::string_view name,
                             const std::vector<int64_t>& values) {
  std::vector<Entity> candidates;
  for (int64_t value : values) candidates.push_back(KnobEntity{value});
  Add(name, std::move(candidates));
}

void ConfigSpace::Add(absl::string_view name, std::vector<Entity> candidates) {
  CHECK(!candidates.empty()) << "`" << name << "` has no candidates";
  for (const KnobSpace& knob : knobs_) CHECK_NE(knob.name, name);
  const int64_t most = std::numeric_limits<int64_t>::max() / size();
  CHECK_LE(static_cast<int64_t>(candidates.size()), most) << name;
  knobs_.push_back({std::string(name), std::move(candidates)});
}

int64_t ConfigSpace::size() const {
  int64_t product = 1;
  for (const KnobSpace& knob : knobs_) {
    product *= static_cast<int64_t>(knob.candidates.size());
  }
  return product;
}

std::vector<int64_t> ConfigSpace::Digits(int64_t index) const {
  CHECK(index >= 0 && index < size()) << index << " of " << size();
  Ints digits;
  for (const KnobSpace& knob : knobs_) {
    const auto radix = static_cast<int64_t>(knob.candidates.size());
    digits.push_back(index % radix);
    index /= radix;
  }
  return digits;
}

int64_t ConfigSpace::FromDigits(absl::Span<const int64_t> digits) const {
  CHECK_EQ(digits.size(), knobs_.size());
  int64_t index = 0;
  for (size_t k = knobs_.size(); k-- > 0;) {
    const auto radix = static_cast<int64_t>(knobs_[k].candidates.size());
    CHECK(digits[k] >= 0 && digits[k] < radix) << knobs_[k].name;
    index = index * radix + digits[k];
  }
  return index;
}

Config ConfigSpace::At(int64_t index) const {
  const Ints digits = Digits(index);
  Config config;
  for (size_t k = 0; k < knobs_.size(); ++k) {
    config.Set(knobs_[k].name, knobs_[k].candidates[digits[k]]);
  }
  return config;
}

absl::StatusOr<int64_t> ConfigSpace::IndexOf(const Config& config) const {
  Ints digits;
  for (const KnobSpace& knob : knobs_) {
    const Entity* entity = config.Find(knob.name);
    if (entity == nullptr) {
      return absl::NotFoundError(
          absl::StrCat("the configuration lacks `", knob.name, "`"));
    }
    const auto it =
        std::find(knob.candidates.begin(), knob.candidates.end(), *entity);
    if (it == knob.candidates.end()) {
      return absl::NotFoundError(
          absl::StrCat("`", ToString(*entity), "` is not a candidate of `",
                       knob.name, "`; it has ", knob.candidates.size(), " ",
                       KindNoun(knob.candidates[0]), " such as `",
                       ToString(knob.candidates.back()), "`"));
    }
    digits.push_back(it - knob.candidates.begin());
  }
  for (const auto& [name, entity] : config.entries()) {
    const auto known = [&, &name = name](const KnobSpace& knob) {
      return knob.name == name;
    };
    if (std::any_of(knobs_.begin(), knobs_.end(), known)) continue;
    return absl::NotFoundError(
        absl::StrCat("the space has no `", name, "`; it has ", Summary()));
  }
  return FromDigits(digits);
}

absl::StatusOr<Config> ConfigSpace::Override(const Config& base,
                                             const Config& changes) const {
  Config result = base;
  for (const auto& [name, entity] : changes.entries()) {
    result.Set(name, entity);
  }
  ASSAY_RETURN_IF_ERROR(IndexOf(result).status());
  return result;
}

Config ConfigSpace::Sample(Rng& rng) const {
  return At(rng.UniformInt(0, size() - 1));
}

std::string ConfigSpace::Summary() const {
  if (knobs_.empty()) return "nothing to choose";
  return absl::StrJoin(
      knobs_, ", ", [](std::string* out, const KnobSpace& knob) {
        absl::StrAppend(out, knob.name, ": ", knob.candidates.size(), " ",
                        KindNoun(knob.candidates[0]));
      });
}

Config Cheapest(const std::vector<Config>& configs,
                const std::function<double(const Config&)>& cost) {
  CHECK(!configs.empty());
  size_t best = 0;
  double least = cost(configs[0]);
  for (size_t i = 1; i < configs.size(); ++i) {
    const double other = cost(configs[i]);
    if (other < least) {
      least = other;
      best = i;
    }
  }
  return configs[best];
}

int64_t LargestDivisor(int64_t n, int64_t limit) {
  for (int64_t d = std::min(n, limit); d > 1; --d) {
    if (n % d == 0) return d;
  }
  return 1;
}

}  // namespace assay::ops
