#include "reports/site/pages/testing/sample_cell.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "reports/site/pages/pages.h"

namespace assay::reports::site {

Json ChangeEvent(const Sample& sample, int cell, int night) {
  const double change = sample.Change(cell);
  return {{"cell", cell},
          {"night", night},
          {"metric", "latency"},
          {"causes", {"code"}},
          {"what", "code of 1 of 26 kernels: k006_conv2d_relu"},
          {"change", Rounded(change)},
          {"lower", Rounded(change - 0.004)},
          {"upper", Rounded(change + 0.004)},
          {"published", sample.Status(cell) == kRegressed},
          {"reason", "measured side by side with the night before"},
          {"commit_before", SampleCommit(night - 1)},
          {"commit", SampleCommit(night)}};
}

namespace {

constexpr int kTail = 64;
constexpr int kKernels = 13;

// The events of a cell in the nights [first, end).
Json Events(const Sample& sample, int cell, int first, int end) {
  Json events = Json::array();
  const int half = sample.size().nights / 2;
  if (half >= first && half < end) {
    events.push_back({{"night", half},
                      {"metric", "latency"},
                      {"causes", {"machine"}},
                      {"what", "kernel: 6.1.0-25, before 6.1.0-22"},
                      {"change", nullptr},
                      {"lower", nullptr},
                      {"upper", nullptr},
                      {"published", false},
                      {"reason", "the program is the same"},
                      {"commit_before", SampleCommit(half - 1)},
                      {"commit", SampleCommit(half)}});
  }
  const int step = sample.Step(cell);
  if (sample.Change(cell) != 0 && step >= first && step < end) {
    events.push_back(ChangeEvent(sample, cell, step));
  }
  return events;
}

Json Columns(const Sample& sample, int cell, int first, int end) {
  const std::vector<const char*> names = {"run",   "median", "lower",
                                          "upper", "p99",    "reference",
                                          "load",  "memory", "instructions"};
  std::map<std::string, Json> columns;
  for (const char* name : names) columns[name] = Json::array();
  for (int night = first; night < end && sample.IsTimed(cell); ++night) {
    const double ms = sample.Median(cell, night);
    columns["run"].push_back(night);
    columns["median"].push_back(Rounded(ms));
    columns["lower"].push_back(Rounded(ms * 0.996));
    columns["upper"].push_back(Rounded(ms * 1.005));
    columns["p99"].push_back(Rounded(ms * (1.12 + 0.01 * (night % 7))));
    columns["reference"].push_back(
        Rounded(ms * 1.31 * (1 + 0.004 * (night % 5))));
    columns["load"].push_back(Rounded(ms * 4 + 0.02 * (night % 11)));
    columns["memory"].push_back(4'014'080 + (night > 40 ? 65'536 : 0));
    columns["instructions"].push_back(Rounded(ms * 6.1e6));
  }
  Json json;
  for (const char* name : names) json[name] = std::move(columns[name]);
  return json;
}

Json Kernels(const Sample& sample, int cell, int first, int end) {
  Json kernels = {{"names", Json::array()},
                  {"kinds", Json::array()},
                  {"runs", Json::array()},
                  {"ms", Json::array()}};
  for (int k = 0; k + 1 < kKernels; ++k) {
    kernels["names"].push_back(absl::StrFormat("k%03d_conv2d_relu", k * 2));
    kernels["kinds"].push_back(k % 3 == 0 ? "convolution, direct"
                                          : "convolution, Winograd");
  }
  kernels["names"].push_back("others");
  kernels["kinds"].push_back("");
  for (int night = std::max(first, end - 200); night < end; ++night) {
    kernels["runs"].push_back(night);
    // The fourth kernel accounts for the change of the program.
    const double ms = sample.Median(cell, night);
    const double change = night >= sample.Step(cell) ? sample.Change(cell) : 0;
    const double before = ms / (1 + change);
    Json times = Json::array();
    for (int k = 0; k < kKernels; ++k) {
      times.push_back(Rounded(before * 0.2 * std::exp(-0.22 * k) +
                              (k == 3 ? ms - before : 0)));
    }
    kernels["ms"].push_back(times);
  }
  return kernels;
}

// The times of the kernel that accounts for the change, and of one that does
// not.
Json Attribution(const Sample& sample, int cell) {
  const double base = sample.Median(cell, 0);
  const double kernel = base * 0.2 * std::exp(-0.22 * 3);
  const double change = base * sample.Change(cell);
  Json json = Json::array();
  json.push_back(
      {{"kernel", "k006_conv2d_relu (layer1.0.conv1, layer1.0.relu)"},
       {"base_ms", Rounded(kernel)},
       {"run_ms", Rounded(kernel + change)},
       {"change", Rounded(change)},
       {"lower", Rounded(change * 0.94)},
       {"upper", Rounded(change * 1.06)},
       {"same_code", false},
       {"cause", "schedule: clip.split(i2, 28) -> clip.split(i2, 14)"},
       {"work", "more work: instructions +4.0 %, bytes +0.0 %"}});
  json.push_back({{"kernel", cell == 4 ? kHostileName : "k012_conv2d_relu"},
                  {"base_ms", Rounded(kernel / 2)},
                  {"run_ms", Rounded(kernel / 2)},
                  {"change", 0.0},
                  {"lower", -0.0004},
                  {"upper", nullptr},
                  {"same_code", true},
                  {"cause", ""},
                  {"work", ""}});
  return json;
}

Json Artifacts(const Sample& sample, int cell, int first, int end) {
  Json artifacts = Json::array();
  for (const int night : {0, sample.Step(cell)}) {
    if (night < first || night >= end) continue;
    artifacts.push_back({{"night", night},
                         {"digest", std::string(64, night == 0 ? 'a' : 'b')}});
  }
  return artifacts;
}

// The first night of the tail.
int TailBegin(const Sample& sample) {
  return std::max(0, sample.size().nights - kTail);
}

void AddHistory(const Sample& sample, int cell, int first, int end,
                Json& json) {
  json["nights"] = Columns(sample, cell, first, end);
  json["events"] = Events(sample, cell, first, end);
  json["artifacts"] = Artifacts(sample, cell, first, end);
  if (sample.IsTimed(cell)) json["kernels"] = Kernels(sample, cell, first, end);
}

Json Tail(const Sample& sample, int cell) {
  const int nights = sample.size().nights;
  Json json = {{"id", cell},
               {"name", sample.Name(cell)},
               {"from", TailBegin(sample)},
               {"older", sample.IsTimed(cell) ? TailBegin(sample) : 0}};
  AddHistory(sample, cell, TailBegin(sample), nights, json);
  json["suite"] = sample.Suite(cell);
  json["model"] = sample.Model(cell);
  json["device"] = sample.Device(cell);
  json["variant"] = {{"fusion", cell / 2 % 2 == 0 ? "on" : "off"},
                     {"tuning", cell / 4 % 2 == 0 ? "none" : "tuned"}};
  json["threads"] = sample.Threads(cell);
  json["facts"] = Json::array();
  for (const auto& [label, text] :
       std::vector<std::pair<const char*, const char*>>{
           {"artifact", "8c41d90b7f6e2a35"},
           {"size", "46.88 MB"},
           {"max|err|", "1.3e-05, tolerance 3.7e-04"},
           {"target", "x86_64-avx512"},
           {"machine", "AMD EPYC, 2 cores, kernel 6.1.0-25"},
           {"policy", "20 loads of 12 samples"}}) {
    json["facts"].push_back({label, text});
  }
  json["reproduce"] = absl::StrCat(
      "./bazelw run //suites:full -- --device=host --cells='",
      sample.Model(cell) == kHostileName ? "*" : sample.Model(cell),
      "/host/fusion_on/threads_1' --against=", SampleCommit(nights - 2));
  json["reason"] = cell == 2   ? "the device ended the connection"
                   : cell == 4 ? kHostileName
                               : "";
  json["levels"] = Json::array();
  if (sample.Change(cell) != 0) {
    const double before = sample.Median(cell, sample.Step(cell) - 1);
    json["levels"].push_back(
        {{"night", sample.Step(cell)},
         {"before", Rounded(before)},
         {"after", Rounded(before * (1 + sample.Change(cell)))},
         {"change", Rounded(sample.Change(cell))}});
  }
  json["attribution"] = Attribution(sample, cell);
  json["siblings"] = Json::array();
  for (int other = cell / 8 * 8; other < cell / 8 * 8 + 8; ++other) {
    if (other != cell && other < sample.size().cells &&
        sample.Model(other) == sample.Model(cell)) {
      json["siblings"].push_back(other);
    }
  }
  json["acknowledgements"] = Json::array();
  if (cell == 3) {
    json["acknowledgements"].push_back({{"kind", "bless"},
                                        {"author", "ada"},
                                        {"reason", "the new tiling is meant"},
                                        {"made_at", NightTime(nights - 3)},
                                        {"until", ""},
                                        {"silent", true}});
  }
  if (cell == 3) json["trace"] = "traces/3.json";
  json["bisections"] = Json::array();
  if (cell == 0) json["bisections"].push_back("night-7");
  return json;
}

}  // namespace

Json CellFile(const Sample& sample, int cell) {
  Json json = {{"id", cell}, {"name", sample.Name(cell)}};
  AddHistory(sample, cell, 0, TailBegin(sample), json);
  return json;
}

Json TailFile(const Sample& sample, int group) {
  Json json = {{"group", group}, {"cells", Json::array()}};
  for (int cell = group * kTailCells;
       cell < std::min((group + 1) * kTailCells, sample.size().cells); ++cell) {
    json["cells"].push_back(Tail(sample, cell));
  }
  return json;
}

}  // namespace assay::reports::site
