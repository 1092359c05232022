#include "rpc/transport/authorization.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::rpc {
namespace {

using Metadata = std::multimap<grpc::string_ref, grpc::string_ref>;

class AuthorizationTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string path = JoinPath(dir_.path(), "tokens");
    std::string text;
    for (const Role role : {Role::kAdmin, Role::kDevice, Role::kUser}) {
      absl::StrAppend(&text, *TokenLine(role, "anna", TokenOf(role)));
    }
    ASSERT_TRUE(WriteFileAtomic(path, text).ok());
    tokens_ = *TokenFile::Open(path);
  }

  static std::string TokenOf(Role role) {
    return std::string(64, RoleName(role)[0]);
  }

  absl::Status Check(const std::string& value,
                     std::initializer_list<Role> roles) {
    const Metadata metadata = {{"authorization", value}};
    return Authorize(metadata, roles, *tokens_).status();
  }

  const TempDir dir_ = *TempDir::Create();
  std::unique_ptr<TokenFile> tokens_;
};

TEST_F(AuthorizationTest, ARoleMayDoWhatIsPermitted) {
  const std::string user = "Bearer " + TokenOf(Role::kUser);
  EXPECT_TRUE(Check(user, {Role::kUser}).ok());
  EXPECT_TRUE(Check(user, {Role::kDevice, Role::kUser}).ok());
  EXPECT_EQ(
      Check(user, {Role::kAdmin, Role::kDevice}),
      absl::PermissionDeniedError("the call needs the role admin or "
                                  "device, and `anna` has the role user"));
}

TEST_F(AuthorizationTest, AdministratorsMayDoWhatUsersMay) {
  const std::string admin = "Bearer " + TokenOf(Role::kAdmin);
  EXPECT_TRUE(Check(admin, {Role::kUser}).ok());
  EXPECT_TRUE(absl::IsPermissionDenied(Check(admin, {Role::kDevice})));
  const std::string device = "Bearer " + TokenOf(Role::kDevice);
  EXPECT_TRUE(absl::IsPermissionDenied(Check(device, {Role::kUser})));
}

TEST_F(AuthorizationTest, OtherMetadataIsUnauthenticated) {
  const std::string token = TokenOf(Role::kUser);
  for (const std::string& value :
       {std::string(), token, "bearer " + token, "Bearer  " + token,
        "Bearer " + token + "x", std::string("Bearer "),
        "Bearer " + std::string(100000, 'x')}) {
    EXPECT_TRUE(absl::IsUnauthenticated(Check(value, {Role::kUser})))
        << value.substr(0, 100);
  }
  const std::string user = "Bearer " + token;
  const Metadata several = {{"authorization", user}, {"authorization", user}};
  EXPECT_TRUE(absl::IsUnauthenticated(
      Authorize(several, {Role::kUser}, *tokens_).status()));
  EXPECT_TRUE(
      absl::IsUnauthenticated(Authorize({}, {Role::kUser}, *tokens_).status()));
}

}  // namespace
}  // namespace assay::rpc
