// JsonReader: reads the members of one JSON object by name and type. The first
// error is kept, with the path of the member, and nothing is read after it.
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

// JSON that keeps the order of members.
using Json = nlohmann::ordered_json;

class JsonReader {
 public:
  // `object` outlives the reader. `path` is its name in errors.
  JsonReader(const Json& object, std::string path);

  // OK, or an InvalidArgument that names the member.
  const absl::Status& status() const { return status_; }

  void Read(const char* name, std::string* out);
  void Read(const char* name, bool* out);
  void Read(const char* name, int64_t* out);
  void Read(const char* name, int* out);
  // Null reads as nullopt.
  void Read(const char* name, std::optional<double>* out);
  // Values that are not finite are the strings "inf", "-inf" and "nan".
  void Read(const char* name, double* out);
  // All numbers must be positive.
  void Read(const char* name, std::vector<double>* out);
  void Read(const char* name, std::vector<std::string>* out);
  void Read(const char* name, std::map<std::string, std::string>* out);

  // The member, which must exist; a null pointer after an error.
  const Json* Find(const char* name);
  // A member that older files lack, or JSON null.
  const Json& FindOrNull(const char* name) const;

  // Reports the error `what` about a member, or with an empty name about the
  // object.
  void Fail(absl::string_view name, absl::string_view what);

 private:
  const Json& object_;
  const std::string path_;
  absl::Status status_;
};

}  // namespace assay::reports

#endif  // ASSAY_REPORTS_RESULT_JSON_READER_H_
