#include "suites/harness/model_answers.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "compiler/graph/quantization/fake_quantization_to_integer.h"
#include "devices/device.h"
#include "runtime/base/check.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/session.h"
#include "suites/correctness/comparators.h"
#include "suites/correctness/example_inputs.h"
#include "suites/correctness/oracle.h"
#include "suites/correctness/quantization_check.h"
#include "suites/correctness/rounding.h"
#include "suites/correctness/rounding_sensitivity.h"

namespace assay::suites {
namespace {

constexpr size_t kExamples = 2;
// The reference runtime is not timed here and may use all processors.
constexpr int kAllThreads = 0;

// Returns true if the error of the oracle is about the values of the inputs.
bool IsRefusal(const absl::Status& status) {
  return absl::IsInvalidArgument(status) || absl::IsOutOfRange(status);
}

}  // namespace

absl::StatusOr<PreparedReference> LoadForModel(
    Reference& reference, const Model& model,
    const runtime::NamedTensors& inputs, int threads, ByteProducts arithmetic) {
  CHECK(model.onnx != nullptr) << model.name;
  return reference.LoadModel(
      {*model.onnx, model.file_with_external_data, arithmetic}, inputs,
      threads);
}

ModelAnswers::ModelAnswers(const Model& model, Experts experts, uint64_t seed,
                           GivenInputs given, std::string* notes)
    : model_(model),
      experts_(std::move(experts)),
      seed_(seed),
      given_(given.inputs.has_value()),
      varying_(std::move(given.varying)),
      settings_(std::move(given.settings)),
      notes_(notes) {
  const size_t examples = model.graph->inputs().empty() ? 1 : kExamples;
  examples_.push_back(
      NewExample(given_ ? *std::move(given.inputs) : GeneratedInputs(seed)));
  while (examples_.size() < examples) {
    examples_.push_back(NewExample(OtherInputs(seed + examples_.size())));
  }
}

runtime::NamedTensors ModelAnswers::GeneratedInputs(uint64_t seed) const {
  runtime::NamedTensors inputs = SeededInputs(*model_.graph, seed);
  ApplySettings(settings_, &inputs);
  return inputs;
}

runtime::NamedTensors ModelAnswers::OtherInputs(uint64_t seed) const {
  return given_ ? PerturbedInputs(examples_[0].inputs, varying_, seed)
                : GeneratedInputs(seed);
}

// Returns an example without an answer.
Example ModelAnswers::NewExample(runtime::NamedTensors inputs) const {
  auto sensitivity = std::make_shared<RoundingSensitivity>(
      model_.computed(), [this, inputs](uint64_t seed) {
        experts_.progress.Step("measuring what rounding alone changes");
        return experts_.oracle.Outputs(model_, inputs, seed);
      });
  return {std::move(inputs), /*answer=*/{}, std::move(sensitivity)};
}

absl::Span<const Example> ModelAnswers::For(
    const devices::Device& device) const {
  return absl::MakeSpan(examples_).first(
      devices::IsEmulated(device) ? 1 : examples_.size());
}

absl::Span<const Example> ModelAnswers::TimedFor(
    const devices::Device& device) const {
  const absl::Span<const Example> examples = For(device);
  return given_ ? examples.first(1) : examples;
}

bool ModelAnswers::HasLate(const devices::Device& device) const {
  return !devices::IsEmulated(device) && !model_.graph->inputs().empty() &&
         late_is_valid_;
}

runtime::NamedTensors ModelAnswers::LateInputs(int64_t index) const {
  const uint64_t seed = SeedFor(seed_, absl::StrCat("late ", index));
  return OtherInputs(seed);
}

LateExamples ModelAnswers::LateFor(const devices::Device& device) const {
  if (!HasLate(device)) return nullptr;
  return [this](int64_t index) {
    return index == 0 ? late_ : Example{LateInputs(index), /*answer=*/{}};
  };
}

// The outputs of a model with a zero head, for example, are the same for all
// inputs. A program that kept them would not be noticed. Nor would it if all
// inputs are settings.
void ModelAnswers::NoteIfConstant() {
  if (constant_checked_ || examples_.size() < 2) return;
  constant_checked_ = true;
  if (!SameBits(examples_[0].answer, examples_[1].answer)) return;
  const bool same_inputs = SameBits(examples_[0].inputs, examples_[1].inputs);
  absl::StrAppend(
      notes_, model_.name,
      !same_inputs ? ": its answer does not depend on its input"
      : given_     ? ": none of its inputs varies (--vary names those that may)"
                   : ": all its inputs are settings",
      ", so it was not checked that timed runs compute the answer\n");
}

absl::Status ModelAnswers::Find(const devices::Device& device) {
  if (examples_[0].answer.empty()) {
    auto answer = FindAnswer(examples_[0].inputs);
    if (IsRefusal(answer.status())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the interpreter refuses the inputs ",
          given_ ? "of `--inputs`"
                 : "that are made up from --seed; give others by `--inputs`",
          ": ", answer.status().message()));
    }
    ASSAY_ASSIGN_OR_RETURN(examples_[0].answer, std::move(answer));
  }
  if (!compared_) {
    compared_ = true;
    ASSAY_RETURN_IF_ERROR(CompareWithFloats());
    const absl::Status compared = CompareWithReference();
    if (!compared.ok()) {
      no_second_opinion_ = std::string(compared.message());
      absl::StrAppend(
          notes_, model_.name,
          ": not checked against another runtime: ", compared.message(), "\n");
    }
  }
  if (For(device).size() > 1) {
    ASSAY_ASSIGN_OR_RETURN(const bool is_valid,
                           FindOther(&examples_[1], "a second input"));
    if (!is_valid) examples_.pop_back();
  }
  if (For(device).size() > 1) NoteIfConstant();
  if (!HasLate(device)) return absl::OkStatus();
  if (late_.answer.empty()) late_ = NewExample(LateInputs(0));
  ASSAY_ASSIGN_OR_RETURN(late_is_valid_,
                         FindOther(&late_, "an input that was not timed"));
  return absl::OkStatus();
}

