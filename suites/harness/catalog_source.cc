#include "suites/harness/catalog_source.h"

#include "absl/strings/str_cat.h"
#include "runtime/base/status_macros.h"
#include "suites/harness/onnx_model.h"
#include "suites/models/catalog.h"
#include "suites/models/model_file.h"
#include "suites/models/ssd.h"

namespace assay::suites {
namespace {

SuppressionRule ToRule(const Suppression& suppression) {
  return {suppression.boxes_per_class, suppression.overlap, suppression.score};
}

absl::StatusOr<Model> Load(const std::string& name, int64_t size,
                           double multiplier, int64_t max_memory) {
  CatalogOptions options;
  options.size = size;
  options.multiplier = multiplier;
  ASSAY_ASSIGN_OR_RETURN(const onnx::ModelProto onnx,
                         BuildFromCatalog(name, options));
  std::string full_name = name;
  if (size != 0) absl::StrAppend(&full_name, "_s", size);
  if (multiplier != 1) absl::StrAppend(&full_name, "_x", multiplier);
  ASSAY_ASSIGN_OR_RETURN(
      Model model,
      LoadOnnxBytes(full_name, SerializeModel(onnx), /*dims=*/{}, max_memory));
  if (name == "ssd_mobilenet_v1") {
    model.detections = ToRule(SsdMobileNetV1Suppression());
  }
  if (name == "ssd_vgg16") {
    model.detections = ToRule(SsdVgg16Suppression());
  }
  return model;
}

}  // namespace

ModelSource FromCatalog(const std::string& suite, const std::string& variant,
                        const std::string& name, const Options& options) {
  ModelSource source;
  source.suite = suite;
  source.target = suite;
  if (!variant.empty()) source.flags = {{"variant", variant}};
  source.load = [name, size = options.size, multiplier = options.multiplier,
                 max_memory = options.max_memory] {
    return Load(name, size, multiplier, max_memory);
  };
  return source;
}

std::vector<ModelSource> VariantsFromCatalog(const std::string& suite,
                                             const std::string& prefix,
                                             const Options& options) {
  std::vector<ModelSource> models;
  for (const std::string& variant : options.variants) {
    models.push_back(
        FromCatalog(suite, variant, absl::StrCat(prefix, variant), options));
  }
  return models;
}

}  // namespace assay::suites
