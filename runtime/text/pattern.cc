#include "runtime/text/pattern.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace assay::runtime {

absl::StatusOr<Pattern> Pattern::Parse(const std::string& text) {
  auto compiled = std::make_unique<regex_t>();
  const int error =
      regcomp(compiled.get(), text.c_str(), REG_EXTENDED | REG_NOSUB);
  if (error != 0) {
    char reason[200] = "";
    regerror(error, compiled.get(), reason, sizeof(reason));
    return absl::InvalidArgumentError(
        absl::StrCat("`", text, "` is no regular expression: ", reason));
  }
  return Pattern(std::shared_ptr<regex_t>(compiled.release(), [](regex_t* r) {
    regfree(r);
    delete r;
  }));
}

bool Pattern::Matches(const std::string& text) const {
  return regexec(regex_.get(), text.c_str(), 0, nullptr, 0) == 0;
}

}  // namespace assay::runtime
