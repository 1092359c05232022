#include "compiler/tune/space/search_space.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "compiler/graph/op/op.h"
#include "compiler/ops/implementation.h"
#include "compiler/ops/kernel/op_strategy.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::tune {
namespace {

constexpr int64_t kMaxPoints = int64_t{1} << 62;

// Up to this number of points, Sample() enumerates what is left.
constexpr int64_t kEnumerated = 1 << 16;

using Features = std::vector<float>;

struct AppendEntity {
  Features* out;
  void operator()(const ops::SplitEntity& split) const {
    for (size_t i = 1; i < split.sizes.size(); ++i) {
      out->push_back(std::log2(static_cast<float>(split.sizes[i])));
    }
  }
  void operator()(const ops::KnobEntity& knob) const {
    out->push_back(static_cast<float>(knob.value));
  }
};

// The features of a configuration. All points of a space have as many.
Features FeaturesOf(const ops::ConfigSpace& space, int64_t index) {
  Features features;
  const std::vector<int64_t> digits = space.Digits(index);
  for (size_t i = 0; i < digits.size(); ++i) {
    std::visit(AppendEntity{&features},
               space.knobs()[i].candidates.at(static_cast<size_t>(digits[i])));
  }
  return features;
}

// The names of these features: `tile_ow`, or `tile_ow.0`, … if a knob has
// several.
void AppendNames(const SearchSpace::Implementation& implementation,
                 std::vector<std::string>* names) {
  for (const auto& knob : implementation.configs.knobs()) {
    Features features;
    std::visit(AppendEntity{&features}, knob.candidates.at(0));
    for (size_t i = 0; i < features.size(); ++i) {
      names->push_back(absl::StrCat(implementation.name, ".", knob.name));
      if (features.size() > 1) absl::StrAppend(&names->back(), ".", i);
    }
  }
}

// Operands of which the dimensions are features: data and weights.
constexpr size_t kOperands = 2;

float Log2(int64_t n) { return std::log2(static_cast<float>(n) + 1); }

void AppendShape(const std::string& name, const graph::TensorType& type,
                 NamedFeatures* features) {
  for (size_t i = 0; i < type.shape.size(); ++i) {
    features->emplace_back(absl::StrCat(name, ".", i), Log2(type.shape[i]));
  }
}

// Describes an operator and its target, so that a model can learn from the
// times of one task and apply what it has learned to another.
NamedFeatures WorkloadFeatures(const ops::OpInstance& op,
                               const target::Target& target) {
  const float flops = Log2(ops::Flops(op)), bytes = Log2(ops::Bytes(op));
  NamedFeatures features = {
      {"flops", flops}, {"bytes", bytes}, {"intensity", flops - bytes}};
  AppendShape("out", op.output, &features);
  for (size_t i = 0; i < std::min(op.inputs.size(), kOperands); ++i) {
    AppendShape(absl::StrCat("in", i), op.inputs[i], &features);
  }
  features.emplace_back("vector_bits", Log2(target.vector_bits()));
  features.emplace_back("vector_registers", Log2(target.vector_registers()));
  features.emplace_back("cores", Log2(target.num_cores()));
  features.emplace_back("l1", Log2(target.l1_bytes()));
  features.emplace_back("l2", Log2(target.l2_bytes()));
  features.emplace_back("l3", Log2(target.l3_bytes()));
  return features;
}

}  // namespace

