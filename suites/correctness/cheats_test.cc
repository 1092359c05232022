// Tests that the harness rejects programs that cheat with exit code 4, and
// publishes no times of them. A small network is actually compiled and run, and
// its outputs or times are modified while it is timed.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/artifact/tensor_file.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/in_process.h"
#include "suites/correctness/testing/small_net_fixture.h"

namespace assay::suites {
namespace {

using runtime::NamedTensors;

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

// Changes a sample that was taken on the inputs with this digest. `warmed` is
// true if the program ran on these inputs directly before the sample.
using SampleCheat = std::function<void(const std::string& inputs, bool warmed,
                                       runtime::Sample*)>;

struct Case {
  const char* name;
  Cheat cheat;
  // Returns a new SampleCheat for each session, because it has a state.
  std::function<SampleCheat()> sample_cheat = {};
};

NamedTensors Filled(NamedTensors tensors, float value) {
  std::fill_n(Floats(tensors), Count(tensors), value);
  return tensors;
}

std::vector<Case> OutputCheats() {
  return {
      {"the first answer is kept", [](Sampled s, Rng&) { return s.first; }},
      {"zeros", [](Sampled s, Rng&) { return Filled(s.now, 0); }},
      {"the output is constant",
       [](Sampled s, Rng&) { return Filled(s.now, Floats(s.now)[0]); }},
      {"not a number",
       [](Sampled s, Rng&) {
         return Filled(s.now, std::numeric_limits<float>::quiet_NaN());
       }},
      {"one element is not a number",
       [](Sampled s, Rng& rng) {
         Floats(s.now)[rng.UniformInt(0, Count(s.now) - 1)] =
             std::numeric_limits<float>::quiet_NaN();
         return s.now;
       }},
      {"one element is left from the first answer",
       [](Sampled s, Rng& rng) {
         NamedTensors first = s.first;
         const int64_t i = rng.UniformInt(0, Count(s.now) - 1);
         Floats(s.now)[i] = Floats(first)[i];
         return s.now;
       }},
      {"the last bits are dropped",
       [](Sampled s, Rng&) {
         for (int64_t i = 0; i < Count(s.now); ++i) {
           float& x = Floats(s.now)[i];
           x = static_cast<float>(std::round(x * 1e5) / 1e5);
         }
         return s.now;
       }},
      {"one sample is wrong",
       [](Sampled s, Rng&) {
         return s.sample == 5 ? Filled(s.now, 1) : s.now;
       }},
      {"the second half of the samples is wrong",
       [](Sampled s, Rng&) {
         return s.sample >= 4 ? Filled(s.now, 1) : s.now;
       }},
      {"elements change places",
       [](Sampled s, Rng&) {
         std::reverse(Floats(s.now), Floats(s.now) + Count(s.now));
         return s.now;
       }},
      {"an output is missing", [](Sampled, Rng&) { return NamedTensors(); }},
      {"the output has another shape",
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
       [] {
         return [memo = Memo()](const std::string& inputs, bool,
                                runtime::Sample* sample) mutable {
           const auto [known, is_new] = memo.emplace(inputs, sample->outputs);
           sample->outputs = known->second;
           sample->nanos = is_new ? sample->nanos * kSlowness : sample->number;
         };
       }},
      {"only the announced inputs have results",
       {},
       [] {
         return [memo = Memo()](const std::string& inputs, bool,
                                runtime::Sample* sample) mutable {
           const bool is_late = memo.size() == 2 && memo.count(inputs) == 0;
           if (!is_late) memo.emplace(inputs, sample->outputs);
           sample->outputs = is_late ? memo.begin()->second : memo.at(inputs);
         };
       }},
      {"runs are skipped unless the outputs are poisoned",
       {},
       [] {
         return [](const std::string&, bool, runtime::Sample* sample) {
           sample->nanos = sample->nanos * kSlowness / sample->number;
         };
       }},
      {"the last result is kept",
       {},
       [] {
         return [last = std::string()](const std::string& inputs, bool warmed,
                                       runtime::Sample* sample) mutable {
           const bool is_kept = warmed || inputs == last;
           sample->nanos = is_kept ? sample->number : sample->nanos * kSlowness;
           last = inputs;
         };
       }},
      {"results are kept until an unknown input comes",
       {},
       [] {
         return [memo = Memo(), gives_up = false](
                    const std::string& inputs, bool,
                    runtime::Sample* sample) mutable {
           const bool is_known = memo.count(inputs) > 0;
           gives_up = gives_up || (!is_known && memo.size() == 2);
           memo.emplace(inputs, sample->outputs);
           sample->nanos = is_known && !gives_up ? sample->number
                                                 : sample->nanos * kSlowness;
         };
       }},
  };
}

class CheatingSession : public runtime::Session {
 public:
  CheatingSession(std::unique_ptr<runtime::Session> session,
                  const Case& cheating, uint64_t seed)
      : session_(std::move(session)), cheat_(cheating.cheat), rng_(seed) {
    if (cheating.sample_cheat) sample_cheat_ = cheating.sample_cheat();
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
    for (size_t i = 0; i < samples.size(); ++i) {
      runtime::Sample& sample = samples[i];
      if (sample_cheat_) {
        const runtime::SampleSpec& spec = block.samples[i];
        sample_cheat_(inputs_, spec.warmup_runs > 0, &sample);
      }
      if (first_.empty()) first_ = sample.outputs;
      if (++runs_ > 2 && cheat_) {
        sample.outputs =
            cheat_({std::move(sample.outputs), first_, runs_ - 3}, rng_);
      }
    }
    return samples;
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
  CheatingRunner(const Case& cheating, uint64_t seed)
      : cheating_(cheating), seed_(seed) {}
  runtime::DeviceFacts facts() const override { return runner_.facts(); }
  absl::StatusOr<std::unique_ptr<runtime::Session>> Load(
      absl::Span<const runtime::Artifact* const> artifacts,
      const runtime::LoadOptions& options) override {
    ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<runtime::Session> session,
                           runner_.Load(artifacts, options));
    return std::make_unique<CheatingSession>(std::move(session), cheating_,
                                             seed_);
  }

 private:
  runtime::InProcessRunner runner_;
  const Case& cheating_;
  const uint64_t seed_;
};

class CheatsTest : public SmallNetFixture {
 protected:
  Outcome RunCheating(const Case& cheating, uint64_t seed) {
    return RunNet(nullptr, [&] {
      return std::make_unique<CheatingRunner>(cheating, seed);
    });
  }
};

TEST_F(CheatsTest, AreRejectedWithExitCode4AndNoTime) {
  ExpectAccepted(RunCheating({"nothing is wrong", {}}, 0));
  std::vector<Case> cases = OutputCheats();
  for (const Case& cheating : TimeCheats()) cases.push_back(cheating);
  EXPECT_EQ(cases.size(), 17u);
  for (const Case& cheating : cases) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE(::testing::Message() << cheating.name << ", seed " << seed);
      ExpectRejected(RunCheating(cheating, seed));
    }
  }
}

}  // namespace
}  // namespace assay::suites
