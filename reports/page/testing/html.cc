#include "reports/page/testing/html.h"

#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::reports {
namespace {

bool IsVoid(absl::string_view tag) {
  static const std::set<absl::string_view>& tags =
      *new std::set<absl::string_view>{"br", "img", "input", "link", "meta"};
  return tags.count(tag) > 0;
}

class Parser {
 public:
  explicit Parser(absl::string_view text) : all_(text), rest_(text) {}

  absl::StatusOr<HtmlElement> Document() {
    if (!absl::ConsumePrefix(&rest_, "<!DOCTYPE html>\n")) {
      return Error("missing document type");
    }
    HtmlElement root;
    absl::Status status = Content(root);
    if (!status.ok()) return status;
    if (!rest_.empty()) return Error("unexpected end tag");
    return root;
  }

 private:
  absl::Status Error(absl::string_view what) const {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " at byte ", all_.size() - rest_.size(), ": `",
                     rest_.substr(0, 60), "`"));
  }

  // Parses up to an end tag.
  absl::Status Content(HtmlElement& parent) {
    while (!rest_.empty() && !absl::StartsWith(rest_, "</")) {
      absl::Status status =
          rest_[0] == '<' ? Element(parent) : Text("<", parent.text);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  // Parses text up to one of the characters in `end`, resolving references.
  absl::Status Text(absl::string_view end, std::string& text) {
    while (!rest_.empty() && !absl::StrContains(end, rest_[0])) {
      if (rest_[0] == '>' || rest_[0] == '"' || rest_[0] == '<') {
        return Error("unescaped character");
      }
      if (rest_[0] != '&') {
        text += rest_[0];
        rest_.remove_prefix(1);
        continue;
      }
      const size_t semicolon = rest_.substr(0, 8).find(';');
      if (semicolon == absl::string_view::npos) return Error("unescaped `&`");
      absl::string_view name = rest_.substr(1, semicolon - 1);
      static const std::map<absl::string_view, char>& names =
          *new std::map<absl::string_view, char>{
              {"amp", '&'}, {"gt", '>'}, {"lt", '<'}, {"quot", '"'}};
      int code = 0;
      if (names.count(name) > 0) {
        text += names.at(name);
      } else if (absl::ConsumePrefix(&name, "#") &&
                 absl::SimpleAtoi(name, &code) && code < 128) {
        text += static_cast<char>(code);
      } else {
        return Error("unknown reference");
      }
      rest_.remove_prefix(semicolon + 1);
    }
    return absl::OkStatus();
  }

  std::string Name() {
    size_t length = 0;
    while (length < rest_.size() &&
           (absl::ascii_isalnum(static_cast<unsigned char>(rest_[length])) ||
            rest_[length] == '-')) {
      ++length;
    }
    const std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return name;
  }

  absl::Status Attributes(HtmlElement& element) {
    while (absl::ConsumePrefix(&rest_, " ")) {
      const std::string name = Name();
      std::string value;
      if (name.empty() || !absl::ConsumePrefix(&rest_, "=\"")) {
        return Error("expected an attribute in double quotes");
      }
      absl::Status status = Text("\"", value);
      if (!status.ok()) return status;
      rest_.remove_prefix(1);
      if (!element.attributes.emplace(name, value).second) {
        return Error(absl::StrCat("duplicate attribute `", name, "`"));
      }
      if (name == "id" && !ids_.insert(value).second) {
        return Error(absl::StrCat("duplicate id `", value, "`"));
      }
    }
    return absl::ConsumePrefix(&rest_, ">") ? absl::OkStatus()
                                            : Error("expected `>`");
  }

  absl::Status Element(HtmlElement& parent) {
    rest_.remove_prefix(1);
    HtmlElement element;
    element.tag = Name();
    if (element.tag.empty()) return Error("expected a tag name");
    absl::Status status = Attributes(element);
    if (!status.ok()) return status;
    const std::string end = absl::StrCat("</", element.tag, ">");
    if (element.tag == "script" || element.tag == "style") {
      const size_t length = rest_.find("</");
      element.text = std::string(rest_.substr(0, length));
      rest_.remove_prefix(element.text.size());
    } else if (!IsVoid(element.tag)) {
      status = Content(element);
      if (!status.ok()) return status;
    }
    if (!IsVoid(element.tag) && !absl::ConsumePrefix(&rest_, end)) {
      return Error(absl::StrCat("expected `", end, "`"));
    }
    parent.children.push_back(std::move(element));
    return absl::OkStatus();
  }

  absl::string_view all_;
  absl::string_view rest_;
  std::set<std::string> ids_;
};

void Collect(const HtmlElement& element, absl::string_view tag_name,
             absl::string_view class_name,
             std::vector<const HtmlElement*>& found) {
  const auto it = element.attributes.find("class");
  bool fits = class_name.empty();
  if (it != element.attributes.end()) {
    for (const absl::string_view name : absl::StrSplit(it->second, ' ')) {
      fits = fits || name == class_name;
    }
  }
  if (fits && (tag_name.empty() || element.tag == tag_name)) {
    found.push_back(&element);
  }
  for (const HtmlElement& child : element.children) {
    Collect(child, tag_name, class_name, found);
  }
}

}  // namespace

std::vector<const HtmlElement*> HtmlElement::Find(
    absl::string_view tag_name, absl::string_view class_name) const {
  std::vector<const HtmlElement*> found;
  Collect(*this, tag_name, class_name, found);
  return found;
}

std::string HtmlElement::AllText() const {
  std::string all = text;
  for (const HtmlElement& child : children) {
    absl::StrAppend(&all, " ", child.AllText());
  }
  return all;
}

absl::StatusOr<HtmlElement> ParseHtml(absl::string_view text) {
  return Parser(text).Document();
}

}  // namespace assay::reports
