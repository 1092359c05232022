#include "suites/kernels/code_digest_file.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::suites {
namespace {

constexpr char kHeader[] = "model,target,fusion,call,kernel,code\n";

}  // namespace

std::string FormatCodeDigests(const CodeDigests& digests) {
  std::string text = kHeader;
  for (const auto& [key, digest] : digests) {
    absl::StrAppend(&text, key, ",", digest, "\n");
  }
  return text;
}

absl::StatusOr<CodeDigests> ParseCodeDigests(absl::string_view text) {
  if (!absl::ConsumePrefix(&text, kHeader)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the first line is not `", absl::StripSuffix(kHeader, "\n"), "`"));
  }
  CodeDigests digests;
  for (const absl::string_view line :
       absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const size_t comma = line.rfind(',');
    if (comma == absl::string_view::npos) {
      return absl::InvalidArgumentError(
          absl::StrCat("the line `", line, "` has no digest of a kernel"));
    }
    digests[std::string(line.substr(0, comma))] =
        std::string(line.substr(comma + 1));
  }
  return digests;
}

}  // namespace assay::suites
