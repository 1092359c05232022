#include "devices/device.h"

#include <dirent.h>
#include <errno.h>

#include <algorithm>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"
#include "runtime/base/file.h"
#include "runtime/base/status_macros.h"

namespace assay::devices {
namespace {

constexpr char kSuffix[] = ".textproto";
constexpr int64_t kMaxDeviceFileBytes = 1 << 20;

constexpr size_t kMaxKeyLength = 60;
constexpr double kMinThermalLimit = 30;
constexpr double kMaxThermalLimit = 120;
constexpr int kMaxThermalWaitS = 3600;

// Keeps only the first error, because later ones are usually its consequences.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column,
                const std::string& message) override {
    if (!message_.empty()) return;
    // Line numbers are 0-based; -1 stands for the whole file.
    if (line >= 0) {
      position_ = absl::StrCat(":", line + 1, ":", column + 1);
    }
    message_ = message;
  }
  const std::string& position() const { return position_; }
  const std::string& message() const { return message_; }

 private:
  std::string position_;
  std::string message_;
};

bool IsTrackerKey(absl::string_view key) {
  return !key.empty() && key.size() <= kMaxKeyLength &&
         std::all_of(key.begin(), key.end(), [](char c) {
           return absl::ascii_isalnum(c) || c == '.' || c == '_' || c == '-';
         });
}

bool IsDeviceName(absl::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// `field` is the field of Device that contains `timing`.
absl::Status CheckTiming(const TimingPolicy& timing, absl::string_view field) {
  const auto error = [field](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat("`", field, ".", what));
  };
  if (timing.warmup() < 0) return error("warmup` is negative");
  if (timing.number() < 1) return error("number` is less than 1");
  if (timing.repeat() < 1) return error("repeat` is less than 1");
  if (timing.min_repeat_ms() < 0) return error("min_repeat_ms` is negative");
  if (timing.cooldown_ms() < 0) return error("cooldown_ms` is negative");
  return absl::OkStatus();
}

absl::Status CheckThermal(const ThermalPolicy& thermal) {
  // Also rejects NaN.
  if (!(thermal.max_celsius() >= kMinThermalLimit &&
        thermal.max_celsius() <= kMaxThermalLimit)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "`thermal.max_celsius` is ", thermal.max_celsius(),
        "; it must be from ", kMinThermalLimit, " to ", kMaxThermalLimit));
  }
  if (thermal.max_wait_s() < 1 || thermal.max_wait_s() > kMaxThermalWaitS) {
    return absl::InvalidArgumentError(
        absl::StrCat("`thermal.max_wait_s` is ", thermal.max_wait_s(),
                     "; it must be from 1 to ", kMaxThermalWaitS));
  }
  return absl::OkStatus();
}

absl::Status CheckEmulator(const Emulator& emulator) {
  if (emulator.program() != "qemu-aarch64" &&
      emulator.program() != "qemu-arm") {
    return absl::InvalidArgumentError(
        absl::StrCat("`emulator.program` is `", emulator.program(),
                     "`; it must be `qemu-aarch64` or `qemu-arm`"));
  }
  if (emulator.cpu().empty()) {
    return absl::InvalidArgumentError("`emulator.cpu` is missing");
  }
  if (emulator.timeout_s() < 1) {
    return absl::InvalidArgumentError("`emulator.timeout_s` is less than 1");
  }
  return absl::OkStatus();
}

absl::Status Check(const Device& device) {
  if (!IsDeviceName(device.name())) {
    return absl::InvalidArgumentError(
        absl::StrCat("`name` is `", device.name(),
                     "`; it must consist of lower-case letters, digits and "
                     "underscores"));
  }
  if (device.title().empty()) {
    return absl::InvalidArgumentError("`title` is missing");
  }
  if (device.target().empty()) {
    return absl::InvalidArgumentError("`target` is missing");
  }
  if (device.default_threads() < 0) {
    return absl::InvalidArgumentError("`default_threads` is negative");
  }
  if (!device.has_timing()) {
    return absl::InvalidArgumentError("`timing` is missing");
  }
  ASSAY_RETURN_IF_ERROR(CheckTiming(device.timing(), "timing"));
  if (!IsTrackerKey(device.tracker_key())) {
    return absl::InvalidArgumentError(
        absl::StrCat("`tracker_key` is `", device.tracker_key(),
                     "`; it must consist of at most ", kMaxKeyLength,
                     " letters, digits, dots, underscores and dashes"));
  }
  ASSAY_RETURN_IF_ERROR(CheckTiming(device.board_timing(), "board_timing"));
  if (device.has_thermal()) {
    ASSAY_RETURN_IF_ERROR(CheckThermal(device.thermal()));
  }
  return device.has_emulator() ? CheckEmulator(device.emulator())
                               : absl::OkStatus();
}

absl::string_view Stem(absl::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash != absl::string_view::npos) path.remove_prefix(slash + 1);
  return absl::StripSuffix(path, kSuffix);
}

}  // namespace

absl::StatusOr<Device> ParseDevice(absl::string_view text,
                                   absl::string_view file) {
  Device device;
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  if (!parser.ParseFromString(std::string(text), &device)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", file, error.position(), "`: ", error.message()));
  }
  if (device.tracker_key().empty()) device.set_tracker_key(device.name());
  if (!device.has_board_timing()) {
    *device.mutable_board_timing() = device.timing();
  }
  const absl::Status status = Check(device);
  if (!status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", file, "`: ", status.message()));
  }
  return device;
}

absl::StatusOr<std::vector<std::string>> ListDevices(
    const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> dir(opendir(folder.c_str()),
                                                closedir);
  if (dir == nullptr) {
    return absl::ErrnoToStatus(
        errno, absl::StrCat("cannot open the folder `", folder, "`"));
  }
  std::vector<std::string> names;
  while (const dirent* entry = readdir(dir.get())) {
    absl::string_view name = entry->d_name;
    if (absl::ConsumeSuffix(&name, kSuffix)) names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

absl::StatusOr<Device> LoadDevice(const std::string& device,
                                  const std::string& folder) {
  const bool is_path = absl::EndsWith(device, kSuffix);
  const std::string path =
      is_path ? device : JoinPath(folder, absl::StrCat(device, kSuffix));
  if (!is_path && (!IsDeviceName(device) || !FileExists(path))) {
    ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> names,
                           ListDevices(folder));
    return absl::NotFoundError(
        absl::StrCat("there is no device `", device,
                     "`; there are: ", absl::StrJoin(names, ", "),
                     ", or give the path of a `", kSuffix, "` file"));
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string text,
                         ReadFile(path, kMaxDeviceFileBytes));
  ASSAY_ASSIGN_OR_RETURN(Device parsed, ParseDevice(text, path));
  if (parsed.name() != Stem(path)) {
    return absl::InvalidArgumentError(
        absl::StrCat("`", path, "`: `name` is `", parsed.name(),
                     "`; it must be the file's name without `", kSuffix, "`"));
  }
  return parsed;
}

}  // namespace assay::devices
