#include "reports/site/testing/fake_store.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "reports/store/acknowledgement.h"
#include "reports/store/acknowledgement_log.h"
#include "reports/store/cell_name.h"
#include "reports/store/record.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

using stats::Verdict;

constexpr int kKernels = 6;
constexpr const char* kModels[] = {"resnet18",     "mobilenet_v2", "ssd_vgg16",
                                   "bert_small",   "unet",         "yolo_tiny",
                                   "efficientnet", "vit_tiny"};
constexpr const char* kNodes[] = {
    "conv1", "layer1.0.conv2", "layer3.1.conv1", "layer4.0.downsample",
    "fc",    "softmax"};
constexpr const char* kKinds[] = {"conv2d+relu", "conv2d+add+relu",
                                  "conv2d+relu", "conv2d",
                                  "matmul+add",  "softmax"};

struct Configuration {
  const char* device;
  bool fusion;
  bool tuned;
  int threads;
  double factor;
};
constexpr Configuration kConfigurations[] = {
    {"host", true, false, 2, 1},       {"host", true, false, 1, 1.8},
    {"host", false, false, 2, 1.25},   {"host", true, true, 2, 0.9},
    {"rpi4b", true, false, 4, 9},      {"rpi4b", false, false, 4, 11},
    {"graviton", true, false, 2, 1.4}, {"graviton", false, false, 2, 1.7},
};

std::string Fingerprint(const std::string& device) {
  if (device == "host") return "x86_64-amd-epyc-9b14-2c-1a2b3c4d";
  if (device == "rpi4b") return "aarch64-cortex-a72-4c-5e6f7081";
  return "aarch64-neoverse-n1-2c-92a3b4c5";
}

std::string Digest(uint64_t seed, const std::string& text) {
  return absl::StrFormat("%016x", SeedFor(seed, text));
}

absl::Time StartOf(int night) {
  return absl::FromCivil(
      absl::CivilSecond(2024, 1, 1, 2, 30, 0) + int64_t{86400} * night,
      absl::UTCTimeZone());
}

std::string TextOf(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone());
}

}  // namespace

FakeStore::FakeStore(const FakeStoreOptions& options)
    : options_(options), rng_(options.seed) {
  for (int i = 0; static_cast<int>(cells_.size()) < options.cells; ++i) {
    Model model;
    const auto name = static_cast<size_t>(i) % std::size(kModels);
    model.name = i < static_cast<int>(std::size(kModels))
                     ? kModels[name]
                     : absl::StrCat(kModels[name], "_", i);
    double total = 0;
    for (int k = 0; k < kKernels; ++k) {
      model.kernels.push_back(0);
      model.weights.push_back(rng_.UniformFloat(0.2f, 1.0f));
      total += model.weights.back();
    }
    for (double& weight : model.weights) weight /= total;
    const double ms = std::exp(rng_.UniformFloat(0.0f, 4.0f));
    for (const Configuration& c : kConfigurations) {
      if (static_cast<int>(cells_.size()) == options.cells) break;
      CellState cell;
      cell.model = models_.size();
      cell.row.suite = i % 5 == 4 ? "detection" : "zoo";
      cell.row.cell.model = model.name;
      cell.row.cell.device = c.device;
      cell.row.cell.variant.fusion = c.fusion;
      cell.row.cell.variant.tuned = c.tuned;
      cell.row.cell.threads = c.threads;
      cell.row.fingerprint = Fingerprint(c.device);
      if (cell.row.cell.device == "rpi4b") {
        cell.row.board = i % 4 != 3 ? "pi-rack1-03" : "pi-rack1-07";
      }
      cell.row.build.model_digest = Digest(options.seed, model.name);
      cell.row.build.flops = static_cast<int64_t>(ms * 2e8);
      cell.row.build.kernels = kKernels;
      cell.row.build.compile_ms = 900 + 40 * ms;
      cell.row.build.artifact_bytes = static_cast<int64_t>(1e6 * ms);
      cell.row.build.params_bytes = static_cast<int64_t>(9e5 * ms);
      cell.row.build.arena_bytes = static_cast<int64_t>(2e5 * ms);
      cell.row.build.live_bytes = static_cast<int64_t>(1.8e5 * ms);
      cell.row.correctness.max_abs_error = 1.2e-5;
      cell.row.correctness.max_abs_error_bound = 3.8e-4;
      cell.row.reproduce = absl::StrCat(
          "./bazelw run //suites:", cell.row.suite, " -- --device=", c.device,
          " --model=", model.name, " --fusion=", c.fusion ? "on" : "off",
          " --threads=", c.threads);
      cell.level = std::log(ms * c.factor);
      cell.load = std::log(2 + ms / 3);
      // One of the tuned cells came later.
      if (i == 2 && c.tuned) cell.first_night = options.nights / 3;
      cells_.push_back(std::move(cell));
    }
    models_.push_back(std::move(model));
  }
}

