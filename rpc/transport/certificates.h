// WriteCertificates: makes a certificate authority and a certificate for a
// program that listens, for farms of one machine and for tests.
//
//   ASSAY_RETURN_IF_ERROR(
//       WriteCertificates(folder, {"localhost", "127.0.0.1"}));
//
// Writes the three files of credentials.h. The key of the authority is thrown
// away, so nobody can sign other certificates with it. All keys are elliptic
// curve keys (P-256). The certificates are valid for a year; after that, call
// the function again, which replaces the files.
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

}  // namespace assay::rpc

#endif  // ASSAY_RPC_TRANSPORT_CERTIFICATES_H_