SearchSpace::SearchSpace(std::vector<Implementation> implementations,
                         NamedFeatures workload)
    : implementations_(std::move(implementations)),
      workload_(std::move(workload)) {
  CHECK(!implementations_.empty());
  std::set<std::string> names;
  for (const Implementation& implementation : implementations_) {
    CHECK(names.insert(implementation.name).second) << implementation.name;
    CHECK(implementation.seconds != nullptr) << implementation.name;
    feature_names_.push_back(implementation.name);
  }
  feature_names_.emplace_back("modelled");
  for (const auto& [name, value] : workload_) feature_names_.push_back(name);
  for (const Implementation& implementation : implementations_) {
    first_.push_back(size_);
    first_feature_.push_back(feature_names_.size());
    AppendNames(implementation, &feature_names_);
    const auto preferred =
        implementation.configs.IndexOf(implementation.preferred);
    CHECK(preferred.ok()) << preferred.status();
    preferred_.push_back(size_ + *preferred);
    CHECK(implementation.configs.size() < kMaxPoints - size_);
    size_ += implementation.configs.size();
  }
  default_seconds_ = ModelledSeconds(default_point());
}

SearchSpace::Place SearchSpace::PlaceOf(int64_t point) const {
  CHECK(point >= 0 && point < size_) << point;
  const auto after = std::upper_bound(first_.begin(), first_.end(), point);
  const auto i = static_cast<size_t>(after - first_.begin()) - 1;
  return {i, point - first_[i]};
}

SearchSpace::Choice SearchSpace::At(int64_t point) const {
  const Place place = PlaceOf(point);
  const Implementation& implementation = implementations_[place.implementation];
  return {implementation.name, implementation.configs.At(place.config)};
}

absl::StatusOr<int64_t> SearchSpace::IndexOf(absl::string_view implementation,
                                             const ops::Config& config) const {
  for (size_t i = 0; i < implementations_.size(); ++i) {
    if (implementations_[i].name != implementation) continue;
    ASSAY_ASSIGN_OR_RETURN(const int64_t index,
                           implementations_[i].configs.IndexOf(config));
    return first_[i] + index;
  }
  return absl::NotFoundError(
      absl::StrCat("the space has no implementation `", implementation, "`"));
}

int64_t SearchSpace::PreferredPoint(size_t implementation) const {
  return preferred_[implementation];
}

std::vector<int64_t> SearchSpace::PreferredPoints() const { return preferred_; }

double SearchSpace::ModelledSeconds(int64_t point) const {
  const Place place = PlaceOf(point);
  const Implementation& implementation = implementations_[place.implementation];
  return implementation.seconds(implementation.configs.At(place.config));
}

int64_t SearchSpace::RandomPoint(Rng& rng) const {
  return rng.UniformInt(0, size_ - 1);
}

int64_t SearchSpace::Neighbor(int64_t point, Rng& rng) const {
  const Place place = PlaceOf(point);
  const ops::ConfigSpace& configs =
      implementations_[place.implementation].configs;
  std::vector<int64_t> digits = configs.Digits(place.config);
  std::vector<size_t> knobs;  // that can be changed
  for (size_t i = 0; i < digits.size(); ++i) {
    if (configs.knobs()[i].candidates.size() > 1) knobs.push_back(i);
  }
  const auto others = static_cast<int64_t>(implementations_.size()) - 1;
  const auto changes = static_cast<int64_t>(knobs.size()) + (others > 0);
  if (changes == 0) return point;
  const auto change = static_cast<size_t>(rng.UniformInt(0, changes - 1));
  if (change == knobs.size()) {
    auto other = static_cast<size_t>(rng.UniformInt(0, others - 1));
    if (other >= place.implementation) ++other;
    return PreferredPoint(other);
  }
  const size_t knob = knobs[change];
  const auto candidates =
      static_cast<int64_t>(configs.knobs()[knob].candidates.size());
  int64_t digit = rng.UniformInt(0, candidates - 2);
  if (digit >= digits[knob]) ++digit;
  digits[knob] = digit;
  return first_[place.implementation] + configs.FromDigits(digits);
}

int64_t SearchSpace::Cross(int64_t a, int64_t b, Rng& rng) const {
  const Place first = PlaceOf(a), second = PlaceOf(b);
  if (first.implementation != second.implementation) return a;
  const ops::ConfigSpace& configs =
      implementations_[first.implementation].configs;
  std::vector<int64_t> digits = configs.Digits(first.config);
  const std::vector<int64_t> others = configs.Digits(second.config);
  const int64_t cut = rng.UniformInt(0, static_cast<int64_t>(digits.size()));
  std::copy(others.begin() + cut, others.end(), digits.begin() + cut);
  return first_[first.implementation] + configs.FromDigits(digits);
}

