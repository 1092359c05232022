#include "reports/site/data_script.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace assay::reports {
namespace {

constexpr int kDigits = 4;
// Powers of ten that are exact.
constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};

void AppendSlowly(double value, std::string* out) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.*g", kDigits, value);
  out->append(text);
}

}  // namespace

std::string ScriptJson(const SiteJson& json) {
  const std::string text = json.dump(-1, ' ', /*ensure_ascii=*/true,
                                     SiteJson::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    // These occur only within strings.
    switch (c) {
      case '<':
        safe += "\\u003c";
        break;
      case '>':
        safe += "\\u003e";
        break;
      case '&':
        safe += "\\u0026";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

void AppendText(absl::string_view text, std::string* out) {
  const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '<' &&
           c != '>' && c != '&';
  });
  if (is_plain) {
    absl::StrAppend(out, "\"", text, "\"");
  } else {
    *out += ScriptJson(std::string(text));
  }
}

void AppendRounded(double value, std::string* out) {
  if (!std::isfinite(value)) {
    out->append("null");
    return;
  }
  if (value == 0) {
    out->push_back('0');
    return;
  }
  const double size = std::abs(value);
  if (size < 1e-4 || size >= 1e7) {
    // Infrequent, and in the form of an exponent.
    AppendSlowly(value, out);
    return;
  }
  // The value has `whole` digits before the point; if it is negative, zeros
  // follow the point.
  int whole = -3;
  double bound = 1e-3;
  while (size >= bound) {
    bound *= 10;
    ++whole;
  }
  // bound is rounded, but only by a part in 1e16.
  const int decimals = kDigits - whole;
  auto scaled = static_cast<int64_t>(
      decimals >= 0 ? std::llround(size * kPowers[decimals])
                    : std::llround(size / kPowers[-decimals]));
  if (value < 0) out->push_back('-');
  if (decimals <= 0) {
    absl::StrAppend(out, scaled * static_cast<int64_t>(kPowers[-decimals]));
    return;
  }
  int places = decimals;
  while (places > 0 && scaled % 10 == 0) {
    scaled /= 10;
    --places;
  }
  const auto power = static_cast<int64_t>(kPowers[places]);
  absl::StrAppend(out, scaled / power);
  if (places == 0) return;
  out->push_back('.');
  const std::string rest = absl::StrCat(scaled % power);
  out->append(static_cast<size_t>(places) - rest.size(), '0');
  out->append(rest);
}

SiteJson Rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  std::string text;
  AppendRounded(value, &text);
  double rounded = 0;
  CHECK(absl::SimpleAtod(text, &rounded)) << text;
  return rounded;
}

std::string Base64(absl::string_view bytes) {
  return absl::Base64Escape(bytes);
}

DataScript::DataScript(absl::string_view name)
    : text_(absl::StrCat("assay.load(\"", name, "\",{")), open_("}") {}

void DataScript::Comma() {
  if (!first_) text_ += ",";
  first_ = false;
}

// A line per member keeps the files readable and comparable.
void DataScript::Key(absl::string_view key) {
  Comma();
  absl::StrAppend(&text_, "\n\"", key, "\":");
}

void DataScript::Json(absl::string_view key, const SiteJson& value) {
  Key(key);
  text_ += ScriptJson(value);
}

void DataScript::Text(absl::string_view key, absl::string_view json) {
  Key(key);
  absl::StrAppend(&text_, json);
}

void DataScript::Numbers(absl::string_view key,
                         absl::Span<const float> values) {
  Key(key);
  text_ += "[";
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text_ += ",";
    AppendRounded(values[i], &text_);
  }
  text_ += "]";
}

void DataScript::Integers(absl::string_view key,
                          absl::Span<const int64_t> values) {
  Key(key);
  text_ += "[";
  for (size_t i = 0; i < values.size(); ++i) {
    absl::StrAppend(&text_, i > 0 ? "," : "", values[i]);
  }
  text_ += "]";
}

void DataScript::Pairs(
    absl::string_view key,
    absl::Span<const std::pair<std::string, std::string>> pairs) {
  Key(key);
  text_ += "[";
  for (const auto& [first, second] : pairs) {
    if (&first != &pairs[0].first) text_ += ",";
    text_ += "[";
    AppendText(first, &text_);
    text_ += ",";
    AppendText(second, &text_);
    text_ += "]";
  }
  text_ += "]";
}

void DataScript::Bytes(absl::string_view key, absl::string_view bytes) {
  Key(key);
  absl::StrAppend(&text_, "\"", Base64(bytes), "\"");
}

void DataScript::Open(absl::string_view key) {
  Key(key);
  text_ += "{";
  open_ += "}";
  first_ = true;
}

void DataScript::OpenArray(absl::string_view key) {
  Key(key);
  text_ += "[";
  open_ += "]";
  first_ = true;
}

void DataScript::OpenElement() {
  Comma();
  text_ += "\n{";
  open_ += "}";
  first_ = true;
}

void DataScript::Close() {
  CHECK(open_.size() > 1) << text_.substr(0, 80);
  text_ += open_.back();
  open_.pop_back();
  first_ = false;
}

std::string DataScript::Finish() && {
  CHECK(open_ == "}") << open_;
  return std::move(text_) + "});\n";
}

}  // namespace assay::reports
