// ModelAnswers: the inputs on which a model is run, and the correct outputs
// (answers).
//
// The oracle computes the first answer. If the reference runtime is available,
// its outputs for the same inputs are compared with this answer:
//   - If they agree, the reference runtime computes the other answers, because
//     it is faster than the oracle. Quantized models, for which runtimes agree
//     only within steps (rounding.h), are an exception.
//   - If they disagree, it is unknown which answer is correct, and no row of
//     the model may pass.
// If the reference runtime is not available, the oracle computes all answers.
//
// The inputs are generated from a seed, unless the user gives inputs. Those
// replace the inputs of the first example and are the only ones that are timed.
// The second example still has generated inputs and is only checked. The late
// examples have inputs that resemble those of the user (PerturbedInputs),
// because their times are compared.
//
// Settings (input_settings.h) are not generated in any example. If the user
// gives all inputs, the single integers among them are taken for settings, and
// the second example has them, too, because with another sampling rate, for
// example, a model may have no answer.
//
// Each example has its own RoundingNoise, which the oracle computes if outputs
// disagree with the answer of this example.
#ifndef ASSAY_SUITES_HARNESS_MODEL_ANSWERS_H_
#define ASSAY_SUITES_HARNESS_MODEL_ANSWERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "devices/device.pb.h"
#include "suites/correctness/checked_session.h"
#include "suites/harness/run_services.h"

namespace assay::suites {

class ModelAnswers {
 public:
  // All arguments must outlive this object. Lines about the reference runtime
  // are appended to `*remarks`. `seed` is the seed of the inputs. `given` are
  // the inputs of the user, if any, in the order of the model's inputs.
  // `settings` replace the generated inputs of the same names.
  ModelAnswers(const Model& model, const Services& services, uint64_t seed,
               std::optional<runtime::NamedTensors> given,
               runtime::NamedTensors settings, std::string* remarks);

  // Returns the examples for a device: one for an emulated device, which is
  // slow, or two for other devices. The second example detects kernels that
  // return stored outputs. A model without inputs has only one example.
  absl::Span<const Example> For(const devices::Device& device) const;

  // Returns the examples that are timed: all of For(device), or only the first
  // if the user gave inputs.
  absl::Span<const Example> TimedFor(const devices::Device& device) const;

  // Returns the examples for CheckedSession::ExamineLate(), the first of which
  // has an answer. Null for an emulated device, which is slow, and for a model
  // without inputs.
  LateExamples LateFor(const devices::Device& device) const;

  // Computes the missing answers of the examples For(device) and
  // LateFor(device). If the answers of the examples are the same, adds a remark
  // that the outputs prove nothing.
  absl::Status Find(const devices::Device& device);

  // One sentence that describes how the oracle and the reference runtime
  // disagree; empty if they agree or were not compared.
  const std::string& contradiction() const { return contradiction_; }

 private:
  Example NewExample(runtime::NamedTensors inputs) const;
  absl::StatusOr<runtime::NamedTensors> FindAnswer(
      const runtime::NamedTensors& inputs) const;
  absl::Status CompareWithReference();
  runtime::NamedTensors GeneratedInputs(uint64_t seed) const;
  bool HasLate(const devices::Device& device) const;
  runtime::NamedTensors LateInputs(int64_t index) const;
  void RemarkIfConstant();

  const Model& model_;
  const Services& services_;
  const uint64_t seed_;
  const bool given_;  // true if the first example has the inputs of the user
  const runtime::NamedTensors settings_;
  std::string* const remarks_;
  std::vector<Example> examples_;
  Example late_;  // the first late example; without inputs until Find()
  bool compared_ = false;
  bool constant_checked_ = false;
  bool reference_agrees_ = false;
  std::string contradiction_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_MODEL_ANSWERS_H_