void FakeStore::ChangeCode(size_t model, double change) {
  Model& changed = models_[model];
  ++changed.kernels[static_cast<size_t>(rng_.UniformInt(0, kKernels - 1))];
  for (CellState& cell : cells_) {
    if (cell.model == model) cell.changed_by += change;
  }
}

void FakeStore::Evolve() {
  ++night_;
  last_commit_ = commit_;
  // Some nights measure the commit of the night before.
  if (night_ % 6 != 5 || night_ == options_.nights - 1) {
    commit_ =
        absl::StrCat(Digest(options_.seed, absl::StrCat("commit", night_)),
                     Digest(options_.seed + 1, absl::StrCat("commit", night_)),
                     absl::StrFormat("%08x", night_));
    for (size_t i = 0; i < models_.size(); ++i) {
      if (rng_.UniformFloat(0, 1) >= options_.code_changes) continue;
      const double kind = rng_.UniformFloat(0, 1);
      const double size = rng_.UniformFloat(0.015f, 0.08f);
      ChangeCode(i, kind < 0.25 ? size : kind < 0.45 ? -size : 0);
    }
    if (night_ == options_.nights - 1) ChangeCode(0, 0.042);
    if (night_ == options_.nights - 4) {
      ChangeCode(1 % models_.size(), 0.061);
      ChangeCode(2 % models_.size(), -0.05);
    }
    if (night_ == options_.nights - 12) ChangeCode(3 % models_.size(), 0.03);
  }
  for (const char* device : {"host", "rpi4b", "graviton"}) {
    double& level = machines_[device];
    level += 0.002 * rng_.NormalFloat(0, 1);
    if (rng_.UniformFloat(0, 1) < 0.02) {
      level += rng_.UniformFloat(-0.04f, 0.04f);
      ++systems_[device];
    }
  }
  if (night_ > 0 && night_ % 40 == 17) machines_["host"] += 0.045;
  if (night_ > 0 && night_ % 40 == 23) machines_["host"] -= 0.045;
  if (night_ > 0 && night_ % 45 == 30) ++runtime_;
  if (night_ > 0 && night_ % 150 == 100) ++policy_;
  // A lasting shift of the time of loading that nothing explains.
  if (night_ == std::max(62, options_.nights - 22) && cells_.size() > 12) {
    cells_[12].load += 0.5;
  }
}

RunResult FakeStore::Header() const {
  RunResult run;
  run.started_at = TextOf(StartOf(night_));
  run.commit = commit_;
  run.environment.fingerprint = Fingerprint("host");
  run.environment.identity = {
      {"arch", "x86_64"}, {"cpu", "AMD EPYC 9B14"}, {"processors", "2"}};
  const auto version = systems_.find("host");
  run.environment.state = {
      {"governor", "performance"},
      {"kernel", absl::StrCat("6.1.0-", 30 + version->second)},
      {"load", absl::StrCat("0.", night_ % 10)}};
  for (const double share : {0.0, 0.02}) {
    CanaryTrial trial;
    trial.share = share;
    trial.threads = 2;
    const bool fails = night_ % 37 == 36 && share > 0;
    trial.verdict = share == 0 ? Verdict::kEquivalent
                    : fails    ? Verdict::kInconclusive
                               : Verdict::kRegressed;
    run.canary.push_back(trial);
  }
  return run;
}

void FakeStore::AddComparison(CellState& cell, Row& row) {
  PairedComparison paired;
  paired.artifact_digest = cell.artifact;
  paired.change = std::expm1(cell.changed_by) + 0.001 * rng_.NormalFloat(0, 1);
  paired.lower = paired.change - 0.004;
  paired.upper = paired.change + 0.005;
  paired.detectable = 0.006;
  const double ns = row.timing.samples_ns[0];
  paired.base_ns = {ns / (1 + paired.change)};
  paired.run_ns = {ns};
  row.verdict = paired.lower > 0.005    ? Verdict::kRegressed
                : paired.upper < -0.005 ? Verdict::kImproved
                                        : Verdict::kEquivalent;
  row.reason = absl::StrFormat("%+.1f %% [%+.1f %%, %+.1f %%], 40 loads",
                               100 * paired.change, 100 * paired.lower,
                               100 * paired.upper);
  if (row.verdict == Verdict::kRegressed) {
    KernelChange kernel;
    kernel.sources = {kNodes[1]};
    kernel.base_kernels = kernel.run_kernels = {"k1"};
    kernel.base_ms = ns / 1e6 * models_[cell.model].weights[1];
    kernel.change_ms = ns / 1e6 * paired.change;
    kernel.run_ms = kernel.base_ms + kernel.change_ms;
    kernel.lower_ms = 0.9 * kernel.change_ms;
    kernel.upper_ms = 1.1 * kernel.change_ms;
    kernel.cause = "schedule: conv2d.split(i2, 28) -> conv2d.split(i2, 14)";
    kernel.work =
        WorkCounts{"more_work", 1'000'000, 1'090'000, 640'000, 640'000};
    KernelChange same = kernel;
    same.sources = {kNodes[0]};
    same.base_kernels = same.run_kernels = {"k0"};
    same.change_ms = same.lower_ms = same.upper_ms = 0;
    same.run_ms = same.base_ms;
    same.same_code = true;
    same.cause = "";
    same.work->change = "same_code";
    same.work->run_instructions = same.work->base_instructions;
    paired.attribution = Attribution{
        40, {kernel, same}, kernel.change_ms, kernel.lower_ms, kernel.upper_ms};
    good_ = last_commit_;
    bad_ = commit_;
    slower_cell_ = CellNameOf(row).substr(row.suite.size() + 1);
    slower_by_ = paired.change;
  }
  row.comparison.paired = std::move(paired);
}

