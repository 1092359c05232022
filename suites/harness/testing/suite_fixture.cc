#include "suites/harness/testing/suite_fixture.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "compiler/graph/parser.h"
#include "devices/device.h"
#include "devices/emulator.h"
#include "runtime/abi/abi.h"
#include "runtime/base/exit_code.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/session.h"
#include "suites/harness/progress.h"
#include "suites/machine/environment.h"

namespace assay::suites {
namespace {

constexpr char kHost[] = R"pb(
  name: "host"
  title: "host"
  target: "llvm -mtriple=x86_64-linux-gnu"
  in_process {}
  default_threads: 2
  timing { number: 1 repeat: 8 })pb";
constexpr char kBoard[] = R"pb(
  name: "board"
  title: "board"
  target: "llvm -mtriple=x86_64-linux-gnu"
  emulator { program: "qemu-aarch64" cpu: "cortex-a53" timeout_s: 5 }
  default_threads: 4
  timing { number: 1 repeat: 1 })pb";

constexpr char kTuned[] = " tuned";

runtime::NamedTensors Value(float value) {
  return {{"y", NDArray::FromVector<float>({1}, {value})}};
}

class FakeCompiler : public Compiler {
 public:
  explicit FakeCompiler(Script* script) : script_(script) {}
  absl::StatusOr<CompiledModel> Compile(const Model&, const Place& place,
                                        const reports::Variant& variant,
                                        const std::string&) override {
    const std::string& device = place.device;
    script_->log.push_back("compile " + device +
                           (variant.fusion ? " on" : " off") +
                           (variant.tuned ? kTuned : ""));
    if (!script_->compile.ok()) return script_->compile;
    if (script_->fail_on_board && device == "board") {
      return absl::InvalidArgumentError("a model too odd");
    }
    CompiledModel model;
    model.artifact.code_kind = ASSAY_CODE_KIND_ELF;
    model.artifact.params = script_->build + (variant.tuned ? kTuned : "");
    model.artifact.calls.resize(1);
    runtime::KernelCall& call = model.artifact.calls[0];
    call.symbol = variant.fusion ? "k000_conv_relu" : "k000_conv";
    call.sources = {"conv1"};
    call.flops = 500;
    call.code_digest = script_->code_digest;
    if (!script_->setup_digest.empty()) {
      model.artifact.setup.push_back(call);
      model.artifact.setup[0].symbol = "k001_encode";
      model.artifact.setup[0].code_digest = script_->setup_digest;
    }
    if (variant.tuned) {
      model.tuning_digest = script_->tuning_digest;
      model.tuning_remark = "1 of 1 kernels has another configuration";
    }
    return model;
  }
  absl::Status CanTune(const Place& place) const override {
    const std::string name =
        absl::StrCat(place.device, " ", place.fingerprint, " ", place.threads);
    if (script_->tunable.count(name) > 0) return absl::OkStatus();
    return absl::NotFoundError("no records of " + name);
  }

 private:
  Script* script_;
};

class FakeOracle : public Oracle {
 public:
  explicit FakeOracle(Script* script) : script_(script) {}
  absl::StatusOr<runtime::NamedTensors> Outputs(
      const Model&, const runtime::NamedTensors& inputs,
      uint64_t seed) override {
    if (seed != 0) {
      script_->log.push_back("noise");
      return Value(script_->noisy_output);
    }
    script_->log.push_back("reference");
    if (script_->refuse) ASSAY_RETURN_IF_ERROR(script_->refuse(inputs));
    if (!script_->reference.ok()) return script_->reference;
    return Value(1);
  }

 private:
  Script* script_;
};

