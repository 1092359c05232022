#include "runtime/text/text_table.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace assay::runtime {
namespace {

size_t Width(const std::string& text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns)
    : columns_(std::move(columns)) {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  AddRow(std::move(titles));
}

void TextTable::AddRow(std::vector<std::string> cells) {
  CHECK_EQ(cells.size(), columns_.size());
  lines_.push_back(std::move(cells));
}

std::string TextTable::ToString() const {
  std::vector<size_t> widths;
  for (const Column& column : columns_) widths.push_back(Width(column.widest));
  for (const std::vector<std::string>& cells : lines_) {
    for (size_t i = 0; i < cells.size(); ++i) {
      widths[i] = std::max(widths[i], Width(cells[i]));
    }
  }
  std::string text;
  for (const std::vector<std::string>& cells : lines_) {
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(widths[i] - Width(cells[i]), ' ');
      const bool right = columns_[i].side == kRight;
      absl::StrAppend(&line, i > 0 ? "  " : "", right ? padding : "", cells[i],
                      right ? "" : padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    absl::StrAppend(&text, line, "\n");
  }
  return text;
}

}  // namespace assay::runtime
