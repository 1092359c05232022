#include "reports/store/record_head.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "absl/strings/strip.h"
#include "reports/result/run_result.h"
#include "reports/store/checked_line.h"

namespace assay::reports {
namespace {

// Receives the parts of the line in their order, and stops when the head is
// complete or cannot be one.
class HeadReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool complete() const { return complete_; }
  RecordHead& head() { return head_; }

  bool null() override { return Other(); }
  bool boolean(bool /*value*/) override { return Other(); }
  bool number_integer(int64_t value) override { return Number(value); }
  bool number_unsigned(uint64_t value) override {
    return Number(static_cast<int64_t>(value));
  }
  bool number_float(double /*value*/, const std::string& /*text*/) override {
    return Other();
  }
  bool binary(binary_t& /*value*/) override { return false; }
  bool string(std::string& value) override {
    std::string* const member = Member();
    if (member != nullptr) {
      *member = std::move(value);
      if (member == &head_.suite) has_suite_ = true;
      if (member == &head_.model) has_model_ = true;
      if (member == &head_.device) has_device_ = true;
      if (member == &head_.started_at) has_start_ = true;
    }
    complete_ = has_version_ && has_start_ && !head_.run.empty() &&
                !cell_.empty() && has_suite_ && has_model_ && has_device_;
    return !complete_;
  }
  bool key(std::string& name) override {
    path_.back() = std::move(name);
    return true;
  }
  bool start_object(size_t /*size*/) override { return Open(""); }
  bool end_object() override { return Close(); }
  bool start_array(size_t /*size*/) override { return Open("[]"); }
  bool end_array() override { return Close(); }
  bool parse_error(size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

 private:
  bool Open(const char* key) {
    path_.emplace_back(key);
    return true;
  }
  // The head must be complete within the first row.
  bool Close() {
    const bool goes_on = path_.size() != 4 || !InResult() || path_[1] != "rows";
    path_.pop_back();
    return goes_on;
  }
  bool InResult() const { return path_[0] == "result"; }
  bool IsVersion() const {
    return path_.size() == 2 && InResult() && path_[1] == "schema_version";
  }

  // Returns the member of the head that the current value is, or null.
  std::string* Member() {
    if (path_.size() == 1) {
      if (path_[0] == "run") return &head_.run;
      if (path_[0] == "cell") return &cell_;
    } else if (path_.size() == 2 && InResult()) {
      if (path_[1] == "started_at") return &head_.started_at;
      if (path_[1] == "commit") return &head_.commit;
    } else if (path_.size() == 4 && InResult() && path_[1] == "rows") {
      if (path_[3] == "suite") return &head_.suite;
      if (path_[3] == "model") return &head_.model;
      if (path_[3] == "device") return &head_.device;
    }
    return nullptr;
  }
  // These values must not be members of the head.
  bool Other() { return !path_.empty() && Member() == nullptr && !IsVersion(); }
  bool Number(int64_t value) {
    if (!path_.empty() && IsVersion() && value == kSchemaVersion) {
      has_version_ = true;
      return true;
    }
    return Other();
  }

  // The key, or `[]`, in each open object or array: a member of the first row
  // is at result, rows, [], <key>.
  std::vector<std::string> path_;
  RecordHead head_;
  std::string cell_;
  bool has_version_ = false;
  bool has_start_ = false;
  bool has_suite_ = false;
  bool has_model_ = false;
  bool has_device_ = false;
  bool complete_ = false;
};

}  // namespace

std::optional<RecordHead> ParseRecordHead(absl::string_view line) {
  absl::ConsumeSuffix(&line, "\n");
  if (!BodyOf(line).ok()) return std::nullopt;
  HeadReader reader;
  nlohmann::json::sax_parse(line.begin(), line.end(), &reader);
  if (!reader.complete()) return std::nullopt;
  return std::move(reader.head());
}

}  // namespace assay::reports
