// DataScript: builds a data file of the site, a script with one statement:
//
//   assay.load("cell", {"id":7,"nights":{"run":[0,1],"median":[1.5,null]}});
//
// The files are scripts because browsers refuse to fetch() files from file://,
// but load scripts. They contain text of untrusted files, so all text is
// written in a form that is the same in JSON and in JavaScript and cannot end a
// script element: ASCII only, with `<`, `>` and `&` as escapes. Bytes that are
// not UTF-8 become U+FFFD.
//
// Measured values are rounded to 4 significant digits. Infinite values and NaN
// are null.
//
//   DataScript script("cell");
//   script.Json("id", 7);
//   script.Open("nights");
//   script.Numbers("median", medians);
//   script.Close();
//   WriteFileAtomic(path, std::move(script).Finish());
#ifndef ASSAY_REPORTS_SITE_DATA_SCRIPT_H_
#define ASSAY_REPORTS_SITE_DATA_SCRIPT_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace assay::reports {

// Keeps the members of an object in the order of insertion.
using SiteJson = nlohmann::ordered_json;

// Returns the text of a JSON value that may stand in a script.
std::string ScriptJson(const SiteJson& json);

// Appends a text as a JSON string that may stand in a script.
void AppendText(absl::string_view text, std::string* out);

// Appends a value, rounded to 4 significant digits, in the shortest form.
void AppendRounded(double value, std::string* out);
// Returns the rounded value as JSON; null if it is not finite.
SiteJson Rounded(double value);

// Returns the standard base64 form, with padding.
std::string Base64(absl::string_view bytes);

class DataScript {
 public:
  // `name` is the first argument, a word of letters.
  explicit DataScript(absl::string_view name);

  // Add a member to the object that is open. `key` is a name without special
  // characters.
  void Json(absl::string_view key, const SiteJson& value);
  // `json` is a JSON text that may stand in a script. Writing it directly takes
  // a fraction of the time of a SiteJson, for members of which there are many.
  void Text(absl::string_view key, absl::string_view json);
  void Numbers(absl::string_view key, absl::Span<const float> values);
  void Integers(absl::string_view key, absl::Span<const int64_t> values);
  // An array of pairs of texts.
  void Pairs(absl::string_view key,
             absl::Span<const std::pair<std::string, std::string>> pairs);
  // Bytes as base64.
  void Bytes(absl::string_view key, absl::string_view bytes);
  // Opens an object, or an array, as a member. Its members, or elements,
  // follow.
  void Open(absl::string_view key);
  void OpenArray(absl::string_view key);
  // Opens an object as an element of the array that is open.
  void OpenElement();
  void Close();

  // Returns the file. Everything that was opened must be closed.
  std::string Finish() &&;

 private:
  void Key(absl::string_view key);
  void Comma();

  std::string text_;
  std::string open_;  // the brackets that close what is open
  bool first_ = true;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_SITE_DATA_SCRIPT_H_
