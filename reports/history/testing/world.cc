#include "reports/history/testing/world.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay::reports {
namespace {

constexpr int kKernels = 4;
constexpr char kMachine[] = "x86_64-some-cpu-2c-0123abcd";

}  // namespace

Autocorrelated::Autocorrelated(double correlation, bool heavy_tails,
                               uint64_t seed)
    : correlation_(correlation),
      heavy_tails_(heavy_tails),
      rng_(seed),
      state_(Normal()) {}

double Autocorrelated::Uniform() {
  return (static_cast<double>(rng_.NextU64() >> 11) + 0.5) * 0x1p-53;
}

// Box and Muller; Rng::NormalFloat() has no tails.
double Autocorrelated::Normal() {
  const double radius = std::sqrt(-2 * std::log(Uniform()));
  return radius * std::cos(2 * 3.14159265358979323846 * Uniform());
}

double Autocorrelated::Innovation() {
  const double normal = Normal();
  if (!heavy_tails_) return normal;
  // A chi-squared variate with 4 degrees of freedom, and the variance of t.
  const double chi_squared = -2 * std::log(Uniform() * Uniform());
  return normal / std::sqrt(chi_squared / 4) / std::sqrt(2.0);
}

double Autocorrelated::Next() {
  const double value = state_;
  state_ = correlation_ * state_ +
           std::sqrt(1 - correlation_ * correlation_) * Innovation();
  return value;
}

World::World(const WorldOptions& options, Judge judge)
    : options_(options),
      judge_(std::move(judge)),
      drift_(0, false, options.seed) {
  for (int i = 0; i < options.cells; ++i) {
    const auto seed = [&](const char* name) {
      return SeedFor(options.seed, absl::StrCat(name, " of cell ", i));
    };
    cells_.push_back({std::vector<int>(kKernels), 0, std::log(5.0 + i),
                      std::log(20.0 + i), 0, "",
                      Autocorrelated(options.correlation, options.heavy_tails,
                                     seed("latency")),
                      Autocorrelated(options.correlation, options.heavy_tails,
                                     seed("load"))});
  }
}

void World::ChangeCode(int cell, double change) {
  CellState& state = cells_.at(static_cast<size_t>(cell));
  ++state.kernels[static_cast<size_t>(cell) % kKernels];
  state.changed_by += change;
}

void World::ChangeLayout(int cell, double change) {
  CellState& state = cells_.at(static_cast<size_t>(cell));
  ++state.layout;
  state.changed_by += change;
}

void World::ChangeLoad(int cell, double change) {
  cells_.at(static_cast<size_t>(cell)).load += change;
}

void World::ChangeMachine(bool recorded, double change) {
  if (recorded) ++kernel_;
  machine_ += change;
}

void World::ChangeRuntime(double change) {
  ++runtime_;
  machine_ += change;
}

void World::ChangePolicy(double change) {
  ++policy_;
  machine_ += change;
}

void World::MeasureNight() {
  machine_ += options_.drift * drift_.Next();
  RunResult run;
  run.started_at = absl::StrCat("night ", history_.size());
  run.environment.fingerprint = kMachine;
  run.environment.identity = {{"cpu", "Some CPU"}};
  run.environment.state = {{"kernel", absl::StrCat("6.1.", kernel_)},
                           {"load", absl::StrCat("0.", history_.size() % 10)}};
  for (int i = 0; i < options_.cells; ++i) {
    run.rows.push_back(RowOf(i, cells_[static_cast<size_t>(i)]));
  }
  history_.push_back(std::move(run));
}

Row World::RowOf(int index, CellState& cell) {
  Row row;
  row.suite = "zoo";
  row.cell.model = absl::StrCat("net", index);
  row.cell.device = "host";
  row.fingerprint = kMachine;
  row.build.model_digest = absl::StrCat("model", index);
  row.build.runtime_digest = absl::StrCat("runtime", runtime_);
  std::string artifact = absl::StrCat("artifact", index, " ", cell.layout);
  for (size_t k = 0; k < cell.kernels.size(); ++k) {
    row.build.code.push_back(
        {absl::StrCat("k", k),
         {absl::StrCat("node", k)},
         absl::StrCat("code", index, ".", k, ".", cell.kernels[k])});
    absl::StrAppend(&artifact, " ", cell.kernels[k]);
  }
  row.build.artifact_digest = artifact;
  row.timing.policy = absl::StrCat("repeat=", 20 + policy_);
  cell.level += cell.changed_by;
  const double value =
      cell.level + machine_ + options_.noise * cell.latency_noise.Next();
  row.timing.samples_ns = {1e6 * std::exp(value)};
  row.timing.load_ms =
      std::exp(cell.load + machine_ + options_.noise * cell.load_noise.Next());
  row.verdict = stats::Verdict::kEquivalent;
  if (!cell.last_artifact.empty() && artifact != cell.last_artifact) {
    const SideBySide compared = judge_(cell.changed_by);
    PairedComparison paired;
    paired.artifact_digest = cell.last_artifact;
    paired.change = compared.change;
    paired.lower = compared.lower;
    paired.upper = compared.upper;
    row.comparison.paired = paired;
    row.verdict = compared.verdict;
  }
  cell.changed_by = 0;
  cell.last_artifact = artifact;
  return row;
}

std::vector<Series> LoadSeries(const WorldOptions& options, size_t nights) {
  std::vector<double> machine(nights);
  Autocorrelated drift(0, false, options.seed);
  for (size_t night = 1; night < nights; ++night) {
    machine[night] = machine[night - 1] + options.drift * drift.Next();
  }
  std::vector<Series> result;
  for (int i = 0; i < options.cells; ++i) {
    Autocorrelated noise(options.correlation, options.heavy_tails,
                         SeedFor(options.seed, absl::StrCat("load ", i)));
    Series series;
    series.metric = Metric::kLoad;
    series.has_digest = false;
    series.machines = {kMachine};
    for (size_t night = 0; night < nights; ++night) {
      series.points.push_back(
          {night, machine[night] + options.noise * noise.Next()});
    }
    result.push_back(std::move(series));
  }
  return result;
}

}  // namespace assay::reports
