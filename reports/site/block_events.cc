#include "reports/site/block_events.h"

#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/base/casts.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "reports/store/summary/texts.h"

namespace assay::reports {
namespace {

// The form in which a block is kept: fixed parts, and each text once.
struct KeptEvent {
  uint32_t cell, run, run_before, found;
  float change, lower, upper;
  uint32_t what, reason;
  uint8_t metric, causes, flags, unused;
};
static_assert(sizeof(KeptEvent) == 40);

constexpr Cause kCauses[] = {Cause::kCode, Cause::kLayout, Cause::kMachine,
                             Cause::kMethod};

std::optional<std::vector<SiteMachineNight>> ParseNights(
    const std::string& text) {
  std::vector<SiteMachineNight> nights;
  for (const absl::string_view line :
       absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    SiteMachineNight n;
    uint64_t level = 0;
    uint32_t values[4];
    if (words.size() != 7 || !absl::SimpleAtoi(words[0], &n.run) ||
        !absl::SimpleAtoi(words[1], &n.unchanged) ||
        !absl::SimpleHexAtoi(words[2], &level)) {
      return std::nullopt;
    }
    for (size_t i = 0; i < 4; ++i) {
      if (!absl::SimpleHexAtoi(words[3 + i], &values[i])) return std::nullopt;
    }
    n.level = absl::bit_cast<double>(level);
    n.movement = absl::bit_cast<float>(values[0]);
    n.lower = absl::bit_cast<float>(values[1]);
    n.upper = absl::bit_cast<float>(values[2]);
    n.noise = absl::bit_cast<float>(values[3]);
    nights.push_back(n);
  }
  return nights;
}

}  // namespace

std::string FormatBlock(const BlockEvents& block, const StoreSummary& store,
                        uint32_t first) {
  Texts texts;
  std::vector<KeptEvent> kept;
  for (const auto& [cell, e] : block.events) {
    uint8_t causes = 0;
    for (size_t i = 0; i < std::size(kCauses); ++i) {
      if (e.causes.Has(kCauses[i])) causes |= static_cast<uint8_t>(1u << i);
    }
    const auto flags =
        static_cast<uint8_t>((e.other_machine ? 1 : 0) | (e.shift ? 2 : 0) |
                             (e.published ? 4 : 0) | (e.improved ? 8 : 0));
    kept.push_back({texts.NumberOf(store.cells()[cell].name), e.run,
                    e.run_before, e.found - first, e.change, e.lower, e.upper,
                    texts.NumberOf(e.what), texts.NumberOf(e.reason),
                    static_cast<uint8_t>(e.metric), causes, flags, 0});
  }
  nlohmann::json head = {{"texts", nlohmann::json::array()},
                         {"machines", nlohmann::json::object()}};
  for (size_t i = 0; i < texts.size(); ++i) {
    head["texts"].push_back(texts.Text(static_cast<uint32_t>(i)));
  }
  for (const auto& [machine, nights] : block.machines) {
    head["machines"][machine] = std::string();
    std::string& bytes = head["machines"][machine].get_ref<std::string&>();
    for (const SiteMachineNight& n : nights) {
      absl::StrAppend(&bytes, n.run, " ", n.unchanged, " ",
                      absl::Hex(absl::bit_cast<uint64_t>(n.level)));
      for (const float value : {n.movement, n.lower, n.upper, n.noise}) {
        absl::StrAppend(&bytes, " ",
                        absl::Hex(absl::bit_cast<uint32_t>(value)));
      }
      bytes += "\n";
    }
  }
  std::string text =
      head.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text += '\0';
  text.append(reinterpret_cast<const char*>(kept.data()),
              kept.size() * sizeof(KeptEvent));
  return text;
}

std::optional<BlockEvents> ParseBlock(
    const std::string& text, uint32_t first,
    const absl::flat_hash_map<std::string, size_t>& cells) {
  const size_t end = text.find('\0');
  if (end == std::string::npos ||
      (text.size() - end - 1) % sizeof(KeptEvent) != 0) {
    return std::nullopt;
  }
  const nlohmann::json head =
      nlohmann::json::parse(text.begin(), text.begin() + end, nullptr, false);
  if (!head.is_object() || !head["texts"].is_array() ||
      !head["machines"].is_object()) {
    return std::nullopt;
  }
  BlockEvents block;
  std::deque<std::string>& texts = block.texts;
  for (const auto& t : head["texts"]) {
    if (!t.is_string()) return std::nullopt;
    texts.push_back(t.get<std::string>());
  }
  // The cells that texts name, of those that were looked up.
  std::vector<std::optional<size_t>> cell_of(texts.size());
  std::vector<KeptEvent> kept((text.size() - end - 1) / sizeof(KeptEvent));
  if (!kept.empty()) {
    std::memcpy(kept.data(), text.data() + end + 1,
                kept.size() * sizeof(KeptEvent));
  }
  block.events.reserve(kept.size());
  for (const KeptEvent& k : kept) {
    if (k.cell >= texts.size() || k.what >= texts.size() ||
        k.reason >= texts.size() ||
        k.metric > static_cast<uint8_t>(Metric::kReference)) {
      return std::nullopt;
    }
    if (!cell_of[k.cell].has_value()) {
      const auto cell = cells.find(texts[k.cell]);
      if (cell == cells.end()) return std::nullopt;
      cell_of[k.cell] = cell->second;
    }
    SiteEvent e;
    e.run = k.run;
    e.run_before = k.run_before;
    e.found = k.found + first;
    e.metric = static_cast<Metric>(k.metric);
    for (size_t i = 0; i < std::size(kCauses); ++i) {
      if ((k.causes & (1u << i)) != 0) e.causes.Add(kCauses[i]);
    }
    e.other_machine = (k.flags & 1) != 0;
    e.shift = (k.flags & 2) != 0;
    e.published = (k.flags & 4) != 0;
    e.improved = (k.flags & 8) != 0;
    e.change = k.change;
    e.lower = k.lower;
    e.upper = k.upper;
    e.what = texts[k.what];
    e.reason = texts[k.reason];
    block.events.emplace_back(*cell_of[k.cell], e);
  }
  for (const auto& [machine, nights] : head["machines"].items()) {
    if (!nights.is_string()) return std::nullopt;
    auto parsed = ParseNights(nights.get<std::string>());
    if (!parsed.has_value()) return std::nullopt;
    block.machines[machine] = *std::move(parsed);
  }
  return block;
}

}  // namespace assay::reports
