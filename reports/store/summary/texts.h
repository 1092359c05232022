// Texts: numbers texts, so that a table of many rows has each text once.
#ifndef ASSAY_REPORTS_STORE_SUMMARY_TEXTS_H_
#define ASSAY_REPORTS_STORE_SUMMARY_TEXTS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"

namespace assay::reports {

class Texts {
 public:
  // Returns the number of a text: 0, 1, 2, ... in the order of the first calls.
  uint32_t NumberOf(absl::string_view text);

  const std::string& Text(uint32_t number) const { return texts_.at(number); }
  size_t size() const { return texts_.size(); }

 private:
  absl::flat_hash_map<std::string, uint32_t> numbers_;
  std::vector<std::string> texts_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_STORE_SUMMARY_TEXTS_H_
