#include "suites/cause/dumped_stages.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::suites {
namespace {

absl::StatusOr<std::vector<std::string>> FilesIn(const std::string& dump) {
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(dump, error)) {
    names.push_back(entry.path().filename().string());
  }
  if (error) {
    return absl::NotFoundError(
        absl::StrCat("cannot read `", dump, "`: ", error.message()));
  }
  absl::c_sort(names);
  return names;
}

// `%12` becomes `%`.
std::string WithoutValueNumbers(absl::string_view line) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i) {
    text += line[i];
    if (line[i] != '%') continue;
    while (i + 1 < line.size() &&
           std::isdigit(static_cast<unsigned char>(line[i + 1])) != 0) {
      ++i;
    }
  }
  return text;
}

// A file `kernel.SYMBOL.3.PASS.tir.txt` or `kernel.SYMBOL.SUFFIX`. The files of
// the code generator have no number and come last.
struct KernelFile {
  int order = 0;
  std::string stage;
};

// `rest` is the name of a file behind `kernel.SYMBOL.`.
KernelFile ParseKernelFile(absl::string_view rest) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(rest, absl::MaxSplits('.', 1));
  KernelFile file;
  if (!absl::SimpleAtoi(parts.first, &file.order)) {
    // The order of these stages is `ll`, `opt.ll`, `s`.
    file.order = rest == "ll" ? 1000 : rest == "opt.ll" ? 1001 : 1002;
    file.stage = std::string(rest);
    return file;
  }
  absl::string_view stage = parts.second;
  absl::ConsumeSuffix(&stage, ".txt");
  absl::ConsumeSuffix(&stage, ".tir");
  file.stage = std::string(stage);
  return file;
}

}  // namespace

std::string GraphLinesOf(absl::string_view graph,
                         const std::vector<std::string>& nodes) {
  std::vector<std::string> quoted;
  for (const std::string& node : nodes) {
    quoted.push_back(absl::StrCat("\"", node, "\""));
  }
  std::string text;
  for (const absl::string_view line : absl::StrSplit(graph, '\n')) {
    const absl::string_view statement = absl::StripAsciiWhitespace(line);
    if (absl::c_any_of(quoted, [&](const std::string& node) {
          return absl::StrContains(statement, node);
        })) {
      absl::StrAppend(&text, WithoutValueNumbers(statement), "\n");
    }
  }
  return text;
}

absl::StatusOr<std::vector<DumpedStage>> GraphStages(
    const std::string& dump, const std::vector<std::string>& nodes) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> names, FilesIn(dump));
  std::vector<DumpedStage> stages;
  // `graph.017.assign_encodings.txt`, which are sorted by the number.
  for (const std::string& name : names) {
    const std::vector<std::string> parts = absl::StrSplit(name, '.');
    if (parts.size() != 4 || parts[0] != "graph") continue;
    ASSAY_ASSIGN_OR_RETURN(const std::string graph,
                           ReadFile(JoinPath(dump, name)));
    std::string text = GraphLinesOf(graph, nodes);
    if (!stages.empty() && stages.back().text == text) continue;
    stages.push_back({parts[2], std::move(text)});
  }
  if (stages.empty()) {
    return absl::NotFoundError(absl::StrCat("`", dump, "` has no graphs"));
  }
  return stages;
}

absl::StatusOr<std::vector<DumpedStage>> KernelStages(
    const std::string& dump, const std::vector<std::string>& kernels) {
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> names, FilesIn(dump));
  // By order and name of the stage: the text of each kernel.
  std::map<std::pair<int, std::string>, std::map<std::string, std::string>>
      texts;
  for (const std::string& kernel : kernels) {
    const std::string prefix = absl::StrCat("kernel.", kernel, ".");
    for (const std::string& name : names) {
      if (!absl::StartsWith(name, prefix)) continue;
      ASSAY_ASSIGN_OR_RETURN(const std::string text,
                             ReadFile(JoinPath(dump, name)));
      const KernelFile file =
          ParseKernelFile(absl::string_view(name).substr(prefix.size()));
      // The symbol has the number of the kernel.
      texts[{file.order, file.stage}][kernel] =
          absl::StrReplaceAll(text, {{kernel, "kernel"}});
    }
  }
  std::vector<DumpedStage> stages;
  std::map<std::string, std::string> current;
  for (auto& [key, by_kernel] : texts) {
    // A kernel that a pass does not change has no file of it. The first stages
    // are texts of different languages.
    if (key.first <= 2 || key.first >= 1000) current.clear();
    for (auto& [kernel, text] : by_kernel) current[kernel] = std::move(text);
    DumpedStage stage;
    stage.name = key.second;
    for (const std::string& kernel : kernels) stage.text += current[kernel];
    stages.push_back(std::move(stage));
  }
  return stages;
}

}  // namespace assay::suites
