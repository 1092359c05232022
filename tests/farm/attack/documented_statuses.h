// DocumentedStatuses: the statuses that the comments of a .proto file document.
//
//   DocumentedStatuses statuses;
//   ASSAY_RETURN_IF_ERROR(statuses.Read(tracker_proto));
//   statuses.Has("/assay.rpc.Tracker/Renew", "ABORTED");
//
// A comment documents a status with a line that begins with two more blanks
// than the text, and the name of the status in capitals:
//
//   // Renews a lease.
//   //   ABORTED  the lease has ended.
//   rpc Renew(LeaseName) returns (Lease);
//
// The comments before `service` are about all methods of the file. A comment in
// the service that is followed by an empty line is about all methods below.
// `OK` is documented for all methods. Methods that do not exist have the
// statuses of all methods of their service.
#ifndef ASSAY_TESTS_FARM_ATTACK_DOCUMENTED_STATUSES_H_
#define ASSAY_TESTS_FARM_ATTACK_DOCUMENTED_STATUSES_H_

#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace assay {

class DocumentedStatuses {
 public:
  // Adds the methods of a file, whose text this is. Returns InvalidArgument if
  // it has none.
  absl::Status Read(absl::string_view proto);

  // Adds the statuses of all methods of a file to those of the methods of
  // another service: a program that passes calls on adds its own.
  void AddToService(absl::string_view proto, const std::string& service);

  bool Has(const std::string& method, const std::string& status) const;

 private:
  // By method, and by the path of a service with a slash at its end.
  std::map<std::string, std::set<std::string>> statuses_;
};

}  // namespace assay

#endif  // ASSAY_TESTS_FARM_ATTACK_DOCUMENTED_STATUSES_H_
