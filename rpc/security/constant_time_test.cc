#include "rpc/security/constant_time.h"

#include <cstddef>
#include <string>

#include "gtest/gtest.h"

namespace assay::rpc {
namespace {

TEST(ConstantTimeTest, FindsEveryDifference) {
  const std::string secret = "0123456789abcdef0123456789abcdef";
  EXPECT_TRUE(SecretsEqual(secret, std::string(secret)));
  for (size_t i = 0; i < secret.size(); ++i) {
    std::string other = secret;
    other[i] ^= 1;
    EXPECT_FALSE(SecretsEqual(secret, other)) << i;
    EXPECT_FALSE(SecretsEqual(other, secret)) << i;
    EXPECT_FALSE(SecretsEqual(secret, secret.substr(0, i))) << i;
    EXPECT_FALSE(SecretsEqual(secret.substr(0, i), secret)) << i;
  }
}

TEST(ConstantTimeTest, ComparesAllBytes) {
  EXPECT_TRUE(SecretsEqual("", ""));
  EXPECT_FALSE(SecretsEqual("", std::string(1, '\0')));
  EXPECT_FALSE(SecretsEqual(std::string("a\0b", 3), std::string("a\0c", 3)));
  EXPECT_TRUE(SecretsEqual(std::string("a\0b", 3), std::string("a\0b", 3)));
}

}  // namespace
}  // namespace assay::rpc