void FakeStore::AddTimes(CellState& cell, Row& row) {
  const Model& model = models_[cell.model];
  cell.slow = 0.5 * cell.slow + 0.004 * rng_.NormalFloat(0, 1);
  const double level = cell.level + cell.slow + machines_[row.cell.device];
  const double ms = std::exp(level);
  for (int i = 0; i < options_.samples; ++i) {
    row.timing.samples_ns.push_back(
        std::round(1e6 * ms * (1 + 0.02 * rng_.UniformFloat(0, 1))));
  }
  row.timing.policy = absl::StrCat("method=1 repeat=", 20 + policy_);
  row.timing.load_ms = std::exp(cell.load + machines_[row.cell.device] +
                                0.02 * rng_.NormalFloat(0, 1));
  if (row.suite == "zoo") {
    row.comparison.speedup_vs_reference =
        stats::Ratio{1.3 + 0.02 * rng_.NormalFloat(0, 1), 1.25, 1.36};
  }
  const bool has_kernels =
      row.cell.device == "host" &&
      static_cast<double>(cell.model) <
          options_.with_kernels * static_cast<double>(models_.size());
  for (int k = 0; k < kKernels && has_kernels; ++k) {
    row.timing.operators.push_back({absl::StrCat("k", k),
                                    kKinds[k],
                                    {kNodes[k]},
                                    ms * model.weights[static_cast<size_t>(k)] *
                                        (1 + 0.01 * rng_.NormalFloat(0, 1)),
                                    1000,
                                    1000});
  }
  if (!row.board.empty()) {
    BlockState block;
    block.samples = options_.samples;
    block.before.temperature_celsius = 52 + 5 * std::sin(0.1 * night_);
    block.after.temperature_celsius =
        *block.before.temperature_celsius + rng_.UniformFloat(2, 9);
    block.after.frequency_mhz = 1500;
    block.after.throttled = night_ % 29 == 28 && row.board == "pi-rack1-07";
    row.timing.blocks.push_back(block);
  } else if (rng_.UniformFloat(0, 1) < 0.01) {
    row.timing.disturbances.push_back(
        "other programs used 1.4 of 2 processors");
  }
}

Row FakeStore::RowOf(size_t index) {
  CellState& cell = cells_[index];
  Row row = cell.row;
  const Model& model = models_[cell.model];
  std::string artifact = CellNameOf(row);
  for (size_t k = 0; k < model.kernels.size(); ++k) {
    const std::string code =
        absl::StrCat(row.cell.model, row.cell.device, row.cell.variant.fusion,
                     " ", k, " ", model.kernels[k]);
    row.build.code.push_back({absl::StrCat("k", k, "_", kKinds[k]),
                              {kNodes[k]},
                              Digest(options_.seed, code)});
    absl::StrAppend(&artifact, " ", model.kernels[k]);
  }
  row.build.artifact_digest = Digest(options_.seed, artifact);
  row.build.runtime_digest =
      Digest(options_.seed, absl::StrCat("runtime", runtime_));
  cell.level += cell.changed_by;
  const bool newest = night_ == options_.nights - 1;
  if (newest && index == 17) {
    row.verdict = Verdict::kWrongOutput;
    row.reason = "element 7 of output `logits` is nan, should be 1.5";
    row.correctness.max_abs_error = std::numeric_limits<double>::infinity();
  } else if (newest && index == 21) {
    row.verdict = Verdict::kInfrastructure;
    row.reason = "the board pi-rack1-07 did not answer for 30 s";
  } else {
    AddTimes(cell, row);
    row.verdict = Verdict::kEquivalent;
    if (cell.artifact.empty()) row.verdict = Verdict::kNoBaseline;
    if (!cell.artifact.empty() && cell.artifact != row.build.artifact_digest) {
      AddComparison(cell, row);
    }
    cell.artifact = row.build.artifact_digest;
  }
  cell.changed_by = 0;
  return row;
}

