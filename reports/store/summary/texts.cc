#include "reports/store/summary/texts.h"

namespace assay::reports {

uint32_t Texts::NumberOf(absl::string_view text) {
  const auto at = numbers_.find(text);
  if (at != numbers_.end()) return at->second;
  const auto number = static_cast<uint32_t>(texts_.size());
  texts_.emplace_back(text);
  numbers_.emplace(text, number);
  return number;
}

}  // namespace assay::reports
