#include "reports/result/json_reader.h"

#include <limits>

#include "absl/strings/str_cat.h"

namespace assay::reports {
namespace {

bool ToDouble(const Json& json, double* out) {
  if (json.is_number()) {
    *out = json.get<double>();
    return true;
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (json == "inf") {
    *out = kInfinity;
  } else if (json == "-inf") {
    *out = -kInfinity;
  } else if (json == "nan") {
    *out = std::numeric_limits<double>::quiet_NaN();
  } else {
    return false;
  }
  return true;
}

}  // namespace

JsonReader::JsonReader(const Json& object, std::string path)
    : object_(object), path_(std::move(path)) {
  if (!object.is_object()) Fail("", "is not an object");
}

void JsonReader::Read(const char* name, std::string* out) {
  const Json* json = Find(name);
  if (json == nullptr) return;
  if (!json->is_string()) return Fail(name, "is not a string");
  *out = json->get<std::string>();
}

void JsonReader::Read(const char* name, bool* out) {
  const Json* json = Find(name);
  if (json == nullptr) return;
  if (!json->is_boolean()) return Fail(name, "is not true or false");
  *out = json->get<bool>();
}

void JsonReader::Read(const char* name, int64_t* out) {
  const Json* json = Find(name);
  if (json == nullptr) return;
  const bool fits =
      json->is_number_integer() &&
      (!json->is_number_unsigned() ||
       json->get<uint64_t>() <=
           static_cast<uint64_t>(std::numeric_limits<int64_t>::max()));
  if (!fits) return Fail(name, "is not a whole number");
  *out = json->get<int64_t>();
}

void JsonReader::Read(const char* name, int* out) {
  int64_t wide = 0;
  Read(name, &wide);
  if (wide < std::numeric_limits<int>::min() ||
      wide > std::numeric_limits<int>::max()) {
    return Fail(name, "is out of range");
  }
  *out = static_cast<int>(wide);
}

void JsonReader::Read(const char* name, std::optional<double>* out) {
  const Json* json = Find(name);
  if (json == nullptr || json->is_null()) return;
  double value = 0;
  if (!ToDouble(*json, &value)) return Fail(name, "is not a number");
  *out = value;
}

void JsonReader::Read(const char* name, std::optional<int64_t>* out) {
  const Json* json = Find(name);
  if (json == nullptr || json->is_null()) return;
  int64_t value = 0;
  Read(name, &value);
  if (status_.ok()) *out = value;
}

void JsonReader::Read(const char* name, double* out) {
  const Json* json = Find(name);
  if (json == nullptr) return;
  if (!ToDouble(*json, out)) Fail(name, "is not a number");
}

void JsonReader::Read(const char* name, std::vector<double>* out) {
  const Json* json = Find(name);
  if (json == nullptr) return;
  if (!json->is_array()) return Fail(name, "is not an array");
  for (const Json& element : *json) {
    if (!element.is_number() || !(element.get<double>() > 0)) {
      return Fail(name, "has an element that is not a positive number");
    }
    out->push_back(element.get<double>());
  }
}

void JsonReader::Read(const char* name, std::vector<int64_t>* out) {
  const Json* json = Find(name);
  if (json == nullptr) return;
  if (!json->is_array()) return Fail(name, "is not an array");
  for (const Json& element : *json) {
    if (!element.is_number_integer()) {
      return Fail(name, "has an element that is not an integer");
    }
    out->push_back(element.get<int64_t>());
  }
}

void JsonReader::Read(const char* name, std::vector<std::string>* out) {
  const Json* json = Find(name);
  if (json == nullptr) return;
  if (!json->is_array()) return Fail(name, "is not an array");
  for (const Json& element : *json) {
    if (!element.is_string()) return Fail(name, "holds more than strings");
    out->push_back(element.get<std::string>());
  }
}

void JsonReader::Read(const char* name,
                      std::map<std::string, std::string>* out) {
  const Json* json = Find(name);
  if (json == nullptr) return;
  if (!json->is_object()) return Fail(name, "is not an object");
  for (const auto& [key, value] : json->items()) {
    if (!value.is_string()) return Fail(name, "holds more than strings");
    (*out)[key] = value.get<std::string>();
  }
}

const Json* JsonReader::Find(const char* name) {
  if (!status_.ok()) return nullptr;
  const auto it = object_.find(name);
  if (it == object_.end()) {
    Fail(name, "is missing");
    return nullptr;
  }
  return &*it;
}

const Json& JsonReader::FindOrNull(const char* name) const {
  static const Json kNull;
  const auto it = object_.find(name);
  return it == object_.end() ? kNull : *it;
}

void JsonReader::Fail(absl::string_view name, absl::string_view what) {
  if (!status_.ok()) return;
  const absl::string_view dot = path_.empty() || name.empty() ? "" : ".";
  status_ = absl::InvalidArgumentError(
      absl::StrCat("`", path_, dot, name, "` ", what));
}

}  // namespace assay::reports