int SearchSpace::NumKnobs(int64_t point) const {
  const Place place = PlaceOf(point);
  return static_cast<int>(
      implementations_[place.implementation].configs.knobs().size());
}

std::vector<int64_t> SearchSpace::Sample(int64_t count, const PointSet& visited,
                                         Rng& rng) const {
  std::vector<int64_t> points;
  const auto left = size_ - static_cast<int64_t>(visited.size());
  count = std::min(count, left);
  if (count <= 0) return points;
  if (size_ <= kEnumerated) {
    std::vector<int64_t> all;
    for (int64_t point = 0; point < size_; ++point) {
      if (!visited.contains(point)) all.push_back(point);
    }
    count = std::min(count, static_cast<int64_t>(all.size()));
    for (int64_t i = 0; i < count; ++i) {
      const int64_t j = rng.UniformInt(i, static_cast<int64_t>(all.size()) - 1);
      std::swap(all[static_cast<size_t>(i)], all[static_cast<size_t>(j)]);
      points.push_back(all[static_cast<size_t>(i)]);
    }
    return points;
  }
  // Most points of a large space are never visited.
  PointSet drawn;
  while (static_cast<int64_t>(points.size()) < count) {
    const int64_t point = RandomPoint(rng);
    if (visited.contains(point) || !drawn.insert(point).second) continue;
    points.push_back(point);
  }
  return points;
}

std::vector<float> SearchSpace::Features(int64_t point) const {
  const Place place = PlaceOf(point);
  std::vector<float> features(feature_names_.size(),
                              std::numeric_limits<float>::quiet_NaN());
  std::fill_n(features.begin(), implementations_.size(), 0.0f);
  features[place.implementation] = 1;
  auto next =
      features.begin() + static_cast<ptrdiff_t>(implementations_.size());
  *next++ =
      static_cast<float>(std::log2(ModelledSeconds(point) / default_seconds_));
  for (const auto& [name, value] : workload_) *next++ = value;
  const std::vector<float> knobs =
      FeaturesOf(implementations_[place.implementation].configs, place.config);
  std::copy(knobs.begin(), knobs.end(),
            features.begin() +
                static_cast<ptrdiff_t>(first_feature_[place.implementation]));
  return features;
}

absl::StatusOr<SearchSpace> SpaceOf(const ops::OpInstance& op,
                                    const target::Target& target) {
  std::vector<SearchSpace::Implementation> implementations;
  for (ops::Candidate& candidate : ops::Strategy(op, target)) {
    const ops::Implementation& row = *candidate.implementation;
    implementations.push_back(
        {row.name, std::move(candidate.space), std::move(candidate.config),
         [op, target, seconds = row.seconds](const ops::Config& config) {
           return seconds(op, target, config);
         }});
  }
  if (implementations.empty()) {
    return absl::NotFoundError(absl::StrCat("no implementation of ",
                                            graph::OpName(op.kind),
                                            " applies on ", target.ToString()));
  }
  return SearchSpace(std::move(implementations), WorkloadFeatures(op, target));
}

absl::StatusOr<SearchSpace> SpaceOfKernel(const graph::Graph& kernel,
                                          const target::Target& target) {
  const graph::Node& node = *kernel.outputs().front().value.node;
  const graph::Node* const anchor =
      ops::AnchorOf(*node.attrs_as<graph::KernelAttrs>().body);
  if (anchor == nullptr) {
    return absl::NotFoundError(
        absl::StrCat("kernel `", node.name(), "` is elementwise"));
  }
  return SpaceOf(ops::InstanceOf(*anchor), target);
}

}  // namespace assay::tune