absl::Status FakeStore::AppendNight(const std::string& folder) {
  Evolve();
  const std::string segment =
      absl::StrFormat("%sZ-%016x.jsonl",
                      absl::FormatTime("%Y%m%dT%H%M%S.000000", StartOf(night_),
                                       absl::UTCTimeZone()),
                      SeedFor(options_.seed, absl::StrCat("segment", night_)));
  std::vector<Record> records;
  for (size_t i = 0; i < cells_.size(); ++i) {
    if (night_ < cells_[i].first_night) continue;
    // One cell is missing in the newest night.
    if (night_ == options_.nights - 1 && i == 9) continue;
    Record record{segment, "job", CellNameOf(cells_[i].row), Header(),
                  static_cast<int64_t>(i)};
    record.result.rows.push_back(RowOf(i));
    records.push_back(std::move(record));
  }
  const auto format = [&records](size_t first, size_t end) {
    std::string text;
    for (size_t i = first; i < end; ++i) text += FormatRecord(records[i]);
    return text;
  };
  auto other = std::async(std::launch::async, format, records.size() / 2,
                          records.size());
  std::ofstream file(JoinPath(folder, segment), std::ios::binary);
  file << format(0, records.size() / 2) << other.get();
  if (!file.flush()) {
    return absl::InternalError(absl::StrCat("cannot write `", segment, "`"));
  }
  return absl::OkStatus();
}

absl::Status FakeStore::AppendDecisions(const std::string& folder) const {
  const std::string now = TextOf(StartOf(night_) + absl::Hours(6));
  const auto level = [&](size_t cell) {
    const CellState& state = cells_[cell % cells_.size()];
    const auto machine = machines_.find(state.row.cell.device);
    return Level{CellNameOf(state.row), state.row.fingerprint,
                 1.01 * std::exp(state.level + state.slow + machine->second)};
  };
  Acknowledgement known;
  known.kind = Acknowledgement::Kind::kAcknowledge;
  known.levels = {level(8), level(10)};
  known.cell = "zoo/mobilenet_v2/host/*";
  known.author = "ada";
  known.reason = "the new padding costs this; fixed in review 4711 <soon>";
  known.made_at = now;
  known.tolerance = 0.1;
  Acknowledgement ignored;
  ignored.kind = Acknowledgement::Kind::kIgnore;
  ignored.cell = "detection/*";
  ignored.author = "grace";
  ignored.reason = "this suite is being rebuilt";
  ignored.made_at = now;
  ignored.until = "2099-01-01T00:00:00Z";
  for (const Acknowledgement& a : {known, ignored}) {
    ASSAY_RETURN_IF_ERROR(AppendAcknowledgement(folder, a));
  }
  if (bad_.empty()) return absl::OkStatus();
  const std::string bisections = JoinPath(folder, "bisections");
  ASSAY_RETURN_IF_ERROR(MakeDirs(bisections));
  const nlohmann::ordered_json suspect = {
      {"commit", bad_},
      {"author", "Mallory <mallory@example.com>"},
      {"date", TextOf(StartOf(night_)).substr(0, 10)},
      {"subject", "Split the inner loops of convolutions by 14"}};
  const nlohmann::ordered_json finding = {
      {"suspects", {suspect}},
      {"before", good_},
      {"after", bad_},
      {"confirmed", true},
      {"error", 0.001},
      {"change", absl::StrFormat("%+.1f %%", 100 * slower_by_)},
      {"reproduce", absl::StrCat("./bazelw run //ci:gate -- --base=", good_,
                                 " --head=", bad_)},
      {"relative_change", slower_by_},
      {"lower", slower_by_ - 0.004},
      {"upper", slower_by_ + 0.005},
      {"kernel", kNodes[1]},
      {"kernel_ms", 0.3},
      {"whole_ms", 0.32}};
  const nlohmann::ordered_json report = {
      {"good", good_},
      {"bad", bad_},
      {"suite", "zoo"},
      {"builds", 3},
      {"building_s", 412.5},
      {"cells",
       {{{"cell", slower_cell_},
         {"metric", "latency"},
         {"status", "found"},
         {"reason", ""},
         {"candidates", 5},
         {"measurements", 2},
         {"measuring_s", 14.2},
         {"findings", {finding}}}}},
      {"branches", nlohmann::ordered_json::array()}};
  return WriteFileAtomic(
      JoinPath(bisections, absl::StrCat(good_.substr(0, 12), "_",
                                        bad_.substr(0, 12), ".json")),
      report.dump(2) + "\n");
}

}  // namespace assay::reports
