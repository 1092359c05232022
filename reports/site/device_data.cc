#include "reports/site/device_data.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "reports/history/change.h"
#include "reports/result/canary.h"
#include "reports/site/data_script.h"
#include "reports/store/summary/summarize.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

void AddRow(const RowSummary& row, SiteDevice::Night& night) {
  ++night.rows;
  if (row.Has(RowSummary::kThrottled)) ++night.throttled;
  if (row.Has(RowSummary::kDisturbed)) ++night.disturbed;
  night.temperature = std::max<int>(night.temperature, row.temperature);
  for (auto& [machine, rows] : night.machines) {
    if (machine != row.machine) continue;
    ++rows;
    return;
  }
  night.machines.emplace_back(row.machine, 1);
}

std::string KeyOf(const std::string& name, const std::set<std::string>& used) {
  std::string key = name.substr(0, 60);
  for (char& c : key) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '.' &&
        c != '_' && c != '-') {
      c = '_';
    }
  }
  // A name of dots would be a folder.
  if (key.empty() || key[0] == '.') key = "_" + key;
  std::string unique = key;
  for (int i = 2; used.count(unique) > 0; ++i) {
    unique = absl::StrCat(key, "_", i);
  }
  return unique;
}

absl::StatusOr<Row> MachineRow(const SiteModel& model, uint32_t machine) {
  Row row;
  ASSAY_ASSIGN_OR_RETURN(const std::string* text, model.store().Text(machine));
  ASSAY_RETURN_IF_ERROR(ParseMachineText(*text, &row));
  return row;
}

// The night of the machine that measured most of the device's rows.
absl::StatusOr<const SiteMachineNight*> MachineNightOf(
    const SiteModel& model, uint32_t run, const SiteDevice::Night& night) {
  const SiteMachineNight* best = nullptr;
  for (const auto& [machine, rows] : night.machines) {
    ASSAY_ASSIGN_OR_RETURN(const Row row, MachineRow(model, machine));
    const auto nights = model.events.machines.find(MachineOf(row));
    if (nights == model.events.machines.end()) continue;
    const auto at = std::lower_bound(
        nights->second.begin(), nights->second.end(), run,
        [](const SiteMachineNight& n, uint32_t r) { return n.run < r; });
    if (at == nights->second.end() || at->run != run) continue;
    if (best == nullptr || at->unchanged > best->unchanged) best = &*at;
  }
  return best;
}

// The share of the canary's trials on these boards whose verdict is right.
float CanaryOf(const RunResult& run, const std::set<std::string>& boards) {
  int64_t trials = 0;
  int64_t sound = 0;
  for (const CanaryTrial& trial : run.canary) {
    if (boards.count(trial.board) == 0) continue;
    ++trials;
    if (IsSound({trial}, trial.threads, trial.board)) ++sound;
  }
  return trials == 0 ? kNoValue
                     : static_cast<float>(sound) / static_cast<float>(trials);
}

// Returns the changes of the device, by run. Each is the shortest of the texts
// of the cells that did not change themselves.
std::map<uint32_t, std::string> ChangesOf(const SiteModel& model,
                                          const SiteDevice& device) {
  std::map<uint32_t, std::string> changes;
  for (const SiteCell& cell : model.cells) {
    if (cell.cell == nullptr || cell.cell->key.device != device.name) continue;
    for (const SiteEvent& event : *cell.events) {
      if (event.metric != Metric::kLatency || event.shift ||
          !event.causes.same_program()) {
        continue;
      }
      std::string& what = changes[event.run];
      if (what.empty() || event.what.size() < what.size()) {
        what = std::string(event.what);
      }
    }
  }
  return changes;
}

std::string StateOf(const SiteModel& model, const SiteDevice& device) {
  if (device.nights.empty()) return "never seen";
  if (!device.in_newest_run) return "not in the newest run";
  const SiteDevice::Night& newest = device.nights.rbegin()->second;
  std::vector<std::string> words;
  if (newest.throttled > 0) words.push_back("throttled");
  if (newest.disturbed > 0) words.push_back("disturbed");
  std::set<std::string> boards = {""};
  for (const auto& [board, seen] : device.boards) boards.insert(board);
  if (CanaryOf(model.runs().back().header, boards) < 1) {
    words.push_back("canary failed");
  }
  return words.empty() ? "ok" : absl::StrJoin(words, ", ");
}

}  // namespace

