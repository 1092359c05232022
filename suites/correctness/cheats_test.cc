// Tests that the harness rejects wrong programs and programs that cheat with
// exit code 4, and publishes no times of them.
//
// A small network is actually compiled and run. Miscompiles modify the compiled
// artifact; cheats modify the outputs of the device while it is timed.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "compiler/graph/testing/random_graph.h"
#include "gtest/gtest.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/artifact/validate.h"
#include "runtime/base/check.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/in_process.h"
#include "suites/correctness/oracle.h"
#include "suites/harness/driver_compiler.h"
#include "suites/harness/run.h"

namespace assay::suites {
namespace {

using runtime::Artifact;
using runtime::Location;
using runtime::NamedTensors;
using runtime::TensorInfo;

// Parameters of at least this size are weights; smaller ones are biases.
constexpr int64_t kLargeBytes = 1024;

std::unique_ptr<graph::Graph> Net() { return graph::ResNet18(32, 8, 7); }

// Modifies an artifact at a random place.
using Miscompile = std::function<void(Artifact&, Rng&)>;

// The outputs of a timed run: `now` are the correct ones, `first` the first
// outputs of this session; `sample` is the number of earlier timed samples.
struct Sampled {
  NamedTensors now;
  const NamedTensors& first;
  int sample;
};
using Cheat = std::function<NamedTensors(Sampled, Rng&)>;

float* Floats(NamedTensors& tensors) {
  return tensors[0].value.data<float>().data();
}

int64_t Count(const NamedTensors& tensors) {
  return tensors[0].value.num_elements();
}

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

// Changes a sample that was taken on the inputs with this digest.
using SampleCheat =
    std::function<void(const std::string& inputs, runtime::Sample*)>;

struct Case {
  const char* name;
  Miscompile miscompile;
  Cheat cheat;
  // Returns a new SampleCheat for each session, because it has a state.
  std::function<SampleCheat()> sample_cheat = {};
};

std::vector<Case> Miscompiles() {
  return {
      {"a weight is wrong",
       [](Artifact& a, Rng& rng) { SetSomeWeights(a, rng, 3); },
       {}},
      {"weights are not numbers",
       [](Artifact& a, Rng& rng) {
         SetSomeWeights(a, rng, std::numeric_limits<float>::quiet_NaN());
       },
       {}},
      {"weights are infinite",
       [](Artifact& a, Rng& rng) {
         SetSomeWeights(a, rng, std::numeric_limits<float>::infinity());
       },
       {}},
      {"weights are zero",
       [](Artifact& a, Rng& rng) {
         int64_t count = 0;
         float* weights = SomeParam(a, rng, &count);
         std::fill(weights, weights + count, 0.0f);
       },
       {}},
      {"all parameters are zero",
       [](Artifact& a, Rng&) { a.params.assign(a.params.size(), '\0'); },
       {}},
      {"weights are a percent too large",
       [](Artifact& a, Rng& rng) {
         int64_t count = 0;
         float* weights = SomeParam(a, rng, &count);
         for (int64_t i = 0; i < count; ++i) weights[i] *= 1.01f;
       },
       {}},
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
       },
       {}},
      {"weights are shifted by one",
       [](Artifact& a, Rng& rng) {
         int64_t count = 0;
         float* weights = SomeParam(a, rng, &count);
         std::rotate(weights, weights + 1, weights + count);
       },
       {}},
      {"some kernel is left out",
       [](Artifact& a, Rng& rng) {
         a.calls.erase(a.calls.begin() +
                       static_cast<ptrdiff_t>(SomeCall(a, rng)));
       },
       {}},
      {"two kernels have each other's weights",
       [](Artifact& a, Rng&) { ExchangeParams(a, /*large=*/true); },
       {}},
      {"two kernels have each other's bias",
       [](Artifact& a, Rng&) { ExchangeParams(a, /*large=*/false); },
       {}},
      {"a kernel reads the wrong value",
       [](Artifact& a, Rng&) { ReadAnotherValue(a); },
       {}},
      {"weights are in the wrong order",
       [](Artifact& a, Rng& rng) {
         int64_t count = 0;
         float* weights = SomeParam(a, rng, &count);
         std::reverse(weights, weights + count);
       },
       {}},
  };
}

NamedTensors Filled(NamedTensors tensors, float value) {
  std::fill_n(Floats(tensors), Count(tensors), value);
  return tensors;
}

