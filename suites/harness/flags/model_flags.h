// The flags that select and change the models of a suite.
#ifndef ASSAY_SUITES_HARNESS_FLAGS_MODEL_FLAGS_H_
#define ASSAY_SUITES_HARNESS_FLAGS_MODEL_FLAGS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "suites/harness/flags/flag_group.h"

namespace assay::suites {

// The properties of a suite that determine its flags.
struct SuiteFlags {
  std::string name;         // for example `resnet18` for //suites:resnet18
  std::string description;  // one sentence for --help
  // True if the suite has the flags --model, --dim and --input_value.
  bool takes_model = false;
  // Possible values of --variant. If the list is empty, the suite does not have
  // this flag.
  std::vector<std::string> variants = {};
  // True if the suite has the flags --size and --multiplier.
  bool takes_size = false;
};

struct ModelOptions {
  // Absolute path of an ONNX file, or empty.
  std::string file;
  // Values of the symbolic dimensions of the model's inputs.
  std::map<std::string, int64_t> dims;
  // Absolute paths of files with the inputs of the model
  // (suites/tensors/tensor_files.h). If the list is empty, the inputs are
  // generated from the seed, except those in `input_values`.
  std::vector<std::string> inputs;
  // Values of inputs, by the name of the input: all elements have this value in
  // every example. The values are finite numbers in text form, so that none is
  // rounded before the element type is known. Empty if `inputs` are given.
  std::map<std::string, std::string> input_values;
  // Names of the inputs in `inputs` whose elements may be put in another order,
  // to make further inputs (suites/correctness/example_inputs.h).
  std::vector<std::string> varying;
  // Variants to measure, in this order. Without --variant, these are all
  // variants of the suite.
  std::vector<std::string> variants;
  // Height and width of images; 0 selects the default of the model.
  int64_t size = 0;
  // Width multiplier: factor for the number of channels of every layer.
  double multiplier = 1.0;

  // Returns true if all inputs are generated from the seed. A baseline needs
  // such inputs.
  bool all_inputs_seeded() const {
    return inputs.empty() && input_values.empty();
  }
};

// Parses the values of the flag --dim, such as `N=1`. Returns InvalidArgument
// if one does not have this form, if its extent is not positive, or if a
// dimension has two values.
absl::StatusOr<std::map<std::string, int64_t>> ParseDims(
    const std::vector<std::string>& texts);

// Adds the flags of `suite` to `app`. `suite` and `options` must outlive `app`
// and the returned function.
FinishFlags AddModelFlags(CLI::App& app, const SuiteFlags& suite,
                          ModelOptions* options);

}  // namespace assay::suites

#endif  // ASSAY_SUITES_HARNESS_FLAGS_MODEL_FLAGS_H_
