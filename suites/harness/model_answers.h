// ModelAnswers: the inputs that a model is run on, and the correct outputs.
//
// The first answer comes from the oracle and is compared with that of the
// reference runtime, if there is one. If they agree, the reference runtime,
// which is faster, gives the other answers; if they contradict each other, it
// is unknown which one is correct, and no row of the model may pass.
#ifndef ASSAY_SUITES_HARNESS_MODEL_ANSWERS_H_
#define ASSAY_SUITES_HARNESS_MODEL_ANSWERS_H_

#include <cstdint>
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
  // The arguments outlive the object. `remarks` receives lines about the
  // reference runtime.
  ModelAnswers(const Model& model, const Services& services, uint64_t seed,
               std::string* remarks);

  // Returns the examples for a device. Emulators are slow and get only one.
  // Other devices get several, to detect kernels that return stored outputs.
  absl::Span<const Example> For(const devices::Device& device) const;

  // Computes the answers of For(device) that are missing.
  absl::Status Find(const devices::Device& device);

  // One sentence if the oracle and the reference runtime contradict each other,
  // or else empty.
  const std::string& contradiction() const { return contradiction_; }

 private:
  absl::StatusOr<runtime::NamedTensors> FindAnswer(
      const runtime::NamedTensors& inputs) const;
  absl::Status CompareWithReference();

  const Model& model_;
  const Services& services_;
  std::string* const remarks_;
  std::vector<Example> examples_;
  bool compared_ = false;
  bool reference_agrees_ = false;
  std::string contradiction_;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_MODEL_ANSWERS_H_
