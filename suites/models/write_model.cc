// write_model: writes one of the suites' models to an ONNX file.
//
//   write_model --model=resnet18 --out=resnet18.onnx [--opset=17 …]
//
// Exit codes: 0 success; 2 usage error; 5 the file could not be written.
#include <cstdint>
#include <iostream>
#include <map>
#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "runtime/base/file.h"
#include "runtime/base/run_command.h"
#include "runtime/base/status_macros.h"
#include "suites/models/catalog.h"
#include "suites/models/model_file.h"

namespace assay::suites {
namespace {

struct Flags {
  std::string model;
  std::string out;
  bool external_data = false;
  CatalogOptions options;
};

void AddFlags(CLI::App* app, Flags* flags) {
  const std::map<std::string, FlattenStyle> flatten = {
      {"flatten", FlattenStyle::kFlatten},
      {"reshape", FlattenStyle::kReshape},
      {"shape_arithmetic", FlattenStyle::kShapeArithmetic},
      {"squeeze", FlattenStyle::kSqueeze}};
  app->add_option("--model", flags->model, "which model to write")
      ->required()
      ->check(CLI::IsMember(CatalogNames()));
  app->add_option("--out", flags->out, "path of the ONNX file")->required();
  app->add_option("--size", flags->options.size,
                  "height and width of the input image; the model's own if "
                  "left out")
      ->check(CLI::Range(1, 4096));
  app->add_option("--multiplier", flags->options.multiplier,
                  "what the numbers of channels are multiplied by")
      ->check(CLI::Range(0.01, 4.0));
  app->add_option("--batch", flags->options.batch, "images per run")
      ->check(CLI::Range(1, 1024));
  app->add_option("--seed", flags->options.seed, "seed of the weights");
  app->add_flag("--external_data", flags->external_data,
                "put the weights into OUT.data");
  ExportStyle* style = &flags->options.style;
  app->add_option("--opset", style->opset, "operator set version")
      ->check(CLI::Range(7, 21));
  app->add_option("--prefix", style->prefix,
                  "prefix of all node and tensor names");
  app->add_option("--symbolic_batch", style->symbolic_batch,
                  "leave the batch open under this name");
  app->add_flag("--fold_batch_norm", style->fold_batch_norm,
                "fold BatchNormalization into the convolutions");
  app->add_flag("--auto_pad", style->auto_pad,
                "give paddings by auto_pad where that means the same");
  app->add_option("--flatten", style->flatten,
                  "style of the step before the classifier: flatten, "
                  "reshape, shape_arithmetic or squeeze")
      ->transform(CLI::CheckedTransformer(flatten));
}

absl::StatusOr<ExitCode> Run(const Flags& flags) {
  const std::string path = FromCallersFolder(flags.out);
  ASSAY_ASSIGN_OR_RETURN(const onnx::ModelProto model,
                         BuildFromCatalog(flags.model, flags.options));
  const absl::Status written = WriteModel(model, path, flags.external_data);
  if (!written.ok()) return absl::UnavailableError(written.message());
  std::cout << "wrote " << path << "\n";
  return ExitCode::kPass;
}

int Main(int argc, char** argv) {
  CLI::App app("Writes a model of the suites to an ONNX file.");
  Flags flags;
  AddFlags(&app, &flags);
  return RunCommand(app, argc, argv, [&] { return Run(flags); });
}

}  // namespace
}  // namespace assay::suites

int main(int argc, char** argv) { return assay::suites::Main(argc, argv); }
