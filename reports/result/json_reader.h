// JsonReader: reads the members of one JSON object by name and type. Read() and
// Find() do not return errors. Instead, status() returns the first error, which
// contains the path of the member. After an error, further calls of Read() read
// nothing, and the values that they leave in `*out` are unspecified.
//
//   JsonReader r(json, "rows[2]");
//   r.Read("threads", &row.cell.threads);
//   ASSAY_RETURN_IF_ERROR(r.status());  // `rows[2].threads` is missing
#ifndef ASSAY_REPORTS_RESULT_JSON_READER_H_
#define ASSAY_REPORTS_RESULT_JSON_READER_H_

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay::reports {

// A JSON type that keeps the members of an object in the order of insertion.
using Json = nlohmann::ordered_json;

class JsonReader {
 public:
  // `object` must outlive the reader. `path` is the name of `object` in error
  // messages. If `object` is not a JSON object, status() is InvalidArgument.
  JsonReader(const Json& object, std::string path);

  // Returns OK, or InvalidArgument with the name of the first member that is
  // missing or has the wrong type.
  const absl::Status& status() const { return status_; }

  // Each Read() requires that the object has the member `name`.
  void Read(const char* name, std::string* out);
  void Read(const char* name, bool* out);
  void Read(const char* name, int64_t* out);
  void Read(const char* name, int* out);
  // Accepts a number, one of the strings "inf", "-inf" and "nan", or null. Null
  // leaves `*out` unchanged.
  void Read(const char* name, std::optional<double>* out);
  // Accepts a whole number or null, which leaves `*out` unchanged.
  void Read(const char* name, std::optional<int64_t>* out);
  // Accepts a number or one of the strings "inf", "-inf" and "nan".
  void Read(const char* name, double* out);
  // The following functions add the elements of an array or an object to
  // `*out`. Elements of a std::vector<double> must be positive.
  void Read(const char* name, std::vector<double>* out);
  void Read(const char* name, std::vector<int64_t>* out);
  void Read(const char* name, std::vector<std::string>* out);
  void Read(const char* name, std::map<std::string, std::string>* out);

  // Returns the member. Returns nullptr and sets the status if the member does
  // not exist. Returns nullptr if there was an error before.
  const Json* Find(const char* name);
  // Returns the member, or JSON null if the member does not exist. It is meant
  // for members that older files do not have.
  const Json& FindOrNull(const char* name) const;

  // Sets the status, unless there was an error before. The message consists of
  // the path of the member `name` and the predicate `what`, for example `is not
  // an array`. If `name` is empty, the error is about the whole object.
  void Fail(absl::string_view name, absl::string_view what);

 private:
  const Json& object_;
  const std::string path_;
  absl::Status status_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_JSON_READER_H_
