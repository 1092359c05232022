#include "runtime/tools/count/count_report.h"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "runtime/base/check.h"
#include "runtime/text/text_table.h"
#include "runtime/tools/count/instruction_class.h"
#include "runtime/tools/count/region_counts.h"

namespace assay::runtime {
namespace {

using Json = nlohmann::ordered_json;

// The names of classes in JSON and CSV, by InstructionClass.
constexpr const char* kClassNames[kInstructionClasses] = {
    "vector_multiply_add",
    "scalar_multiply_add",
    "vector",
    "scalar",
    "load",
    "store",
    "branch",
    "other",
};

// Returns all numbers of a region with their names.
std::vector<std::pair<std::string, int64_t>> Fields(const RegionCounts& call) {
  std::vector<std::pair<std::string, int64_t>> fields = {
      {"instructions", call.Total()}};
  for (size_t i = 0; i < kInstructionClasses; ++i) {
    fields.push_back({kClassNames[i], call.instructions[i]});
  }
  fields.insert(fields.end(), {{"loads", call.loads},
                               {"stores", call.stores},
                               {"loaded_bytes", call.loaded_bytes},
                               {"stored_bytes", call.stored_bytes},
                               {"lines", call.lines}});
  return fields;
}

// Returns `-` if there is no quotient.
std::string Quotient(int64_t a, int64_t b) {
  if (b == 0) return "-";
  return absl::StrFormat("%.2f",
                         static_cast<double>(a) / static_cast<double>(b));
}

void AddRow(TextTable* table, const std::string& kernel,
            const std::string& kind, const RegionCounts& call,
            const std::string& lines) {
  const int64_t fmas = call.MultiplyAdds();
  table->AddRow({kernel, kind, absl::StrCat(call.Total()), absl::StrCat(fmas),
                 absl::StrCat(call.Vectors()), absl::StrCat(call.loads),
                 absl::StrCat(call.stores), absl::StrCat(call.Bytes()), lines,
                 Quotient(fmas, call.Total()), Quotient(call.Bytes(), fmas)});
}

std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  return absl::StrCat("\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
}

void CheckCalls(const Artifact& artifact, const KernelCounts& counts) {
  CHECK(counts.calls.size() == artifact.calls.size())
      << counts.calls.size() << " counts of " << artifact.calls.size()
      << " calls";
}

}  // namespace

std::string CountTable(const Artifact& artifact, const KernelCounts& counts) {
  CheckCalls(artifact, counts);
  constexpr TextTable::Side kRight = TextTable::kRight;
  TextTable table({{"kernel"},
                   {"kind"},
                   {"instructions", kRight},
                   {"fma", kRight},
                   {"vector", kRight},
                   {"loads", kRight},
                   {"stores", kRight},
                   {"bytes", kRight},
                   {"lines", kRight},
                   {"fma/instr", kRight},
                   {"bytes/fma", kRight}});
  RegionCounts sum;
  for (size_t i = 0; i < counts.calls.size(); ++i) {
    const RegionCounts& call = counts.calls[i];
    AddRow(&table, artifact.calls[i].symbol, artifact.calls[i].kind, call,
           absl::StrCat(call.lines));
    sum += call;
  }
  // Calls access the same lines, so the sum of lines would mean nothing.
  AddRow(&table, "all", "", sum, "-");
  return table.ToString();
}

std::string CountJson(const Artifact& artifact, const KernelCounts& counts) {
  CheckCalls(artifact, counts);
  Json json = {{"schema_version", kCountSchemaVersion},
               {"artifact", Digest(artifact)},
               {"metadata", artifact.metadata},
               {"machine", counts.machine},
               {"cpu", counts.cpu},
               {"calls", Json::array()}};
  for (size_t i = 0; i < counts.calls.size(); ++i) {
    const KernelCall& kernel = artifact.calls[i];
    Json call = {{"kernel", kernel.symbol},
                 {"kind", kernel.kind},
                 {"sources", kernel.sources},
                 {"code_digest", kernel.code_digest}};
    for (const auto& [name, value] : Fields(counts.calls[i])) {
      call[name] = value;
    }
    json["calls"].push_back(std::move(call));
  }
  return json.dump(2) + "\n";
}

std::string CountCsv(const Artifact& artifact, const KernelCounts& counts) {
  CheckCalls(artifact, counts);
  std::string csv = "kernel,kind";
  for (const auto& [name, value] : Fields(RegionCounts())) {
    absl::StrAppend(&csv, ",", name);
  }
  csv += "\n";
  for (size_t i = 0; i < counts.calls.size(); ++i) {
    absl::StrAppend(&csv, CsvField(artifact.calls[i].symbol), ",",
                    CsvField(artifact.calls[i].kind));
    for (const auto& [name, value] : Fields(counts.calls[i])) {
      absl::StrAppend(&csv, ",", value);
    }
    csv += "\n";
  }
  return csv;
}

}  // namespace assay::runtime