std::vector<Case> Cheats() {
  return {
      {"the first answer is kept", {}, [](Sampled s, Rng&) { return s.first; }},
      {"zeros", {}, [](Sampled s, Rng&) { return Filled(s.now, 0); }},
      {"the output is constant",
       {},
       [](Sampled s, Rng&) { return Filled(s.now, Floats(s.now)[0]); }},
      {"not a number",
       {},
       [](Sampled s, Rng&) {
         return Filled(s.now, std::numeric_limits<float>::quiet_NaN());
       }},
      {"one element is not a number",
       {},
       [](Sampled s, Rng& rng) {
         Floats(s.now)[rng.UniformInt(0, Count(s.now) - 1)] =
             std::numeric_limits<float>::quiet_NaN();
         return s.now;
       }},
      {"one element is left from the first answer",
       {},
       [](Sampled s, Rng& rng) {
         NamedTensors first = s.first;
         const int64_t i = rng.UniformInt(0, Count(s.now) - 1);
         Floats(s.now)[i] = Floats(first)[i];
         return s.now;
       }},
      {"the last bits are dropped",
       {},
       [](Sampled s, Rng&) {
         for (int64_t i = 0; i < Count(s.now); ++i) {
           float& x = Floats(s.now)[i];
           x = static_cast<float>(std::round(x * 1e5) / 1e5);
         }
         return s.now;
       }},
      {"one sample is wrong",
       {},
       [](Sampled s, Rng&) {
         return s.sample == 5 ? Filled(s.now, 1) : s.now;
       }},
      {"the second half of the samples is wrong",
       {},
       [](Sampled s, Rng&) {
         return s.sample >= 4 ? Filled(s.now, 1) : s.now;
       }},
      {"elements change places",
       {},
       [](Sampled s, Rng&) {
         std::reverse(Floats(s.now), Floats(s.now) + Count(s.now));
         return s.now;
       }},
      {"an output is missing",
       {},
       [](Sampled, Rng&) { return NamedTensors(); }},
      {"the output has another shape",
       {},
       [](Sampled s, Rng&) {
         s.now[0].value = NDArray(DType::Float32(), {1});
         return s.now;
       }},
  };
}

// The programs below are a hundred times as slow as the network, so that their
// runs take long enough for their times to be compared.
constexpr int64_t kSlowness = 100;

std::vector<Case> TimeCheats() {
  using Memo = std::map<std::string, NamedTensors>;
  return {
      {"results are kept for each input",
       {},
       {},
       [] {
         return [memo = Memo()](const std::string& inputs,
                                runtime::Sample* sample) mutable {
           const auto [known, is_new] = memo.emplace(inputs, sample->outputs);
           sample->outputs = known->second;
           sample->nanos = is_new ? sample->nanos * kSlowness : sample->number;
         };
       }},
      {"only the announced inputs have results",
       {},
       {},
       [] {
         return [memo = Memo()](const std::string& inputs,
                                runtime::Sample* sample) mutable {
           const bool is_late = memo.size() == 2 && memo.count(inputs) == 0;
           if (!is_late) memo.emplace(inputs, sample->outputs);
           sample->outputs = is_late ? memo.begin()->second : memo.at(inputs);
         };
       }},
      {"runs are skipped unless the outputs are poisoned",
       {},
       {},
       [] {
         return [](const std::string&, runtime::Sample* sample) {
           sample->nanos = sample->nanos * kSlowness / sample->number;
         };
       }},
  };
}

// Compiles once and returns miscompiled copies of the artifact.
class WrongCompiler : public Compiler {
 public:
  absl::StatusOr<Artifact> Compile(const Model& model,
                                   const devices::Device& device, bool fusion,
                                   int threads,
                                   const std::string& dump_dir) override {
    if (!artifact_.has_value()) {
      ASSAY_ASSIGN_OR_RETURN(artifact_, compiler_.Compile(model, device, fusion,
                                                          threads, dump_dir));
    }
    Artifact artifact = *artifact_;
    Rng rng(seed);
    if (miscompile) miscompile(artifact, rng);
    return artifact;
  }

  Miscompile miscompile;
  uint64_t seed = 0;

 private:
  DriverCompiler compiler_{driver::CompileOptions()};
  std::optional<Artifact> artifact_;
};

