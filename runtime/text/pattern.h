// Pattern: an extended regular expression of POSIX.
//
//   ASSAY_ASSIGN_OR_RETURN(const Pattern pattern, Pattern::Parse("^bert"));
//   if (pattern.Matches(name)) …
#ifndef ASSAY_RUNTIME_TEXT_PATTERN_H_
#define ASSAY_RUNTIME_TEXT_PATTERN_H_

#include <regex.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace assay::runtime {

class Pattern {
 public:
  // Returns InvalidArgument, with the reason, if `text` is not valid.
  static absl::StatusOr<Pattern> Parse(const std::string& text);

  // Returns true if a part of `text` matches.
  bool Matches(const std::string& text) const;

 private:
  explicit Pattern(std::shared_ptr<regex_t> regex) : regex_(std::move(regex)) {}

  std::shared_ptr<regex_t> regex_;
};

}  // namespace assay::runtime

#endif  // ASSAY_RUNTIME_TEXT_PATTERN_H_