// A session of one or two builds. A block of one run without warm-up is logged
// as `evaluate`, every other sample as `measure 1`. The builds of tuned rows
// are named.
class FakeSession : public runtime::Session {
 public:
  FakeSession(Script* script, int threads,
              const std::vector<std::string>& builds = {""},
              runtime::DeviceFacts facts = {})
      : script_(script),
        threads_(threads == 0 ? 8 : threads),
        facts_(std::move(facts)),
        lost_before_(script->lost) {
    for (const std::string& build : builds) {
      Program program;
      if (absl::EndsWith(build, kTuned)) program.name = kTuned;
      const auto slowness = script->slowness.find(build);
      if (slowness != script->slowness.end()) {
        program.slowness = slowness->second;
      }
      const auto hiccups = script->hiccups.find(build);
      if (hiccups != script->hiccups.end()) program.hiccups = hiccups->second;
      const auto output = script->outputs.find(build);
      if (output != script->outputs.end()) program.output = output->second;
      programs_.push_back(program);
    }
  }
  runtime::DeviceFacts facts() const override { return facts_; }
  int threads() const override { return threads_; }
  absl::Status SetInputs(const runtime::NamedTensors& inputs) override {
    script_->inputs.push_back(inputs);
    return script_->refuse ? script_->refuse(inputs) : absl::OkStatus();
  }
  absl::StatusOr<std::vector<runtime::Sample>> RunBlock(
      const runtime::Block& block) override {
    const bool evaluate =
        block.read_outputs && !block.time_calls && block.samples.size() == 1 &&
        block.samples[0].number == 1 && block.samples[0].warmup_runs == 0;
    if (script_->lost_blocks.count(++script_->blocks) > 0) ++script_->lost;
    if (script_->lost != lost_before_) {
      return absl::AbortedError("the board " + facts_.board + " was lost");
    }
    std::vector<runtime::Sample> samples;
    for (const runtime::SampleSpec& spec : block.samples) {
      Program& program = programs_.at(static_cast<size_t>(spec.program));
      script_->log.push_back((evaluate ? "evaluate" : "measure 1") +
                             program.name);
      const absl::Status& status =
          evaluate ? script_->evaluate : script_->measure;
      if (!status.ok()) return status;
      const float output = evaluate ? script_->output : script_->output_after;
      if (script_->samples.empty() && !evaluate) continue;
      // An evaluation takes as long as the first sample and consumes none.
      const double ms =
          !evaluate ? NextSample(&program)
          : script_->samples.empty()
              ? 1
              : script_->samples[0] * program.slowness * BoardSlowness();
      samples.push_back(
          {static_cast<int64_t>(ms * 1e6 * static_cast<double>(spec.number)),
           spec.number,
           Value(this->output.value_or(program.output.value_or(output)))});
      if (block.time_calls && spec.number == 1) {
        samples.back().call_nanos = {samples.back().nanos};
      }
    }
    return samples;
  }
  absl::StatusOr<int64_t> LoadNanos() override {
    if (!from_bytes) return Session::LoadNanos();
    return script_->load_nanos;
  }
  absl::StatusOr<int64_t> PeakResidentBytes() override {
    return script_->peak_bytes;
  }

  bool from_bytes = false;      // LoadOptions::from_bytes
  std::optional<float> output;  // replaces those of the script

 private:
  struct Program {
    std::string name;  // in the log
    double slowness = 1;
    size_t hiccups = 0;
    size_t taken = 0;
    std::optional<float> output;
  };

  // The noise continues from session to session, as that of a machine does.
  double NextSample(Program* program) {
    const double noise =
        1 + script_->scatter *
                (static_cast<double>(script_->taken++ * 7 % 11) / 5.0 - 1);
    const size_t taken = program->taken++;
    const bool hiccup = program->hiccups > 0 && taken % program->hiccups == 1;
    return script_->samples[taken % script_->samples.size()] *
           program->slowness * noise * BoardSlowness() * (hiccup ? 2 : 1);
  }

  double BoardSlowness() const {
    const auto slowness = script_->board_slowness.find(facts_.board);
    return slowness == script_->board_slowness.end() ? 1 : slowness->second;
  }

  Script* script_;
  int threads_;
  const runtime::DeviceFacts facts_;
  const size_t lost_before_;
  std::vector<Program> programs_;
};

