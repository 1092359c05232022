#include "rpc/program/event_log.h"

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "nlohmann/json.hpp"

namespace assay::rpc {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxText = 500;
constexpr int64_t kMaxPerSecond = 50;

std::string Now() {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", absl::Now(),
                          absl::UTCTimeZone());
}

}  // namespace

EventLog::EventLog(FILE* out, absl::string_view program, Clock* clock)
    : out_(out), program_(program), clock_(clock) {}

void EventLog::Write(absl::string_view event,
                     std::initializer_list<Field> fields) {
  int64_t omitted = 0;
  if (!Admit(event, &omitted)) return;
  Json line;
  line["time"] = Now();
  line["program"] = program_;
  line["event"] = std::string(event);
  for (const auto& [name, value] : fields) {
    Json& json = line[std::string(name)];
    if (const auto* text = std::get_if<std::string>(&value.value_)) {
      json = text->substr(0, kMaxText);
    } else if (const auto* integer = std::get_if<int64_t>(&value.value_)) {
      json = *integer;
    } else {
      json = std::get<double>(value.value_);
    }
  }
  if (omitted > 0) line["omitted"] = omitted;
  // Bytes that are not UTF-8 are replaced. One call writes the line, so lines
  // of several threads do not mix.
  const std::string text =
      line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  fwrite(text.data(), 1, text.size(), out_);
  fflush(out_);
}

bool EventLog::Admit(absl::string_view event, int64_t* omitted) {
  const int64_t now = clock_->NowNanos() / 1'000'000'000;
  const std::lock_guard<std::mutex> lock(mutex_);
  Second& second = seconds_[std::string(event)];
  if (second.second != now) {
    *omitted = second.omitted;
    second = {now, 0, 0};
  }
  if (second.written == kMaxPerSecond) {
    ++second.omitted;
    return false;
  }
  ++second.written;
  return true;
}

}  // namespace assay::rpc
