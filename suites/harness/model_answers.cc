#include "suites/harness/model_answers.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "devices/device.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"
#include "runtime/measure/session.h"
#include "suites/correctness/input_settings.h"
#include "suites/correctness/oracle.h"
#include "suites/correctness/perturbed_inputs.h"
#include "suites/correctness/rounding.h"
#include "suites/correctness/rounding_noise.h"

namespace assay::suites {
namespace {

constexpr size_t kExamples = 2;
// The reference runtime is not timed here and may use all processors.
constexpr int kAllThreads = 0;

}  // namespace

ModelAnswers::ModelAnswers(const Model& model, const Services& services,
                           uint64_t seed,
                           std::optional<runtime::NamedTensors> given,
                           runtime::NamedTensors settings, std::string* remarks)
    : model_(model),
      services_(services),
      seed_(seed),
      given_(given.has_value()),
      settings_(std::move(settings)),
      remarks_(remarks) {
  const size_t examples = model.graph->inputs().empty() ? 1 : kExamples;
  for (size_t i = 0; i < examples; ++i) {
    examples_.push_back(NewExample(
        i == 0 && given_ ? *std::move(given) : GeneratedInputs(seed + i)));
  }
}

runtime::NamedTensors ModelAnswers::GeneratedInputs(uint64_t seed) const {
  runtime::NamedTensors inputs = SeededInputs(*model_.graph, seed);
  ApplySettings(settings_, &inputs);
  return inputs;
}

// Returns an example without an answer.
Example ModelAnswers::NewExample(runtime::NamedTensors inputs) const {
  auto noise = std::make_shared<RoundingNoise>(
      *model_.graph, [this, inputs](uint64_t seed) {
        services_.progress->Step("measuring what rounding alone changes");
        Oracle& oracle = *services_.tools.oracle;
        return seed == 0 ? oracle.Reference(model_, inputs)
                         : oracle.WithNoise(model_, inputs, seed);
      });
  return {std::move(inputs), /*answer=*/{}, std::move(noise)};
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
  return !devices::IsEmulated(device) && !model_.graph->inputs().empty();
}

runtime::NamedTensors ModelAnswers::LateInputs(int64_t index) const {
  const uint64_t seed = SeedFor(seed_, absl::StrCat("late ", index));
  return given_ ? PerturbedInputs(examples_[0].inputs, seed)
                : GeneratedInputs(seed);
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
void ModelAnswers::RemarkIfConstant() {
  if (constant_checked_ || examples_.size() < 2) return;
  constant_checked_ = true;
  if (!SameBits(examples_[0].answer, examples_[1].answer)) return;
  const bool same_inputs = SameBits(examples_[0].inputs, examples_[1].inputs);
  absl::StrAppend(
      remarks_, model_.name,
      same_inputs ? ": all its inputs are settings"
                  : ": its answer does not depend on its input",
      ", so it was not checked that timed runs compute the answer\n");
}

absl::Status ModelAnswers::Find(const devices::Device& device) {
  const size_t count = For(device).size();
  for (size_t i = 0; i < count; ++i) {
    Example& example = examples_[i];
    if (!example.answer.empty()) continue;
    ASSAY_ASSIGN_OR_RETURN(example.answer, FindAnswer(example.inputs));
    if (compared_) continue;
    compared_ = true;
    const absl::Status compared = CompareWithReference();
    if (!compared.ok()) {
      absl::StrAppend(
          remarks_, model_.name,
          ": not checked against another runtime: ", compared.message(), "\n");
    }
  }
  if (count > 1) RemarkIfConstant();
  if (HasLate(device) && late_.answer.empty()) {
    late_ = NewExample(LateInputs(0));
    ASSAY_ASSIGN_OR_RETURN(late_.answer, FindAnswer(late_.inputs));
  }
  return absl::OkStatus();
}

absl::StatusOr<runtime::NamedTensors> ModelAnswers::FindAnswer(
    const runtime::NamedTensors& inputs) const {
  if (!reference_agrees_) {
    services_.progress->Step("interpreting, for the right answer");
    return services_.tools.oracle->Reference(model_, inputs);
  }
  ASSAY_ASSIGN_OR_RETURN(
      const PreparedReference loaded,
      services_.tools.reference->load(model_, inputs, kAllThreads));
  ASSAY_ASSIGN_OR_RETURN(runtime::Sample sample,
                         runtime::RunOnce(*loaded.session));
  return std::move(sample.outputs);
}

absl::Status ModelAnswers::CompareWithReference() {
  ASSAY_RETURN_IF_ERROR(services_.tools.reference.status());
  const ReferenceRuntime& runtime = *services_.tools.reference;
  services_.progress->Step(absl::StrCat("asking ", runtime.name));
  ASSAY_ASSIGN_OR_RETURN(
      const PreparedReference loaded,
      runtime.load(model_, examples_[0].inputs, kAllThreads));
  ASSAY_ASSIGN_OR_RETURN(const runtime::Sample sample,
                         runtime::RunOnce(*loaded.session));
  const Example& example = examples_[0];
  const CheckRule rule = ReferenceRule(model_);
  Accuracy accuracy = CheckOutputs(sample.outputs, example.answer, rule);
  const bool agrees = accuracy.correct;
  if (!agrees) {
    ASSAY_ASSIGN_OR_RETURN(
        accuracy, example.noise->Check(sample.outputs, example.answer, rule));
  }
  if (!accuracy.correct) {
    contradiction_ =
        absl::StrCat(runtime.name, " gives another answer: ", accuracy.problem);
    return absl::OkStatus();
  }
  // An answer that is only correct within wide bounds would hide errors.
  reference_agrees_ = agrees && !rule.in_steps;
  absl::StrAppendFormat(
      remarks_, "%s: the interpreter and %s agree, max|err| %.1e%s\n",
      model_.name, runtime.name, accuracy.max_abs_error,
      accuracy.remark.empty() ? "" : absl::StrCat("; ", accuracy.remark));
  return absl::OkStatus();
}

}  // namespace assay::suites
