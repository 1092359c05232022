#include "runtime/tools/bench_report.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "runtime/artifact/tensor_file.h"

namespace assay::runtime {
namespace {

// Keeps the order of the fields.
using Json = nlohmann::ordered_json;

Json ArtifactJson(const Artifact& artifact) {
  int64_t flops = 0;
  for (const KernelCall& call : artifact.calls) flops += call.flops;
  Json json;
  json["digest"] = Digest(artifact);
  json["metadata"] = artifact.metadata;
  json["setup_calls"] = artifact.setup.size();
  json["calls"] = artifact.calls.size();
  json["flops"] = flops;
  json["file_bytes"] = FileBytes(artifact);
  json["params_bytes"] = artifact.params.size();
  json["arena_bytes"] = artifact.arena_bytes;
  json["setup_bytes"] = artifact.setup_bytes;
  json["code_bytes"] = artifact.code.size();
  return json;
}

Json HostJson(const HostFacts& host) {
  Json json;
  json["kind"] = "cpu";
  json["machine"] = host.machine;
  json["board"] = host.board;
  json["cpu_model"] = host.cpu_model;
  json["online_cpus"] = host.online_cpus;
  json["memory_bytes"] = host.memory_bytes;
  json["largest_cache_bytes"] = host.largest_cache_bytes;
  json["kernel"] = host.kernel;
  json["governor"] = host.governor;
  json["usable_cpus"] = host.usable_cpus;
  return json;
}

Json TimingJson(const BenchTiming& timing) {
  Json json;
  json["warmup"] = timing.warmup;
  json["number"] = timing.number;
  json["repeat"] = timing.repeat;
  json["min_repeat_ms"] = timing.min_repeat_ms;
  json["cooldown_ms"] = timing.cooldown_ms;
  json["flush_cache_bytes"] = timing.flush_cache_bytes;
  json["per_op"] = timing.per_op;
  return json;
}

std::vector<double> Millis(const std::vector<double>& nanos) {
  std::vector<double> millis;
  for (double n : nanos) millis.push_back(n / 1e6);
  return millis;
}

Json PerOpJson(const BenchReport& report) {
  Json json = Json::array();
  for (size_t i = 0; i < report.result.op_samples_ns.size(); ++i) {
    const KernelCall& call = report.artifact->calls[i];
    Json op;
    op["kernel"] = call.symbol;
    op["kind"] = call.kind;
    op["sources"] = call.sources;
    op["flops"] = call.flops;
    op["bytes"] = call.bytes;
    op["samples_ms"] = Millis(report.result.op_samples_ns[i]);
    json.push_back(std::move(op));
  }
  return json;
}

}  // namespace

std::string ToJson(const BenchReport& report) {
  Json json;
  json["schema_version"] = kBenchSchemaVersion;
  json["artifact"] = ArtifactJson(*report.artifact);
  json["device"] = HostJson(report.host);
  json["threads"] = report.threads;
  json["load_ms"] = static_cast<double>(report.load_nanos) / 1e6;
  json["peak_rss_bytes"] = report.peak_resident_bytes.has_value()
                               ? Json(*report.peak_resident_bytes)
                               : Json(nullptr);
  json["options"] = TimingJson(report.timing);
  json["inputs"] = report.inputs;
  json["inputs_digest"] = report.inputs_digest;
  json["output_digest"] = TensorsDigest(report.result.outputs);
  json["numbers"] = report.result.numbers;
  json["samples_ms"] = Millis(report.result.samples_ns);
  if (report.timing.per_op) json["per_op"] = PerOpJson(report);
  // Names in models need not be UTF-8; invalid bytes become U+FFFD.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::runtime