absl::StatusOr<bool> ModelAnswers::FindOther(Example* example,
                                             absl::string_view which) {
  if (!example->answer.empty()) return true;
  auto answer = FindAnswer(example->inputs);
  if (IsRefusal(answer.status())) {
    absl::StrAppend(notes_, model_.name, ": not checked on ", which,
                    ", because the interpreter refuses what was made up: ",
                    answer.status().message(), "\n");
    return false;
  }
  ASSAY_ASSIGN_OR_RETURN(example->answer, std::move(answer));
  return true;
}

absl::StatusOr<runtime::NamedTensors> ModelAnswers::FindAnswer(
    const runtime::NamedTensors& inputs) const {
  if (reference_agrees_) {
    auto answer = AskReference(inputs);
    if (answer.ok()) return answer;
  }
  experts_.progress.Step("interpreting, for the right answer");
  return experts_.oracle.Reference(model_, inputs);
}

absl::StatusOr<runtime::NamedTensors> ModelAnswers::AskReference(
    const runtime::NamedTensors& inputs) const {
  ASSAY_ASSIGN_OR_RETURN(const PreparedReference loaded,
                         LoadForModel(**experts_.reference, model_, inputs,
                                      kAllThreads, ByteProducts::kExact));
  ASSAY_ASSIGN_OR_RETURN(runtime::Sample sample,
                         runtime::RunOnce(*loaded.session));
  return std::move(sample.outputs);
}

absl::Status ModelAnswers::CompareWithFloats() {
  if (model_.integer_graph == nullptr) return absl::OkStatus();
  experts_.progress.Step("comparing integers with floats");
  graph::FakeQuantizationToInteger rewrite;
  const auto check =
      CheckQuantization(model_, examples_[0].inputs, examples_[0].answer,
                        rewrite, experts_.oracle);
  if (absl::IsUnimplemented(check.status())) {
    absl::StrAppend(notes_, model_.name, ": ", check.status().message(), "\n");
    return absl::OkStatus();
  }
  ASSAY_RETURN_IF_ERROR(check.status());
  contradiction_ = check->problem;
  if (contradiction_.empty()) {
    absl::StrAppendFormat(
        notes_,
        "%s: the integers agree with the floats that they stand for, %d of %d "
        "differ by a step\n",
        model_.name, check->moved, check->elements);
  }
  return absl::OkStatus();
}

absl::Status ModelAnswers::CompareWithReference() {
  ASSAY_RETURN_IF_ERROR(experts_.reference.status());
  const std::string runtime = (*experts_.reference)->NameAndVersion();
  experts_.progress.Step(absl::StrCat("asking ", runtime));
  const Example& example = examples_[0];
  ASSAY_ASSIGN_OR_RETURN(const runtime::NamedTensors outputs,
                         AskReference(example.inputs));
  const CheckRule rule = ReferenceRule(model_);
  Accuracy accuracy = CheckOutputs(outputs, example.answer, rule);
  const bool agrees = accuracy.correct;
  if (!agrees) {
    ASSAY_ASSIGN_OR_RETURN(accuracy,
                           AcceptOutputs({outputs, example.answer, rule,
                                          example.sensitivity.get()}));
  }
  if (!accuracy.correct) {
    contradiction_ =
        absl::StrCat(runtime, " gives another answer: ", accuracy.problem);
    return absl::OkStatus();
  }
  // Decisions can move elements, so differences at one place say nothing.
  const RowAxes& row_axes = example.sensitivity->row_axes();
  agreement_ = AgreementOf(outputs, example.answer);
  const CheckRule ours = InterpreterRule(model_);
  // An answer that is only correct within wide bounds would hide errors.
  reference_agrees_ = agrees && !rule[0].in_steps;
  for (size_t i = 0; i < agreement_.size(); ++i) {
    if (ours[i].exact && agreement_[i] != 0) reference_agrees_ = false;
    if (row_axes[i].has_value()) agreement_[i].reset();
  }
  absl::StrAppendFormat(
      notes_, "%s: the interpreter and %s agree, max|err| %.1e%s\n",
      model_.name, runtime, accuracy.max_abs_error,
      accuracy.remarks.empty() ? ""
                               : absl::StrCat("; ", JoinRemarks(accuracy)));
  return absl::OkStatus();
}

}  // namespace assay::suites
