// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/accelerators.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <string_view>

#include "model/units/format.hpp"

namespace trainwright::cli {
namespace {

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos)
    return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

// "Model:   NVIDIA H200" of /proc/driver/nvidia/gpus/<bus>/information.
std::string value_of(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos)
    return {};
  const std::size_t begin = at + key.size();
  return trimmed(text.substr(begin, text.find('\n', begin) - begin));
}

// "NVIDIA H200, 143771" (MiB), a line for each GPU.
std::vector<GpuFact> gpus_of_smi(std::string_view text) {
  std::vector<GpuFact> gpus;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t comma = line.rfind(',');
    if (comma == std::string::npos)
      continue;
    const std::string number = trimmed(std::string_view(line).substr(comma + 1));
    std::int64_t mebibytes = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), mebibytes);
    GpuFact gpu{trimmed(std::string_view(line).substr(0, comma)), std::nullopt};
    if (error == std::errc() && end == number.data() + number.size())
      gpu.memory = model::ByteCount(mebibytes * 1024 * 1024);
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

// Cards on the PCI bus: NVIDIA's vendor number 0x10de, display (0x03..) or 3D controller class.
int cards_on_the_bus(const Machine& machine) {
  int cards = 0;
  for (const std::string& device : machine.list_folder("/sys/bus/pci/devices")) {
    const std::string folder = "/sys/bus/pci/devices/" + device;
    if (machine.read_file(folder + "/vendor").value_or("").starts_with("0x10de") &&
        machine.read_file(folder + "/class").value_or("").starts_with("0x03"))
      ++cards;
  }
  return cards;
}

std::string gpu_text(const std::vector<GpuFact>& gpus) {
  std::map<std::string, int> counts;
  for (const GpuFact& gpu : gpus)
    ++counts[gpu.name + (gpu.memory ? " (" + model::format(*gpu.memory) + ")" : "")];
  std::string text;
  for (const auto& [name, count] : counts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " x " + name;
  return text;
}

Finding gpu_finding(const Machine& machine, const std::vector<GpuFact>& gpus) {
  Finding finding{"gpu", "GPUs", FindingState::present, gpu_text(gpus), ""};
  if (!gpus.empty())
    return finding;
  finding.state = FindingState::missing;
  if (const int cards = cards_on_the_bus(machine); cards > 0) {
    finding.detail =
        std::to_string(cards) + " NVIDIA card" + (cards > 1 ? "s" : "") + " on the bus, but no driver serves them";
    finding.fix = "apt-get install nvidia-driver (Debian's non-free section), then reboot";
  } else {
    finding.detail = "no NVIDIA card is visible";
    finding.fix = "run on a machine with a GPU (containers: --gpus all); the gloo backend needs none";
  }
  return finding;
}

Finding driver_finding(const Machine& machine) {
  Finding finding{"gpu_driver", "NVIDIA driver", FindingState::present, "", ""};
  const std::string version = machine.read_file("/proc/driver/nvidia/version").value_or("");
  // "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build": the first word of digits and
  // dots.
  std::istringstream words(version.substr(0, version.find('\n')));
  for (std::string word; words >> word;) {
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos) {
      finding.detail = word;
      return finding;
    }
  }
  finding.state = FindingState::missing;
  finding.detail = "/proc/driver/nvidia/version is not there";
  finding.fix = "apt-get install nvidia-driver (Debian's non-free section), then reboot";
  return finding;
}

Finding toolkit_finding(const Machine& machine) {
  Finding finding{"cuda_toolkit", "CUDA toolkit", FindingState::present, "", ""};
  std::optional<std::string> compiler = machine.find_program("nvcc");
  if (!compiler && machine.read_file("/usr/local/cuda/bin/nvcc"))
    compiler = "/usr/local/cuda/bin/nvcc";
  if (!compiler) {
    finding.state = FindingState::missing;
    finding.detail = "nvcc is neither on PATH nor under /usr/local/cuda";
    finding.fix = "install CUDA 12 or 13 (package cuda-toolkit of NVIDIA's repository), then build again";
    return finding;
  }
  const std::string text = machine.output_of({*compiler, "--version"}).value_or("");
  const std::string release = value_of(text, "release ");
  finding.detail = (release.empty() ? "version unknown" : release.substr(0, release.find(','))) + ", " + *compiler;
  return finding;
}

// Where the dynamic linker looks, without asking it: LD_LIBRARY_PATH, its configuration, the usual folders.
std::vector<std::string> library_folders(const Machine& machine) {
  std::vector<std::string> folders;
  const std::string extra = machine.environment("LD_LIBRARY_PATH").value_or("");
  for (std::size_t begin = 0; begin < extra.size();) {
    const std::size_t end = std::min(extra.find(':', begin), extra.size());
    folders.push_back(extra.substr(begin, end - begin));
    begin = end + 1;
  }
  for (const std::string& name : machine.list_folder("/etc/ld.so.conf.d")) {
    std::istringstream lines(machine.read_file("/etc/ld.so.conf.d/" + name).value_or(""));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('/'))
        folders.push_back(trimmed(line));
    }
  }
  for (const char* folder : {"/usr/local/cuda/lib64", "/usr/local/lib", "/usr/lib64", "/usr/lib"})
    folders.emplace_back(folder);
  return folders;
}

Finding nccl_finding(const Machine& machine) {
  Finding finding{"nccl", "NCCL", FindingState::present, "", ""};
  std::string best;
  for (const std::string& folder : library_folders(machine)) {
    for (const std::string& name : machine.list_folder(folder)) {
      // libnccl.so.2 is a link to libnccl.so.2.28.3; the longest name carries the version.
      if (name.starts_with("libnccl.so.2") && name.size() + folder.size() + 1 > best.size())
        best = folder + "/" + name;
    }
    if (!best.empty())
      break;
  }
  finding.detail = best;
  if (best.empty()) {
    finding.state = FindingState::missing;
    finding.detail = "libnccl.so.2 is in none of the linker's folders";
    finding.fix = "apt-get install libnccl2 libnccl-dev (NVIDIA's repository), then build again";
  }
  return finding;
}

}  // namespace

std::vector<GpuFact> find_gpus(const Machine& machine) {
  if (const std::optional<std::string> smi = machine.find_program("nvidia-smi")) {
    const std::optional<std::string> text =
        machine.output_of({*smi, "--query-gpu=name,memory.total", "--format=csv,noheader,nounits"});
    if (std::vector<GpuFact> gpus = gpus_of_smi(text.value_or("")); !gpus.empty())
      return gpus;
  }
  std::vector<GpuFact> gpus;
  for (const std::string& bus : machine.list_folder("/proc/driver/nvidia/gpus")) {
    const std::string text = machine.read_file("/proc/driver/nvidia/gpus/" + bus + "/information").value_or("");
    const std::string name = value_of(text, "Model:");
    gpus.push_back({name.empty() ? "NVIDIA GPU" : name, std::nullopt});
  }
  return gpus;
}

std::vector<Finding> examine_accelerators(const Machine& machine, const std::vector<GpuFact>& gpus) {
  return {gpu_finding(machine, gpus), driver_finding(machine), toolkit_finding(machine), nccl_finding(machine)};
}

}  // namespace trainwright::cli