class FakeRunner : public runtime::Runner {
 public:
  FakeRunner(Script* script, runtime::DeviceFacts facts)
      : script_(script), facts_(std::move(facts)) {}
  runtime::DeviceFacts facts() const override {
    runtime::DeviceFacts facts = facts_;
    facts.board = script_->Board();
    if (script_->lost == 0) return facts;
    for (const auto& [key, value] : script_->later_state) {
      facts.state[key] = value;
    }
    return facts;
  }
  absl::StatusOr<std::unique_ptr<runtime::Session>> Load(
      absl::Span<const runtime::Artifact* const> artifacts,
      const runtime::LoadOptions& options) override {
    if (!script_->load.ok()) return script_->load;
    std::vector<std::string> builds;
    for (const runtime::Artifact* artifact : artifacts) {
      builds.emplace_back(artifact->params);
    }
    auto session = std::make_unique<FakeSession>(script_, options.threads,
                                                 builds, facts());
    session->from_bytes = options.from_bytes;
    return session;
  }

 private:
  Script* script_;
  const runtime::DeviceFacts facts_;
};

}  // namespace

SuiteFixture::SuiteFixture() : dir_(TempDir::Create().value()) {
  devices_ = JoinPath(dir_.path(), "devices");
  baselines_ = JoinPath(dir_.path(), "baselines");
  artifacts_ = JoinPath(dir_.path(), "artifacts");
  EXPECT_TRUE(MakeDirs(devices_).ok());
  EXPECT_TRUE(
      WriteFileAtomic(JoinPath(devices_, "host.textproto"), kHost).ok());
  EXPECT_TRUE(
      WriteFileAtomic(JoinPath(devices_, "board.textproto"), kBoard).ok());
  environment_.fingerprint = "x86_64-fake-2c-00000000";
  environment_.state["kernel"] = "6.1";
  options_.matrix.devices = {"host"};
  options_.matrix.fusion = {true};
}

absl::StatusOr<Model> SuiteFixture::LoadModel(const std::string& name) {
  if (!script_.load_model.ok()) return script_.load_model;
  auto graph = graph::ParseGraph(graph_);
  if (!graph.ok()) return graph.status();
  Model model;
  model.name = name;
  model.digest = "digest";
  model.graph = std::move(*graph);
  model.onnx = std::make_shared<const std::string>();
  model.has_inexact_products = has_inexact_products_;
  return model;
}

std::vector<ModelSource> SuiteFixture::Sources() {
  std::vector<ModelSource> sources;
  for (const std::string& name : models_) {
    sources.push_back({name, name, {}, [this, name] {
                         return name == "broken"
                                    ? absl::UnimplementedError("no such op")
                                    : LoadModel(name);
                       }});
    if (names_are_known_) sources.back().name = name;
  }
  return sources;
}

class SuiteFixture::Devices : public DeviceSource {
 public:
  explicit Devices(SuiteFixture* fixture) : fixture_(fixture) {}
  absl::StatusOr<std::unique_ptr<runtime::Runner>> Open(
      const devices::Device& device, BlockLog* blocks) override {
    if (fixture_->source_ != nullptr) {
      return fixture_->source_->Open(device, blocks);
    }
    runtime::DeviceFacts facts = fixture_->Facts();
    if (devices::IsEmulated(device) && fixture_->lent_emulated_) {
      facts = devices::EmulatedFacts(device);
    }
    return std::make_unique<FakeRunner>(&fixture_->script_, facts);
  }
  std::string RuntimeDigest(const devices::Device& device) override {
    return "runtime of " + device.name();
  }
  void StopWaiting() override {
    if (fixture_->source_ != nullptr) fixture_->source_->StopWaiting();
  }
  std::string notes() const override { return fixture_->device_notes_; }

 private:
  SuiteFixture* const fixture_;
};

