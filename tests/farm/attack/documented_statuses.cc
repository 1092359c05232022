#include "tests/farm/attack/documented_statuses.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay {
namespace {

// Returns the status that a line of a comment documents, or an empty text.
std::string StatusOf(absl::string_view comment) {
  if (!absl::ConsumePrefix(&comment, "//   ")) return "";
  const std::string word(comment.substr(0, comment.find(' ')));
  const bool is_name =
      word.size() > 1 && std::all_of(word.begin(), word.end(), [](char c) {
        return absl::ascii_isupper(c) || c == '_';
      });
  return is_name ? word : "";
}

// The name after a word such as `rpc `, if the line begins with it.
std::string NameAfter(absl::string_view word, absl::string_view line) {
  if (!absl::ConsumePrefix(&line, word)) return "";
  return std::string(line.substr(0, line.find_first_of(" ({;")));
}

struct Parsed {
  std::set<std::string> of_file;
  std::string service;  // with its package
  std::map<std::string, std::set<std::string>> of_method;
};

Parsed Parse(absl::string_view proto) {
  Parsed parsed;
  std::string package;
  std::set<std::string> below;    // for all methods below
  std::set<std::string> comment;  // of the current comment
  for (absl::string_view line : absl::StrSplit(proto, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (absl::StartsWith(line, "message ")) break;
    if (absl::StartsWith(line, "//")) {
      const std::string status = StatusOf(line);
      if (!status.empty()) comment.insert(status);
      continue;
    }
    const std::string method = NameAfter("rpc ", line);
    if (!method.empty()) {
      std::set<std::string>& statuses =
          parsed.of_method[absl::StrCat("/", parsed.service, "/", method)];
      statuses = below;
      statuses.insert(comment.begin(), comment.end());
      statuses.insert(parsed.of_file.begin(), parsed.of_file.end());
    } else if (parsed.service.empty()) {
      parsed.of_file.insert(comment.begin(), comment.end());
      const std::string name = NameAfter("package ", line);
      if (!name.empty()) package = name;
      const std::string service = NameAfter("service ", line);
      if (!service.empty()) {
        parsed.service = absl::StrCat(package, ".", service);
      }
    } else if (line.empty()) {
      below.insert(comment.begin(), comment.end());
    }
    comment.clear();
  }
  return parsed;
}

}  // namespace

absl::Status DocumentedStatuses::Read(absl::string_view proto) {
  const Parsed parsed = Parse(proto);
  if (parsed.of_method.empty()) {
    return absl::InvalidArgumentError("the file has no methods");
  }
  statuses_.insert(parsed.of_method.begin(), parsed.of_method.end());
  statuses_[absl::StrCat("/", parsed.service, "/")] = parsed.of_file;
  return absl::OkStatus();
}

void DocumentedStatuses::AddToService(absl::string_view proto,
                                      const std::string& service) {
  const Parsed parsed = Parse(proto);
  for (auto& [method, statuses] : statuses_) {
    if (!absl::StartsWith(method, absl::StrCat("/", service, "/"))) continue;
    statuses.insert(parsed.of_file.begin(), parsed.of_file.end());
  }
}

bool DocumentedStatuses::Has(const std::string& method,
                             const std::string& status) const {
  if (status == "OK") return true;
  auto found = statuses_.find(method);
  if (found == statuses_.end()) {
    found = statuses_.find(method.substr(0, method.rfind('/') + 1));
  }
  return found != statuses_.end() && found->second.count(status) > 0;
}

}  // namespace assay
