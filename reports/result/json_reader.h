// JsonReader: the members of one JSON object, by name and type. The first thing
// that is wrong is kept, with where it stands, and nothing is read after it.
//
//   JsonReader r(json, "rows[2]");
//   r.Read("threads", &row.cell.threads);
//   ASSAY_RETURN_IF_ERROR(r.status());  // `rows[2].threads` is not a …
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

// Keeps the order of members.
using Json = nlohmann::ordered_json;

class JsonReader {
 public:
  // `object` outlives the reader. `path` is what to call it in errors.
  JsonReader(const Json& object, std::string path);

  // InvalidArgument, naming the member.
  const absl::Status& status() const { return status_; }

  void Read(const char* name, std::string* out);
  void Read(const char* name, bool* out);
  void Read(const char* name, int64_t* out);
  void Read(const char* name, int* out);
  // Null is nothing.
  void Read(const char* name, std::optional<double>* out);
  // Infinite ones, and what is no number, are the strings "inf", "nan" and so
  // on.
  void Read(const char* name, double* out);
  // Positive ones.
  void Read(const char* name, std::vector<double>* out);
  void Read(const char* name, std::vector<std::string>* out);
  void Read(const char* name, std::map<std::string, std::string>* out);

  // The member, which must be there; null pointer after an error.
  const Json* Find(const char* name);
  // One that files of earlier programs lack: null.
  const Json& FindOrNull(const char* name) const;

  // Says that a member, or with an empty name the object, `what`.
  void Fail(absl::string_view name, absl::string_view what);

 private:
  const Json& object_;
  const std::string path_;
  absl::Status status_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_JSON_READER_H_
