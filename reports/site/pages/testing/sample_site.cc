#include "reports/site/pages/testing/sample_site.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "reports/site/pages/pages.h"
#include "reports/site/pages/testing/sample_cell.h"
#include "runtime/base/file.h"
#include "runtime/base/random.h"
#include "runtime/base/status_macros.h"

namespace assay::reports::site {
namespace {

// Adds the columns of front.js for one cell.
void AddCell(const Sample& sample, int cell, std::map<std::string, int>& ids,
             Json& strings, Json& columns, std::string& spark) {
  const auto index = [&](const std::string& text) {
    const auto [at, is_new] = ids.try_emplace(text, ids.size());
    if (is_new) strings.push_back(text);
    return at->second;
  };
  const int nights = sample.size().nights;
  const int status = sample.Status(cell);
  columns["suite"].push_back(index(sample.Suite(cell)));
  columns["model"].push_back(index(sample.Model(cell)));
  columns["device"].push_back(index(sample.Device(cell)));
  columns["variant"].push_back(index(sample.VariantText(cell)));
  columns["threads"].push_back(sample.Threads(cell));
  columns["status"].push_back(status);
  columns["reason"].push_back(
      index(cell == 1   ? "max|err| 0.2, tolerance 3.7e-04"
            : cell == 2 ? "the device ended the connection"
                        : ""));
  const bool judged = sample.Change(cell) != 0 || status >= kEquivalent;
  const double change = sample.Change(cell) +
                        (sample.Change(cell) == 0 ? 0.0007 * (cell % 5) : 0);
  columns["change"].push_back(judged ? Json(Rounded(change)) : Json());
  columns["lower"].push_back(judged ? Json(Rounded(change - 0.004)) : Json());
  columns["upper"].push_back(judged ? Json(Rounded(change + 0.004)) : Json());
  columns["published"].push_back(status == kRegressed ? sample.Step(cell) : -1);
  columns["acknowledged"].push_back(cell == 3 ? 0 : -1);
  if (!sample.IsTimed(cell)) {
    for (const char* name : {"median_ms", "spark_lo", "spark_hi"}) {
      columns[name].push_back(nullptr);
    }
    spark.append(kSparkNights, '\xff');
    return;
  }
  std::vector<double> ms;
  for (int night = nights - kSparkNights; night < nights; ++night) {
    ms.push_back(night < 0 ? NAN : sample.Median(cell, night));
  }
  double lo = HUGE_VAL;
  double hi = 0;
  for (const double value : ms) {
    if (std::isnan(value)) continue;
    lo = std::min(lo, value);
    hi = std::max(hi, value);
  }
  for (const double value : ms) {
    spark +=
        std::isnan(value)
            ? '\xff'
            : static_cast<char>(std::lround((value - lo) / (hi - lo) * 254));
  }
  columns["median_ms"].push_back(Rounded(ms.back()));
  columns["spark_lo"].push_back(Rounded(lo));
  columns["spark_hi"].push_back(Rounded(hi));
}

Json FrontFile(const Sample& sample) {
  const int nights = sample.size().nights;
  Json front;
  front["version"] = 1;
  front["generated"] = NightTime(nights);
  front["store"] = "sample";
  front["nights"] = nights;
  front["newest"] = {{"run", nights - 1},
                     {"started_at", NightTime(nights - 1)},
                     {"commit", SampleCommit(nights - 1)},
                     {"devices", {"host", "rpi3b"}}};
  front["strings"] = Json::array();
  Json columns;
  for (const char* name :
       {"suite", "model", "device", "variant", "threads", "status", "reason",
        "median_ms", "change", "lower", "upper", "published", "acknowledged",
        "spark_lo", "spark_hi"}) {
    columns[name] = Json::array();
  }
  std::map<std::string, int> ids;
  std::string spark;
  std::vector<int> attention;
  front["improvements"] = Json::array();
  std::map<std::string, Json> census;
  for (int cell = 0; cell < sample.size().cells; ++cell) {
    AddCell(sample, cell, ids, front["strings"], columns, spark);
    const int status = sample.Status(cell);
    if (status <= kRegressed) attention.push_back(cell);
    if (status == kImproved) front["improvements"].push_back(cell);
    Json& suite = census[sample.Suite(cell)];
    if (suite.is_null()) {
      suite = {{"suite", sample.Suite(cell)},
               {"cells", 0},
               {"judged", 0},
               {"not_judged", Json::object()}};
    }
    suite["cells"] = suite["cells"].get<int>() + 1;
    if (status == kInconclusive || status == kNoBaseline) {
      const std::string name =
          SampleStatuses()[static_cast<size_t>(status)]["name"];
      suite["not_judged"][name] = suite["not_judged"].value(name, 0) + 1;
    } else {
      suite["judged"] = suite["judged"].get<int>() + 1;
    }
  }
  std::sort(attention.begin(), attention.end(), [&](int a, int b) {
    return std::pair(sample.Status(a), a) < std::pair(sample.Status(b), b);
  });
  columns["spark"] = absl::Base64Escape(spark);
  front["cells"] = columns;
  front["statuses"] = SampleStatuses();
  front["attention"] = attention;
  front["acknowledgements"] = {{{"kind", "bless"},
                                {"cell", "resnet18/host/*"},
                                {"author", "ada"},
                                {"reason", "the new tiling is meant"},
                                {"made_at", NightTime(nights - 3)},
                                {"until", NightTime(nights + 30)}}};
  front["devices"] = {{{"key", "host-x86"},
                       {"name", "host"},
                       {"cells", sample.size().cells * 4 / 5},
                       {"last_seen", NightTime(nights - 1)},
                       {"state", "quiet"}},
                      {{"key", "rpi3b"},
                       {"name", "rpi3b"},
                       {"cells", sample.size().cells / 5},
                       {"last_seen", NightTime(nights - 1)},
                       {"state", "throttled"}}};
  front["commits"] = Json::array();
  for (int night = std::max(0, nights - 200); night < nights; ++night) {
    front["commits"].push_back({{"sha", SampleCommit(night)},
                                {"started_at", NightTime(night)},
                                {"run", night},
                                {"published", night == sample.Step(0) ? 1 : 0},
                                {"improved", night % 37 == 3 ? 2 : 0}});
  }
  front["bisections"] = {{{"name", "night-7"},
                          {"status", "found"},
                          {"cell", "resnet18/host/fusion_on/threads_1"},
                          {"culprit", SampleCommit(sample.Step(0))},
                          {"change", "2.1 % slower [1.7 %, 2.5 %]"}}};
  front["census"] = Json::array();
  for (auto& [name, suite] : census) front["census"].push_back(suite);
  return front;
}

Json RunFile(const Sample& sample, int run) {
  std::string medians;
  std::string verdicts;
  for (int cell = 0; cell < sample.size().cells; ++cell) {
    const float ms = sample.IsTimed(cell)
                         ? static_cast<float>(sample.Median(cell, run))
                         : NAN;
    char bytes[sizeof ms];
    std::memcpy(bytes, &ms, sizeof ms);
    medians.append(bytes, sizeof ms);
    verdicts += static_cast<char>(run >= sample.Step(cell) ? sample.Status(cell)
                                                           : int{kPass});
  }
  return {{"run", run},
          {"started_at", NightTime(run)},
          {"commit", SampleCommit(run)},
          {"medians", absl::Base64Escape(medians)},
          {"verdicts", absl::Base64Escape(verdicts)}};
}

Json CommitFile(const Sample& sample, int night) {
  Json json = {{"sha", SampleCommit(night)},
               {"runs", {night}},
               {"runs_before", Json::array()},
               {"subject", nullptr},
               {"author", nullptr},
               {"date", nullptr},
               {"events", Json::array()},
               {"bisections", Json::array()},
               {"kernels", Json::array()}};
  if (night > 0) json["runs_before"].push_back(night - 1);
  for (int cell = 0; cell < sample.size().cells; ++cell) {
    if (sample.Step(cell) != night || sample.Change(cell) == 0) continue;
    json["events"].push_back(ChangeEvent(sample, cell, night));
    json["kernels"].push_back(
        {{"cell", cell}, {"kernel", "k006_conv2d_relu"}, {"causes", {"code"}}});
  }
  if (night == sample.Step(0)) {
    json["subject"] = absl::StrCat("Tile clip by 14 ", kHostileName);
    json["author"] = "Ada <ada@example.org>";
    json["date"] = NightTime(night).substr(0, 10);
    json["bisections"] = {"night-7"};
  }
  return json;
}

Json DeviceFile(const Sample& sample, const std::string& key) {
  Json json = {{"key", key}};
  for (const char* name : {"runs", "noise", "level", "canary", "temperature",
                           "throttled", "disturbed", "rows"}) {
    json[name] = Json::array();
  }
  for (int night = 0; night < sample.size().nights; ++night) {
    Rng rng(static_cast<uint64_t>(night) + 17);
    json["runs"].push_back(night);
    json["noise"].push_back(Rounded(0.003 + 0.002 * rng.UniformFloat(0, 1)));
    json["level"].push_back(
        Rounded(0.004 * std::sin(night / 9.0) +
                (night >= sample.size().nights / 2 ? 0.006 : 0)));
    json["canary"].push_back(night % 23 == 7 ? 0.9 : 1.0);
    json["temperature"].push_back(std::lround(48 + rng.NormalFloat(0, 2)));
    json["rows"].push_back(sample.size().cells);
    json["throttled"].push_back(night % 41 == 0 ? 3 : 0);
    json["disturbed"].push_back(rng.UniformInt(0, 4));
  }
  json["facts"] = {{"cpu", "AMD EPYC 9V74"}, {"governor", "performance"}};
  json["boards"] = {{{"name", "board-1"},
                     {"rows", 1200},
                     {"last_seen", NightTime(sample.size().nights - 1)}}};
  json["changes"] = {{{"run", sample.size().nights / 2},
                      {"what", "kernel: 6.1.0-25, before 6.1.0-22"}}};
  return json;
}

Json BisectionFile(const Sample& sample) {
  const int step = sample.Step(0);
  const Json suspect = {
      {"commit", SampleCommit(step)},
      {"author", "Ada <ada@example.org>"},
      {"date", NightTime(step).substr(0, 10)},
      {"subject", absl::StrCat("Tile clip by 14 ", kHostileName)}};
  const Json finding = {
      {"suspects", {suspect}},
      {"before", SampleCommit(step - 1)},
      {"after", SampleCommit(step)},
      {"confirmed", true},
      {"error", 0.0004},
      {"change", "2.1 % slower [1.7 %, 2.5 %]"},
      {"reproduce",
       absl::StrCat("./bazelw run //ci:gate -- --base=", SampleCommit(step - 1),
                    " --head=", SampleCommit(step),
                    " --suite=full --cells=resnet18/host/fusion_on/threads_1")},
      {"relative_change", 0.021},
      {"lower", 0.017},
      {"upper", 0.025},
      {"folder", "/srv/bisect/7"},
      {"kernel", "k006_conv2d_relu (layer1.0.conv1, layer1.0.relu)"},
      {"kernel_ms", 0.2331},
      {"whole_ms", 0.2394},
      {"cause", "schedule: clip.split(i2, 28) -> clip.split(i2, 14)"},
      {"work", "more work: instructions +4.0 %, bytes +0.0 %"}};
  return {{"good", SampleCommit(step - 9)},
          {"bad", SampleCommit(step)},
          {"suite", "full"},
          {"builds", 5},
          {"building_s", 431.0},
          {"cells",
           {{{"cell", "resnet18/host/fusion_on/threads_1"},
             {"metric", "latency"},
             {"status", "found"},
             {"reason", ""},
             {"candidates", 4},
             {"measurements", 2},
             {"measuring_s", 13.0},
             {"findings", {finding}}},
            {{"cell", "mobilenet_v1/host/fusion_on/threads_1"},
             {"metric", "latency"},
             {"status", "not_reproduced"},
             {"reason", "the bad end is not slower"},
             {"candidates", 4},
             {"measurements", 1},
             {"measuring_s", 9.0},
             {"findings", Json::array()}}}},
          {"branches", Json::array()}};
}

}  // namespace

absl::Status WriteSampleSite(const std::string& folder,
                             const SampleSize& size) {
  const Sample sample(size);
  const std::string data = JoinPath(folder, "data");
  for (const char* part :
       {"cells", "tails", "runs", "commits", "devices", "bisections"}) {
    ASSAY_RETURN_IF_ERROR(MakeDirs(JoinPath(data, part)));
  }
  for (const PageFile& file : PageFiles()) {
    ASSAY_RETURN_IF_ERROR(
        WriteFileAtomic(JoinPath(folder, file.name), file.contents));
  }
  const auto write = [&](const std::string& name, const char* kind,
                         const Json& value) {
    return WriteFileAtomic(
        JoinPath(data, name + ".js"),
        absl::StrCat("assay.load(\"", kind, "\", ", value.dump(), ");\n"));
  };
  ASSAY_RETURN_IF_ERROR(write("front", "front", FrontFile(sample)));
  Json nights = {{"runs", Json::array()}};
  for (int night = 0; night < size.nights; ++night) {
    nights["runs"].push_back(
        {{"started_at", NightTime(night)},
         {"commit", SampleCommit(night)},
         {"suites", {"full", "kernels"}},
         {"host", "bench-1"},
         {"changes", night == size.nights / 2
                         ? "kernel: 6.1.0-25, before 6.1.0-22"
                         : ""}});
  }
  ASSAY_RETURN_IF_ERROR(write("nights", "nights", nights));
  for (int cell = 0; cell < std::min(size.cells, size.cell_files); ++cell) {
    ASSAY_RETURN_IF_ERROR(
        write(absl::StrCat("cells/", cell), "cell", CellFile(sample, cell)));
    if (cell % kTailCells != 0) continue;
    ASSAY_RETURN_IF_ERROR(write(absl::StrCat("tails/", cell / kTailCells),
                                "tail", TailFile(sample, cell / kTailCells)));
  }
  for (int run = std::max(0, size.nights - size.run_files); run < size.nights;
       ++run) {
    ASSAY_RETURN_IF_ERROR(
        write(absl::StrCat("runs/", run), "run", RunFile(sample, run)));
    ASSAY_RETURN_IF_ERROR(
        write(absl::StrCat("commits/", SampleCommit(run).substr(0, 12)),
              "commit", CommitFile(sample, run)));
  }
  for (const char* key : {"host-x86", "rpi3b"}) {
    ASSAY_RETURN_IF_ERROR(write(absl::StrCat("devices/", key), "device",
                                DeviceFile(sample, key)));
  }
  return write("bisections/night-7", "bisection", BisectionFile(sample));
}

}  // namespace assay::reports::site
