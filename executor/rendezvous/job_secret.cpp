// SPDX-License-Identifier: Apache-2.0
#include "executor/rendezvous/job_secret.hpp"

#include <sys/random.h>

#include <array>
#include <cerrno>

#include "executor/process/file_descriptor.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {

std::string make_job_secret() {
  std::array<unsigned char, kSecretSize / 2> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw model::EnvironmentError("getrandom: " + error_text(errno));
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string secret;
  for (const unsigned char byte : bytes) {
    secret += kDigits[byte >> 4U];
    secret += kDigits[byte & 15U];
  }
  return secret;
}

bool equal_secrets(std::string_view a, std::string_view b) {
  if (a.size() != b.size())
    return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  return difference == 0;
}

}  // namespace trainwright::executor
