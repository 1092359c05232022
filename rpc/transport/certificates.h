// Certificates of programs that listen, and the authority that signs them.
//
// For farms of one machine and for tests, both are made at once:
//
//   ASSAY_RETURN_IF_ERROR(
//       WriteCertificates(folder, {"localhost", "127.0.0.1"}));
//
// The key of this authority is thrown away, so nobody can sign other
// certificates with it. For the hosts of a rack, the authority is kept:
//
//   ASSAY_RETURN_IF_ERROR(WriteAuthority(farm));
//   ASSAY_RETURN_IF_ERROR(IssueCertificate(farm, tls, {"rack1-03.lab"}));
//
// Certificates are in the three files of credentials.h. All keys are elliptic
// curve keys (P-256). Certificates are valid for a year and the kept authority
// for ten; programs that run read a certificate again that was replaced.
#ifndef ASSAY_RPC_TRANSPORT_CERTIFICATES_H_
#define ASSAY_RPC_TRANSPORT_CERTIFICATES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace assay::rpc {

// `hosts` are the names and IP addresses by which the program is called. They
// must not be empty. Returns InvalidArgument if one of them is neither a name
// of letters, digits, `.`, `-` and `*` nor an IP address.
absl::Status WriteCertificates(const std::string& folder,
                               const std::vector<std::string>& hosts);

// Writes `ca.pem`, which all programs of the farm need, and `ca.key`, which
// only its owner may read. The folder must exist. Returns AlreadyExists if it
// has a `ca.key`.
absl::Status WriteAuthority(const std::string& folder);

// Like WriteCertificates(), but signed by the authority of the folder
// `authority`. Also returns the errors of ReadPrivateFile().
absl::Status IssueCertificate(const std::string& authority,
                              const std::string& folder,
                              const std::vector<std::string>& hosts);

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRANSPORT_CERTIFICATES_H_