class SuiteFixture::FakeHost : public Host {
 public:
  explicit FakeHost(SuiteFixture* fixture) : fixture_(fixture) {}
  void StartObserving(int) override {}
  std::vector<std::string> StopObserving() override {
    return fixture_->disturbances_;
  }
  absl::StatusOr<reports::Canary> TestComparisons(const CanaryMode& mode,
                                                  uint64_t) override {
    if (fixture_->canary_on_) return fixture_->canary_on_(mode);
    return fixture_->canary_.value_or(reports::Canary());
  }
  absl::StatusOr<std::unique_ptr<runtime::Runner>> OpenProcess(
      const std::string&) override {
    if (fixture_->process_runner_) return fixture_->process_runner_();
    return std::make_unique<FakeRunner>(&fixture_->script_, fixture_->Facts());
  }
  absl::StatusOr<int64_t> MeasurePeakMemory(
      const runtime::Artifact&, int, const runtime::NamedTensors&) override {
    return fixture_->script_.peak_bytes;
  }
  absl::StatusOr<std::vector<runtime::RegionCounts>> CountKernels(
      const runtime::Artifact& artifact) override {
    // As many instructions as operations.
    std::vector<runtime::RegionCounts> counts;
    for (const runtime::KernelCall& call : artifact.calls) {
      counts.emplace_back().instructions[0] = call.flops;
    }
    return counts;
  }

 private:
  SuiteFixture* const fixture_;
};

class SuiteFixture::Other : public Reference {
 public:
  explicit Other(SuiteFixture* fixture) : fixture_(fixture) {}
  std::string name() const override { return "other"; }
  std::string version() const override { return "1.0"; }
  absl::StatusOr<PreparedReference> LoadModel(const OnnxSource& model,
                                              const runtime::NamedTensors&,
                                              int threads) override {
    Parity parity = OurParity(threads);
    parity.affinity = fixture_->other_affinity_;
    parity.splits_floats = fixture_->other_splits_floats_;
    auto session = std::make_unique<FakeSession>(&fixture_->other_, threads);
    if (model.arithmetic == ByteProducts::kDefault) {
      session->output = fixture_->other_default_output_;
    }
    return PreparedReference{std::move(session), parity};
  }

 private:
  SuiteFixture* const fixture_;
};

runtime::DeviceFacts SuiteFixture::Facts() const {
  return {environment_.fingerprint, environment_.identity, environment_.state};
}

void SuiteFixture::AddOtherRuntime() {
  other_runtime_ = std::make_unique<Other>(this);
}

SuiteFixture::~SuiteFixture() = default;

int SuiteFixture::Run() {
  FakeCompiler compiler(&script_);
  FakeOracle oracle(&script_);
  Devices devices(this);
  FakeHost host(this);
  FakeClock clock;
  Progress progress(terminal_, &clock);
  std::ostringstream out;
  SuiteRig rig = {compiler,
                  oracle,
                  devices,
                  host,
                  progress,
                  out,
                  absl::NotFoundError("it could not be fetched")};
  if (other_runtime_ != nullptr) rig.reference = other_runtime_.get();
  rig.folders = {devices_, artifacts_, baselines_};
  rig.identity.started_at = started_at_;
  rig.identity.commit = "0123456789";
  rig.identity.command = command_;
  script_.log.clear();
  const absl::StatusOr<Outcome> outcome = RunSuite(options_, Sources(), rig);
  out_ = out.str();
  if (!outcome.ok()) {
    message_ = std::string(outcome.status().message());
    result_ = reports::RunResult();
    return static_cast<int>(ExitCodeOf(outcome.status()));
  }
  result_ = outcome->result;
  return static_cast<int>(outcome->exit_code);
}

stats::Verdict SuiteFixture::OnlyVerdict() {
  EXPECT_EQ(result_.rows.size(), 1u);
  return result_.rows.at(0).verdict;
}

void SuiteFixture::BlessOnce() {
  options_.comparison.bless = "as it should be";
  ASSERT_EQ(Run(), 0);
  options_.comparison.bless.clear();
}

}  // namespace assay::suites
