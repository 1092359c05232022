// ModelAnswers: the inputs on which a model is run, and the correct outputs
// (answers).
//
// The oracle computes the first answer. If the reference runtime is available,
// its outputs for the same inputs are compared with this answer:
//   - If they agree, the reference runtime computes the other answers, because
//     it is faster than the oracle. There are two exceptions, for which the
//     oracle computes all answers: quantized models, for which runtimes agree
//     only within a tolerance (rounding.h), and models with an output that must
//     be exact and in which the reference runtime differs from the oracle. The
//     difference between the reference runtime and the oracle limits the
//     tolerance for the outputs of compiled programs (tolerance.h).
//   - If they disagree, it is unknown which answer is correct, and no row of
//     the model may pass.
// If the reference runtime is not available, or if it refuses the inputs, the
// oracle computes the answers. The reference runtime computes with exact
// products (ByteProducts in suites/references/reference.h).
//
// The inputs are generated from a seed, unless the user gives inputs. Given
// inputs are the inputs of the first example, and only this example is timed.
// The second example, which is only checked, and the late examples have inputs
// that resemble them (PerturbedInputs). Settings (example_inputs.h) are not
// generated in any example.
//
// If the oracle refuses the first inputs, for example because an index is out
// of range, the user must give others. If it refuses the inputs of another
// example, this example is left out, with a note.
//
// Each example has its own RoundingSensitivity, which the oracle computes if
// outputs disagree with the answer of this example.
#ifndef ASSAY_SUITES_HARNESS_MODEL_ANSWERS_H_
#define ASSAY_SUITES_HARNESS_MODEL_ANSWERS_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "devices/device.pb.h"
#include "suites/correctness/checked_session.h"
#include "suites/correctness/oracle.h"
#include "suites/harness/progress.h"
#include "suites/references/reference.h"

namespace assay::suites {

// The user's choices about the inputs.
struct GivenInputs {
  // The inputs of the first example, in the order of the model's inputs.
  std::optional<runtime::NamedTensors> inputs = std::nullopt;
  // Names of integer inputs whose elements may be reordered for other examples
  // (PerturbedInputs).
  std::set<std::string> varying = {};
  // These replace the generated inputs of the same names.
  runtime::NamedTensors settings = {};
};

// Who computes the answers. All must outlive the answers.
struct Experts {
  Oracle& oracle;
  absl::StatusOr<Reference*> reference;  // or why there is none
  Progress& progress;
};

class ModelAnswers {
 public:
  // `model` and `notes` must outlive this object. Lines about the reference
  // runtime and the examples are appended to `*notes`. `seed` is the seed of
  // the inputs.
  ModelAnswers(const Model& model, Experts experts, uint64_t seed,
               GivenInputs given, std::string* notes);

  const Model& model() const { return model_; }

  // Returns the examples for a device: one for an emulated device, which is
  // slow, or two for other devices. The second example detects kernels that
  // return stored outputs. There is only one example if the model has no
  // inputs, or if the oracle refuses the inputs of the second one.
  absl::Span<const Example> For(const devices::Device& device) const;

  // Returns the examples that are timed: all of For(device), or only the first
  // if the user gave inputs.
  absl::Span<const Example> TimedFor(const devices::Device& device) const;

  // Returns the examples for CheckedSession::ExamineLate(), the first of which
  // has an answer. Returns null for an emulated device, which is slow, for a
  // model without inputs, and if the oracle refuses the inputs of the first
  // late example.
  LateExamples LateFor(const devices::Device& device) const;

  // Computes the missing answers of the examples For(device) and
  // LateFor(device). If the answers of both examples are the same, adds a note
  // that correct outputs do not prove that the program computes them in each
  // run. Returns InvalidArgument if the oracle refuses the first inputs.
  absl::Status Find(const devices::Device& device);

  // One sentence that describes how the oracle and the reference runtime, or
  // the integers and the floats of a quantized model, disagree; empty if they
  // agree or were not compared.
  const std::string& contradiction() const { return contradiction_; }

  // Why the reference runtime was not asked; empty if it was.
  const std::string& no_second_opinion() const { return no_second_opinion_; }

  // Returns how much the reference runtime and the oracle differ
  // (OutputRule::agreement); empty if they were not compared.
  const std::vector<std::optional<double>>& agreement() const {
    return agreement_;
  }

 private:
  Example NewExample(runtime::NamedTensors inputs) const;
  absl::StatusOr<runtime::NamedTensors> FindAnswer(
      const runtime::NamedTensors& inputs) const;
  absl::StatusOr<runtime::NamedTensors> AskReference(
      const runtime::NamedTensors& inputs) const;
  absl::Status CompareWithReference();
  // Tests the integer arithmetic of a quantized model (quantization_check.h).
  absl::Status CompareWithFloats();
  // Computes the answer of an example other than the first. If the oracle
  // refuses its inputs, adds a note and returns false.
  absl::StatusOr<bool> FindOther(Example* example, absl::string_view which);
  runtime::NamedTensors GeneratedInputs(uint64_t seed) const;
  // Returns inputs for an example other than the first.
  runtime::NamedTensors OtherInputs(uint64_t seed) const;
  bool HasLate(const devices::Device& device) const;
  runtime::NamedTensors LateInputs(int64_t index) const;
  void NoteIfConstant();

  const Model& model_;
  const Experts experts_;
  const uint64_t seed_;
  const bool given_;  // true if the first example has the inputs of the user
  const std::set<std::string> varying_;
  const runtime::NamedTensors settings_;
  std::string* const notes_;
  std::vector<Example> examples_;
  Example late_;  // the first late example; without inputs until Find()
  bool late_is_valid_ = true;
  bool compared_ = false;
  std::string no_second_opinion_;
  bool constant_checked_ = false;
  bool reference_agrees_ = false;
  std::string contradiction_;
  std::vector<std::optional<double>> agreement_;
};

// Loads `model` in `reference`, which must outlive the session, and sets its
// inputs, which SetInputs() can replace. `threads` 0 stands for all processors.
absl::StatusOr<PreparedReference> LoadForModel(
    Reference& reference, const Model& model,
    const runtime::NamedTensors& inputs, int threads, ByteProducts arithmetic);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_MODEL_ANSWERS_H_