absl::StatusOr<std::vector<SiteDevice>> SiteDevices(const SiteModel& model) {
  std::map<std::string, SiteDevice> devices;
  std::vector<SiteDevice*> device_of;  // by cell
  for (const SummarizedCell& cell : model.store().cells()) {
    SiteDevice& device = devices[cell.key.device];
    ++device.cells;
    device_of.push_back(&device);
  }
  for (uint32_t run = 0; run < model.runs().size(); ++run) {
    for (const RowSummary& row : model.runs()[run].rows) {
      auto& nights = device_of[row.cell]->nights;
      // Runs follow each other, so the night is the last one.
      if (nights.empty() || nights.rbegin()->first != run) {
        nights.try_emplace(nights.end(), run);
      }
      AddRow(row, nights.rbegin()->second);
    }
  }
  std::vector<SiteDevice> result;
  std::set<std::string> keys;
  for (auto& [name, device] : devices) {
    device.name = name;
    device.key = KeyOf(name, keys);
    keys.insert(device.key);
    if (!device.nights.empty()) {
      const uint32_t last = device.nights.rbegin()->first;
      device.last_seen = model.runs()[last].header.started_at;
      device.in_newest_run = last + 1 == model.runs().size();
    }
    for (const auto& [run, night] : device.nights) {
      for (const auto& [machine, rows] : night.machines) {
        ASSAY_ASSIGN_OR_RETURN(const Row row, MachineRow(model, machine));
        if (row.board.empty()) continue;
        SiteDevice::Board& board = device.boards[row.board];
        board.rows += rows;
        board.last_run = run;
      }
    }
    device.state = StateOf(model, device);
    result.push_back(std::move(device));
  }
  return result;
}

absl::StatusOr<std::string> DeviceScript(const SiteModel& model,
                                         const SiteDevice& device) {
  std::vector<int64_t> runs;
  std::map<const char*, std::vector<float>> columns;
  std::set<std::string> boards;
  for (const auto& [board, seen] : device.boards) boards.insert(board);
  if (boards.empty()) boards.insert("");
  for (const auto& [run, night] : device.nights) {
    runs.push_back(run);
    ASSAY_ASSIGN_OR_RETURN(const SiteMachineNight* machine,
                           MachineNightOf(model, run, night));
    columns["noise"].push_back(machine == nullptr ? kNoValue : machine->noise);
    columns["level"].push_back(
        machine == nullptr ? kNoValue
                           : static_cast<float>(std::expm1(machine->level)));
    columns["canary"].push_back(CanaryOf(model.runs()[run].header, boards));
    columns["temperature"].push_back(
        night.temperature == 0 ? kNoValue
                               : static_cast<float>(night.temperature));
    columns["throttled"].push_back(static_cast<float>(night.throttled));
    columns["disturbed"].push_back(static_cast<float>(night.disturbed));
    columns["rows"].push_back(static_cast<float>(night.rows));
  }
  DataScript script("device");
  script.Json("key", device.key);
  script.Json("name", device.name);
  script.Integers("runs", runs);
  for (const char* name : {"noise", "level", "canary", "temperature",
                           "throttled", "disturbed", "rows"}) {
    script.Numbers(name, columns[name]);
  }
  SiteJson facts = SiteJson::object();
  facts["state"] = device.state;
  if (!device.nights.empty()) {
    const auto& [run, newest] = *device.nights.rbegin();
    for (const auto& [machine, rows] : newest.machines) {
      ASSAY_ASSIGN_OR_RETURN(const Row row, MachineRow(model, machine));
      facts["fingerprint"] = row.fingerprint;
      const RunResult& header = model.runs()[run].header;
      if (row.fingerprint != header.environment.fingerprint) continue;
      for (const auto* part :
           {&header.environment.identity, &header.environment.state}) {
        for (const auto& [key, value] : *part) facts[key] = value;
      }
    }
  }
  script.Json("facts", facts);
  SiteJson board_list = SiteJson::array();
  for (const auto& [name, board] : device.boards) {
    board_list.push_back(
        {{"name", name},
         {"rows", board.rows},
         {"last_seen", model.runs()[board.last_run].header.started_at}});
  }
  script.Json("boards", board_list);
  SiteJson changes = SiteJson::array();
  for (const auto& [run, what] : ChangesOf(model, device)) {
    changes.push_back({{"run", run}, {"what", what}});
  }
  script.Json("changes", changes);
  return std::move(script).Finish();
}

}  // namespace assay::reports
