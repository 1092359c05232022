#include "tests/onnx_conformance/exception_list.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"

namespace assay::conformance {
namespace {

constexpr char kHeader[] =
    "# The ONNX test cases that fail, each with the error. Cases that pass, "
    "crash or\n"
    "# fail with another error must not be listed. This command regenerates "
    "the list:\n";

}  // namespace

absl::StatusOr<Exceptions> ParseExceptions(absl::string_view text) {
  Exceptions exceptions;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (line.empty() || line[0] == '#') continue;
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(line, absl::MaxSplits(": ", 1));
    if (parts.first.empty() || parts.second.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "`", std::string(line), "` is malformed; write `<case>: <reason>`"));
    }
    if (!exceptions.insert(parts).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("`", parts.first, "` is listed twice"));
    }
  }
  return exceptions;
}

std::string ReasonOf(absl::string_view message) {
  return std::string(message.substr(0, message.find('\n')));
}

std::string PrintExceptions(const Exceptions& exceptions,
                            absl::string_view command) {
  std::string text = absl::StrCat(
      kHeader, "#   ", absl::StrReplaceAll(command, {{"\n", "\n#   "}}), "\n");
  for (const auto& [name, reason] : exceptions) {
    absl::StrAppend(&text, name, ": ", ReasonOf(reason), "\n");
  }
  return text;
}

}  // namespace assay::conformance
