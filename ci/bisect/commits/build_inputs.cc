#include "ci/bisect/commits/build_inputs.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::ci {
namespace {

// The path of a file `//a/b:c/d.h`; empty for one of another repository.
std::string PathOf(absl::string_view label) {
  // Bazel 7 writes `@@//` for the main repository in some places.
  while (absl::ConsumePrefix(&label, "@")) {
  }
  if (!absl::ConsumePrefix(&label, "//")) return "";
  if (absl::StartsWith(label, ":")) return std::string(label.substr(1));
  return absl::StrReplaceAll(label, {{":", "/"}});
}

bool IsBuildFile(absl::string_view path) {
  return path == "BUILD" || absl::EndsWith(path, "/BUILD") ||
         absl::EndsWith(path, "BUILD.bazel");
}

// The value of an attribute of an XML element in one line; empty without one.
absl::string_view AttributeOf(absl::string_view line, absl::string_view name) {
  const std::string start = absl::StrCat(" ", name, "=\"");
  const size_t at = line.find(start);
  if (at == absl::string_view::npos) return "";
  line.remove_prefix(at + start.size());
  return line.substr(0, line.find('"'));
}

// The line without ` location="…"`.
std::string WithoutLocation(absl::string_view line) {
  const absl::string_view location = AttributeOf(line, "location");
  return absl::StrReplaceAll(
      line, {{absl::StrCat(" location=\"", location, "\""), ""}});
}

bool IsCompilerFile(absl::string_view path) {
  return absl::StartsWith(path, "compiler/");
}

bool IsRuntimeFile(absl::string_view path) {
  return absl::StartsWith(path, "runtime/");
}

// The folder of the file, without a slash at the end.
absl::string_view FolderOf(absl::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == absl::string_view::npos ? "" : path.substr(0, slash);
}

}  // namespace

absl::StatusOr<BuildGraph> ParseQuery(absl::string_view xml) {
  BuildGraph graph;
  bool is_query = false;
  bool in_source_file = false;
  for (const absl::string_view line : absl::StrSplit(xml, '\n')) {
    const absl::string_view element = absl::StripLeadingAsciiWhitespace(line);
    if (absl::StartsWith(element, "<query ")) is_query = true;
    if (absl::StartsWith(element, "<source-file ")) {
      in_source_file = !absl::EndsWith(element, "/>");
      const std::string path = PathOf(AttributeOf(element, "name"));
      if (path.empty()) continue;
      const bool is_build = IsBuildFile(path);
      const bool is_starlark = absl::EndsWith(path, ".bzl");
      if (is_build || is_starlark) graph.definitions.insert(path);
      if (!is_build) graph.files.insert(path);
    } else if (in_source_file) {
      in_source_file = element != "</source-file>";
    } else {
      absl::StrAppend(&graph.rules, WithoutLocation(line), "\n");
    }
  }
  if (!is_query || !absl::StrContains(graph.rules, "</query>")) {
    return absl::InvalidArgumentError("the output of Bazel's query is cut off");
  }
  return graph;
}

bool IsToolFile(absl::string_view path) {
  for (const absl::string_view folder :
       {"ci/bazel/", "ci/third_party/", "ci/toolchains/"}) {
    if (absl::StartsWith(path, folder)) return true;
  }
  return absl::StartsWith(path, "WORKSPACE") || path == "MODULE.bazel" ||
         path == ".bazelrc";
}

bool InputDigests::IsValidFor(const Files& files) const {
  if (!graph_.has_value()) return false;
  // True if the package of a new or removed file is one of the last query.
  const auto is_in_package = [&](absl::string_view path) {
    for (absl::string_view folder = FolderOf(path);;
         folder = FolderOf(folder)) {
      for (const char* name : {"BUILD", "BUILD.bazel"}) {
        const std::string build = JoinPath(folder, name);
        if (graph_->definitions.count(build) > 0) return true;
        if (files.count(build) > 0 || files_.count(build) > 0) return false;
      }
      if (folder.empty()) return false;
    }
  };
  const auto added_or_removed = [&](const std::string& path) {
    return IsToolFile(path) || is_in_package(path);
  };
  for (const auto& [path, object] : files) {
    const auto before = files_.find(path);
    if (before == files_.end()) {
      if (added_or_removed(path)) return false;
    } else if (before->second != object) {
      if (IsToolFile(path) || graph_->definitions.count(path) > 0) return false;
    }
  }
  for (const auto& [path, object] : files_) {
    if (files.count(path) == 0 && added_or_removed(path)) return false;
  }
  return true;
}

absl::StatusOr<InputDigest> InputDigests::DigestOf(const std::string& commit) {
  ASSAY_ASSIGN_OR_RETURN(Files files, repository_.FilesOf(commit));
  if (!IsValidFor(files)) {
    ++queries_;
    auto graph = query_(commit);
    if (graph.ok()) {
      graph_ = *std::move(graph);
      files_ = files;
    } else {
      graph_.reset();
    }
  }
  std::string inputs;
  std::string code;
  std::string kernels;
  for (const auto& [path, object] : files) {
    if (graph_.has_value() && graph_->files.count(path) == 0 &&
        !IsToolFile(path)) {
      continue;
    }
    const std::string line = absl::StrCat(object, " ", path, "\n");
    absl::StrAppend(&inputs, line);
    const bool makes_kernels = IsCompilerFile(path) || IsToolFile(path);
    if (makes_kernels) absl::StrAppend(&kernels, line);
    if (makes_kernels || IsRuntimeFile(path)) absl::StrAppend(&code, line);
  }
  if (graph_.has_value()) absl::StrAppend(&inputs, graph_->rules);
  return InputDigest{Sha256Hex(inputs), Sha256Hex(code), Sha256Hex(kernels)};
}

}  // namespace assay::ci
