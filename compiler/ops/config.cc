#include "compiler/ops/config.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::ops {
namespace {

using Json = nlohmann::json;

bool IsName(absl::string_view text) {
  if (text.empty() || absl::ascii_isdigit(text[0])) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return absl::ascii_isalnum(c) || c == '_'; });
}

absl::Status Bad(absl::string_view name, absl::string_view value,
                 absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("configuration entry `", name, "`: `", value, "` ", why));
}

// Checks the rules that hold for entities of every space.
absl::Status CheckEntity(absl::string_view name, const Entity& entity) {
  const std::string text = ToString(entity);
  if (const auto* split = std::get_if<SplitEntity>(&entity)) {
    if (split->sizes.size() < 2 || split->sizes[0] != -1) {
      return Bad(name, text, "is not a split, which is -1 and then factors");
    }
    for (size_t i = 1; i < split->sizes.size(); ++i) {
      if (split->sizes[i] < 1) {
        return Bad(name, text, "has a factor that is not positive");
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int64_t>> ReadInts(absl::string_view name,
                                              absl::string_view value,
                                              absl::string_view list) {
  std::vector<int64_t> result;
  for (absl::string_view part : absl::StrSplit(list, ',')) {
    int64_t number = 0;
    if (!absl::SimpleAtoi(part, &number)) {
      return Bad(name, value,
                 absl::StrCat("holds `", part, "`, which is not an integer"));
    }
    result.push_back(number);
  }
  return result;
}

absl::StatusOr<Entity> ReadEntity(absl::string_view name,
                                  absl::string_view value) {
  if (value.size() >= 2) {
    const char open = value.front(), close = value.back();
    const absl::string_view list = value.substr(1, value.size() - 2);
    if (open == '[' && close == ']') {
      ASSAY_ASSIGN_OR_RETURN(auto sizes, ReadInts(name, value, list));
      return Entity(SplitEntity{std::move(sizes)});
    }
  }
  KnobEntity knob;
  if (!absl::SimpleAtoi(value, &knob.value)) {
    return Bad(name, value, "is no split [-1,2] or integer");
  }
  return Entity(knob);
}

bool AreInts(const Json& json) {
  return json.is_array() &&
         std::all_of(json.begin(), json.end(),
                     [](const Json& item) { return item.is_number_integer(); });
}

absl::StatusOr<Entity> ReadJsonEntity(const std::string& name,
                                      const std::string& letters,
                                      const Json& value) {
  if (letters == "sp" && AreInts(value)) {
    return Entity(SplitEntity{value.get<std::vector<int64_t>>()});
  }
  if (letters == "ot" && value.is_number_integer()) {
    return Entity(KnobEntity{value.get<int64_t>()});
  }
  return Bad(name, value.dump(),
             absl::StrCat("does not fit the kind `", letters, "`"));
}

Json JsonValue(const Entity& entity) {
  if (const auto* split = std::get_if<SplitEntity>(&entity)) {
    return split->sizes;
  }
  return std::get<KnobEntity>(entity).value;
}

// Adds a parsed entry, which must be valid and have a new name.
absl::Status AddEntry(absl::string_view name, Entity entity, Config& config) {
  if (!IsName(name)) {
    return absl::InvalidArgumentError(
        absl::StrCat("configuration: `", name, "` is not a name"));
  }
  ASSAY_RETURN_IF_ERROR(CheckEntity(name, entity));
  if (config.Find(name) != nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("configuration entry `", name, "` is given twice"));
  }
  config.Set(name, std::move(entity));
  return absl::OkStatus();
}

}  // namespace

bool operator==(const Entity& a, const Entity& b) {
  if (a.index() != b.index()) return false;
  if (const auto* split = std::get_if<SplitEntity>(&a)) {
    return split->sizes == std::get<SplitEntity>(b).sizes;
  }
  return std::get<KnobEntity>(a).value == std::get<KnobEntity>(b).value;
}

std::string ToString(const Entity& entity) {
  if (const auto* split = std::get_if<SplitEntity>(&entity)) {
    return absl::StrCat("[", absl::StrJoin(split->sizes, ","), "]");
  }
  return absl::StrCat(std::get<KnobEntity>(entity).value);
}

absl::string_view KindLetters(const Entity& entity) {
  constexpr absl::string_view kLetters[] = {"sp", "ot"};
  return kLetters[entity.index()];
}

absl::StatusOr<Config> Config::Parse(absl::string_view text) {
  Config config;
  for (absl::string_view entry :
       absl::StrSplit(text, absl::ByAnyChar(" \t\n"), absl::SkipEmpty())) {
    const size_t equals = entry.find('=');
    if (equals == absl::string_view::npos) {
      return absl::InvalidArgumentError(absl::StrCat(
          "configuration: `", entry, "` is not of the form name=value"));
    }
    const absl::string_view name = entry.substr(0, equals);
    ASSAY_ASSIGN_OR_RETURN(Entity entity,
                           ReadEntity(name, entry.substr(equals + 1)));
    ASSAY_RETURN_IF_ERROR(AddEntry(name, std::move(entity), config));
  }
  return config;
}

absl::StatusOr<Config> Config::FromJson(absl::string_view json) {
  const Json list = Json::parse(json.begin(), json.end(), nullptr,
                                /*allow_exceptions=*/false);
  if (!list.is_array()) {
    return absl::InvalidArgumentError(
        absl::StrCat("configuration: `", json, "` is not a JSON array"));
  }
  Config config;
  for (const Json& entry : list) {
    if (!entry.is_array() || entry.size() != 3 || !entry[0].is_string() ||
        !entry[1].is_string()) {
      return absl::InvalidArgumentError(
          absl::StrCat("configuration: `", entry.dump(),
                       "` is not of the form [name, kind, value]"));
    }
    const auto name = entry[0].get<std::string>();
    ASSAY_ASSIGN_OR_RETURN(
        Entity entity,
        ReadJsonEntity(name, entry[1].get<std::string>(), entry[2]));
    ASSAY_RETURN_IF_ERROR(AddEntry(name, std::move(entity), config));
  }
  return config;
}

std::string Config::ToString() const {
  return absl::StrJoin(entries_, " ", [](std::string* out, const Entry& e) {
    absl::StrAppend(out, e.first, "=", ops::ToString(e.second));
  });
}

std::string Config::ToJson() const {
  Json list = Json::array();
  for (const auto& [name, entity] : entries_) {
    list.push_back(Json::array(
        {name, std::string(KindLetters(entity)), JsonValue(entity)}));
  }
  return list.dump();
}

Config& Config::Set(absl::string_view name, Entity entity) {
  for (Entry& entry : entries_) {
    if (entry.first != name) continue;
    entry.second = std::move(entity);
    return *this;
  }
  entries_.emplace_back(std::string(name), std::move(entity));
  return *this;
}

Config& Config::SetSplit(absl::string_view name, std::vector<int64_t> sizes) {
  return Set(name, SplitEntity{std::move(sizes)});
}

Config& Config::SetKnob(absl::string_view name, int64_t value) {
  return Set(name, KnobEntity{value});
}

const Entity* Config::Find(absl::string_view name) const {
  for (const Entry& entry : entries_) {
    if (entry.first == name) return &entry.second;
  }
  return nullptr;
}

const Entity& Config::Get(absl::string_view name) const {
  const Entity* entity = Find(name);
  CHECK(entity != nullptr) << "no `" << name << "` in " << ToString();
  return *entity;
}

const std::vector<int64_t>& Config::Split(absl::string_view name) const {
  const auto* split = std::get_if<SplitEntity>(&Get(name));
  CHECK(split != nullptr) << "`" << name << "` in " << ToString();
  return split->sizes;
}

int64_t Config::Knob(absl::string_view name) const {
  const auto* knob = std::get_if<KnobEntity>(&Get(name));
  CHECK(knob != nullptr) << "`" << name << "` in " << ToString();
  return knob->value;
}

}  // namespace assay::ops
