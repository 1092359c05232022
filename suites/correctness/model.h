// Model: a model under test, as imported, with the facts that checks need.
#ifndef ASSAY_SUITES_CORRECTNESS_MODEL_H_
#define ASSAY_SUITES_CORRECTNESS_MODEL_H_

#include <memory>
#include <optional>
#include <string>

#include "compiler/graph/graph.h"
#include "suites/correctness/detections.h"

namespace assay::suites {

struct Model {
  std::string name;
  // Of everything its output depends on: the file, the files it refers to,
  // how its dimensions were bound. Hex.
  std::string digest;
  // As imported, before any pass.
  std::shared_ptr<const graph::Graph> graph;
  // The ONNX file, for runtimes that read it themselves; null if it is not
  // whole without files beside it.
  std::shared_ptr<const std::string> onnx = nullptr;
  // From the file to the graph.
  double import_ms = 0;
  // Of a detector; others have outputs that are compared as they are.
  std::optional<SuppressionRule> detections = std::nullopt;
};

}  // namespace assay::suites

#endif  // ASSAY_SUITES_CORRECTNESS_MODEL_H_
