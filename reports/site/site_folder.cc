#include "reports/site/site_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/descriptor.h"
#include "runtime/base/file.h"
#include "runtime/base/sha256.h"
#include "runtime/base/status_macros.h"

namespace assay::reports {
namespace {

constexpr char kState[] = "data/state.json";
// Version of state.json; increment it when the contents of files change
// although what they are made from does not.
constexpr int kVersion = 1;
constexpr const char* kFolders[] = {"cells",   "tails",   "runs",
                                    "commits", "devices", "bisections"};

absl::Status CannotWrite(const std::string& path) {
  const absl::Status error = ErrnoError("write", path);
  return absl::UnavailableError(error.message());
}

}  // namespace

absl::StatusOr<std::unique_ptr<SiteFolder>> SiteFolder::Open(
    const std::string& folder) {
  std::unique_ptr<SiteFolder> site(new SiteFolder(folder));
  for (const char* name : kFolders) {
    const absl::Status made =
        MakeDirs(JoinPath(folder, absl::StrCat("data/", name)));
    if (!made.ok()) return absl::UnavailableError(made.message());
  }
  site->ReadState();
  return site;
}

void SiteFolder::ReadState() {
  const std::string path = JoinPath(folder_, kState);
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (absl::IsNotFound(text.status())) return;
  const auto fail = [&] {
    cells_.clear();
    known_.clear();
    warning_ = absl::StrCat("`", path,
                            "` is damaged; the site is written again, and "
                            "links to its cells may change");
  };
  if (!text.ok()) return fail();
  const nlohmann::json json =
      nlohmann::json::parse(*text, /*cb=*/nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("version") ||
      !json.contains("cells") || !json.contains("files") ||
      !json["cells"].is_array() || !json["files"].is_object()) {
    return fail();
  }
  for (const auto& name : json["cells"]) {
    if (!name.is_string()) return fail();
    cells_.push_back(name.get<std::string>());
  }
  // The IDs of the cells hold for all versions.
  if (json["version"] != kVersion) return;
  for (const auto& [file, key] : json["files"].items()) {
    if (!key.is_string()) return fail();
    known_[file] = key.get<std::string>();
  }
  for (const char* name : kFolders) {
    std::error_code error;
    const std::string inside = absl::StrCat("data/", name);
    for (const auto& entry : std::filesystem::directory_iterator(
             JoinPath(folder_, inside), error)) {
      existing_.insert(
          absl::StrCat(inside, "/", entry.path().filename().string()));
    }
  }
  for (const auto& [file, key] : known_) {
    if (FileExists(JoinPath(folder_, file)) &&
        !absl::StartsWith(file, "data/")) {
      existing_.insert(file);
    }
  }
  for (const char* file : {"data/front.js", "data/nights.js"}) {
    if (FileExists(JoinPath(folder_, file))) existing_.insert(file);
  }
}

bool SiteFolder::IsFresh(const std::string& path, const std::string& key) {
  const auto known = known_.find(path);
  if (known == known_.end() || known->second != key ||
      existing_.count(path) == 0) {
    return false;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  keys_[path] = key;
  return true;
}

absl::Status SiteFolder::Write(const std::string& path, const std::string& key,
                               absl::string_view contents) {
  const std::string target = JoinPath(folder_, path);
  const std::string fresh = absl::StrCat(target, ".new");
  {
    std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
    file.write(contents.data(), static_cast<std::streamsize>(contents.size()));
    if (!file.flush()) return CannotWrite(target);
  }
  if (std::rename(fresh.c_str(), target.c_str()) != 0) {
    return CannotWrite(target);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  keys_[path] = key;
  ++files_written_;
  bytes_written_ += static_cast<int64_t>(contents.size());
  return absl::OkStatus();
}

absl::Status SiteFolder::Update(const std::string& path,
                                absl::string_view contents) {
  const std::string key = Sha256Hex(contents).substr(0, 16);
  if (IsFresh(path, key)) return absl::OkStatus();
  return Write(path, key, contents);
}

absl::Status SiteFolder::Finish(const std::vector<std::string>& cells) {
  const Descriptor folder(open(folder_.c_str(), O_RDONLY | O_DIRECTORY));
  // The file system writes all files at once, which takes much less time than
  // waiting for each.
  if (folder.get() < 0 || syncfs(folder.get()) != 0)
    return CannotWrite(folder_);
  const nlohmann::json json = {
      {"version", kVersion}, {"cells", cells}, {"files", keys_}};
  const absl::Status written = WriteFileAtomic(
      JoinPath(folder_, kState),
      json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  if (!written.ok()) return absl::UnavailableError(written.message());
  return absl::OkStatus();
}

void SiteFolder::RemoveOthers() {
  for (const std::string& path : existing_) {
    if (keys_.count(path) > 0 || !absl::StartsWith(path, "data/")) continue;
    if (!absl::EndsWith(path, ".js") && !absl::EndsWith(path, ".js.new")) {
      continue;
    }
    unlink(JoinPath(folder_, path).c_str());
  }
}

}  // namespace assay::reports
