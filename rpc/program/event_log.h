// EventLog: the log of a program of the farm. Each event is one line with a
// JSON object, so that people can read it and programs can search it:
//
//   EventLog log(stderr, "tracker");
//   log.Write("lease_granted", {{"device", "rack1-03"}, {"token", 7}});
//
//   {"time":"2024-05-01T12:00:00.123Z","program":"tracker",
//    "event":"lease_granted","device":"rack1-03","token":7}      (on one line)
//
// Names of events are in snake_case and say what happened. Tokens and keys of
// callers must not be logged. Texts that come from the network are escaped, so
// they cannot forge lines, and cut after 500 bytes.
//
// A client could fill the log with errors, so of events with the same name at
// most 50 are written in a second; the line of the next second says how many
// were left out (`omitted`). Thread-safe. Errors of writing are ignored.
#ifndef ASSAY_RPC_PROGRAM_EVENT_LOG_H_
#define ASSAY_RPC_PROGRAM_EVENT_LOG_H_

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/string_view.h"
#include "runtime/base/clock.h"

namespace assay::rpc {

class EventLog {
 public:
  // An integer, a number, or a text.
  class Value {
   public:
    template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    Value(T number) : value_(static_cast<int64_t>(number)) {}
    Value(double number) : value_(number) {}
    Value(absl::string_view text) : value_(std::string(text)) {}
    Value(const std::string& text) : value_(text) {}
    Value(const char* text) : value_(std::string(text)) {}

   private:
    friend class EventLog;
    std::variant<int64_t, double, std::string> value_;
  };
  using Field = std::pair<absl::string_view, Value>;

  // `out` must outlive this object, and is flushed after each line.
  EventLog(FILE* out, absl::string_view program,
           Clock* clock = Clock::Monotonic());
  EventLog(const EventLog&) = delete;
  EventLog& operator=(const EventLog&) = delete;

  void Write(absl::string_view event, std::initializer_list<Field> fields = {});

 private:
  // The events with one name in the current second.
  struct Second {
    int64_t second = -1;
    int64_t written = 0;
    int64_t omitted = 0;
  };

  // Returns false if too many events with this name were written. Sets the
  // number that was left out in the second before.
  bool Admit(absl::string_view event, int64_t* omitted);

  FILE* const out_;
  const std::string program_;
  Clock* const clock_;
  std::mutex mutex_;
  std::map<std::string, Second> seconds_;
};

}  // namespace assay::rpc

#endif  // ASSAY_RPC_PROGRAM_EVENT_LOG_H_
