#include "suites/references/openvino_library.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "suites/references/dynamic_library.h"

namespace assay::suites {
namespace {

// Returns the last message of the library on one line.
std::string LastMessage(const OpenVinoLibrary& library) {
  const char* const text = library.get_last_err_msg();
  if (text == nullptr) return "";
  const std::vector<std::string> words =
      absl::StrSplit(text, absl::ByAnyChar(" \n\t"), absl::SkipEmpty());
  library.free(text);
  return absl::StrJoin(words, " ");
}

}  // namespace

absl::StatusOr<OpenVinoLibrary> OpenOpenVinoLibrary(absl::string_view program) {
  static auto* const workers = new PinnedWorkers;  // see OpenVinoLibrary
  ASSAY_ASSIGN_OR_RETURN(const DynamicLibrary library,
                         DynamicLibrary::OpenWheel(program, "openvino"));
  OpenVinoLibrary f;
  f.workers = workers;
#define ASSAY_FIND_FUNCTION(name, type) \
  ASSAY_RETURN_IF_ERROR(library.Find("ov_" #name, &f.name));
  ASSAY_FOR_EACH_OPENVINO_FUNCTION(ASSAY_FIND_FUNCTION)
#undef ASSAY_FIND_FUNCTION
  return f;
}

absl::Status OpenVinoStatus(const OpenVinoLibrary& library, int status,
                            absl::string_view call) {
  if (status == openvino::kOk) return absl::OkStatus();
  // The library keeps the message of an earlier error if it only rejects an
  // argument.
  const std::string message =
      status == openvino::kInvalidArgument ? "" : LastMessage(library);
  return absl::InternalError(absl::StrCat(
      "OpenVINO: `ov_", call.substr(0, call.find('(')), "` failed with status ",
      status, message.empty() ? "" : ": ", message));
}

}  // namespace assay::suites