class CheatingSession : public runtime::Session {
 public:
  CheatingSession(std::unique_ptr<runtime::Session> session, const Case& wrong,
                  uint64_t seed)
      : session_(std::move(session)), cheat_(wrong.cheat), rng_(seed) {
    if (wrong.sample_cheat) sample_cheat_ = wrong.sample_cheat();
  }
  runtime::DeviceFacts facts() const override { return session_->facts(); }
  int threads() const override { return session_->threads(); }
  absl::Status SetInputs(const NamedTensors& inputs) override {
    inputs_ = runtime::TensorsDigest(inputs);
    return session_->SetInputs(inputs);
  }
  // Cheats only after the two examples have been checked.
  absl::StatusOr<std::vector<runtime::Sample>> RunBlock(
      const runtime::Block& block) override {
    ASSAY_ASSIGN_OR_RETURN(std::vector<runtime::Sample> samples,
                           session_->RunBlock(block));
    for (runtime::Sample& sample : samples) {
      if (sample_cheat_) sample_cheat_(inputs_, &sample);
      if (first_.empty()) first_ = sample.outputs;
      if (++runs_ > 2 && cheat_) {
        sample.outputs =
            cheat_({std::move(sample.outputs), first_, runs_ - 3}, rng_);
      }
    }
    return samples;
  }
  absl::StatusOr<std::vector<int64_t>> TimeCalls(int program) override {
    return session_->TimeCalls(program);
  }
  absl::Status FlushCaches(int64_t bytes) override {
    return session_->FlushCaches(bytes);
  }

 private:
  const std::unique_ptr<runtime::Session> session_;
  const Cheat& cheat_;
  SampleCheat sample_cheat_;
  Rng rng_;
  std::string inputs_;
  NamedTensors first_;
  int runs_ = 0;
};

class CheatingRunner : public runtime::Runner {
 public:
  CheatingRunner(const Case& wrong, uint64_t seed)
      : wrong_(wrong), seed_(seed) {}
  runtime::DeviceFacts facts() const override { return runner_.facts(); }
  absl::StatusOr<std::unique_ptr<runtime::Session>> Load(
      absl::Span<const Artifact* const> artifacts,
      const runtime::LoadOptions& options) override {
    ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Session> session,
                           runner_.Load(artifacts, options));
    return std::make_unique<CheatingSession>(std::move(session), wrong_, seed_);
  }

 private:
  runtime::InProcessRunner runner_;
  const Case& wrong_;
  const uint64_t seed_;
};

class CheatsTest : public testing::Test {
 protected:
  CheatsTest() : dir_(TempDir::Create().value()) {
    EXPECT_TRUE(WriteFileAtomic(JoinPath(dir_.path(), "host.textproto"),
                                R"pb(name: "host"
                                     title: "host"
                                     target: "llvm -mcpu=native"
                                     in_process {}
                                     default_threads: 1
                                     timing { number: 4 repeat: 8 })pb")
                    .ok());
  }

  Outcome Run(const Case& wrong, uint64_t seed) {
    compiler_.miscompile = wrong.miscompile;
    compiler_.seed = seed;
    FakeClock clock;
    Progress progress(nullptr, &clock);
    std::ostringstream out;
    Services services;
    services.models = [](const Options&) {
      return std::vector<ModelSource>{{"net", "net", {}, [] {
                                         Model model;
                                         model.name = "net";
                                         model.digest = "net";
                                         model.graph = Net();
                                         return model;
                                       }}};
    };
    services.tools.compiler = &compiler_;
    services.tools.oracle = &oracle_;
    services.tools.make_runner = [&](const devices::Device&)
        -> absl::StatusOr<std::unique_ptr<runtime::Runner>> {
      return std::make_unique<CheatingRunner>(wrong, seed);
    };
    services.folders.devices = dir_.path();
    services.out = &out;
    services.progress = &progress;
    Options options;
    options.matrix.devices = {"host"};
    options.matrix.fusion = {true};
    const absl::StatusOr<Outcome> outcome = RunSuite(options, services);
    CHECK(outcome.ok()) << outcome.status();
    return *outcome;
  }

  TempDir dir_;
  WrongCompiler compiler_;
  InterpreterOracle oracle_{dir_.path(), "1"};
};

TEST_F(CheatsTest, RejectsAllWithExitCode4AndNoTime) {
  const Outcome honest = Run({"nothing is wrong", {}, {}}, 0);
  EXPECT_EQ(honest.exit_code, ExitCode::kPass);
  EXPECT_EQ(honest.result.rows[0].timing.samples_ns.size(), 8u);

  std::vector<Case> cases = Miscompiles();
  for (const std::vector<Case>& cheats : {Cheats(), TimeCheats()}) {
    cases.insert(cases.end(), cheats.begin(), cheats.end());
  }
  EXPECT_EQ(cases.size(), 28u);
  for (const Case& wrong : cases) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      const Outcome outcome = Run(wrong, seed);
      const reports::Row& row = outcome.result.rows.at(0);
      EXPECT_EQ(outcome.exit_code, ExitCode::kWrongResult)
          << wrong.name << ", seed " << seed;
      EXPECT_EQ(row.verdict, stats::Verdict::kWrongOutput) << wrong.name;
      EXPECT_TRUE(row.timing.samples_ns.empty()) << wrong.name;
      EXPECT_NE(row.reason, "") << wrong.name;
    }
  }
}

}  // namespace
}  // namespace assay::suites
