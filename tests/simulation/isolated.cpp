// SPDX-License-Identifier: Apache-2.0
#include "tests/simulation/isolated.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <exception>

namespace trainwright::test {
namespace {

constexpr char kReport = 'r';
constexpr char kError = 'e';

void write_all(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(fd, text.data() + done, text.size() - done);
    if (count <= 0)
      _exit(2);
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace

Isolated isolated(const std::function<simulator::SimulationReport()>& simulation) {
  Isolated result;
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0)
    return {{}, "no pipe"};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    std::string text;
    try {
      text = kReport + simulator::to_report_json(simulation());
    } catch (const std::exception& error) {
      text = kError + std::string(error.what());
    }
    write_all(ends[1], text);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  std::array<char, 65536> buffer;
  for (ssize_t count = 0; (count = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(count));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0 || text.empty())
    return {{}, "the simulation's process ended with status " + std::to_string(status)};
  if (text.front() == kError)
    return {{}, text.substr(1)};
  model::Diagnostics diagnostics;
  result.report = simulator::report_from_json(text.substr(1), "report", diagnostics);
  result.error = diagnostics.to_text();
  return result;
}

}  // namespace trainwright::test
