// SPDX-License-Identifier: Apache-2.0
#include "model/io/importers/run_log.hpp"

#include <charconv>

#include "model/io/importers/text_lines.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kKiB = 1024.0;

bool contains(std::string_view line, std::string_view piece) {
  return line.find(piece) != std::string_view::npos;
}

std::optional<double> number_of(std::string_view word) {
  double value = 0.0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end == word.data())
    return std::nullopt;
  return value;
}

// "1.96 GiB." of two neighbouring words.
std::optional<ByteCount> quantity(std::string_view number, std::string_view unit) {
  const std::optional<double> value = number_of(number);
  const auto is_unit = [&](std::string_view word) { return unit.substr(0, word.size()) == word; };
  const double scale = is_unit("GiB") ? kGiB : is_unit("MiB") ? kMiB : is_unit("KiB") ? kKiB : 0.0;
  if (!value || scale == 0.0)
    return std::nullopt;
  return ByteCount(static_cast<std::int64_t>(*value * scale + 0.5));
}

// Of the two words after `phrase`: "total capacity of 79.18 GiB".
std::optional<ByteCount> quantity_after(std::string_view line, std::string_view phrase) {
  const std::size_t at = line.find(phrase);
  if (at == std::string_view::npos)
    return std::nullopt;
  const std::vector<std::string> words = words_of(line.substr(at + phrase.size()));
  return words.size() < 2 ? std::nullopt : quantity(words[0], words[1]);
}

// Of the two words before `phrase`: "1.08 GiB is free".
std::optional<ByteCount> quantity_before(std::string_view line, std::string_view phrase) {
  const std::size_t at = line.find(phrase);
  if (at == std::string_view::npos)
    return std::nullopt;
  const std::vector<std::string> words = words_of(line.substr(0, at));
  return words.size() < 2 ? std::nullopt : quantity(words[words.size() - 2], words.back());
}

// "found 1 nics"
std::optional<int> whole_number_after(std::string_view line, std::string_view phrase) {
  const std::size_t at = line.find(phrase);
  if (at == std::string_view::npos)
    return std::nullopt;
  const std::optional<double> value = number_of(line.substr(at + phrase.size()));
  return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
}

int count_of(std::string_view line, std::string_view piece) {
  int count = 0;
  for (std::size_t at = line.find(piece); at != std::string_view::npos; at = line.find(piece, at + piece.size()))
    ++count;
  return count;
}

class LogReader {
 public:
  RunLog run(std::string_view text) {
    int number = 0;
    for (const std::string& line : lines_of(text))
      read(line, ++number);
    return std::move(log_);
  }

 private:
  void add(int line, std::string topic, std::string text, std::string advice) {
    log_.findings.push_back({line, std::move(topic), std::move(text), std::move(advice)});
  }

  void read(std::string_view line, int number) {
    read_transport(line, number);
    read_memory(line, number);
  }

  void read_transport(std::string_view line, int number) {
    if (contains(line, "NET/IB : No device found")) {
      add(number, "transport", "no InfiniBand or RoCE device is visible to the process",
          "give the container the RDMA devices (/dev/infiniband)");
    } else if (contains(line, "Using network Socket") || contains(line, "NET/Socket : Using")) {
      if (log_.transport != "socket")
        add(number, "transport", "collectives between nodes go over sockets", "check why no RDMA transport was found");
      log_.transport = "socket";
    } else if (contains(line, "NET/IB : Using")) {
      log_.transport = "ib";
      log_.adapters = count_of(line, "/IB ") + count_of(line, "/RoCE ");
    } else if (contains(line, "Selected Provider is")) {
      const std::size_t at = line.find("Selected Provider is") + std::string_view("Selected Provider is ").size();
      const std::string provider(line.substr(at, line.find(' ', at) - at));
      log_.adapters = whole_number_after(line, "(found ");
      log_.transport = provider == "efa" ? "ofi" : "socket";
      if (provider != "efa")
        add(number, "provider",
            "the network plugin chose " + provider +
                (log_.adapters ? " with " + std::to_string(*log_.adapters) + " adapter(s)" : std::string()),
            "efa is expected: check the driver and that the devices are in the container");
    } else if (contains(line, "Bootstrap : Using lo:")) {
      add(number, "bootstrap", "ranks look for each other on the loopback interface",
          "set NCCL_SOCKET_IFNAME to the interface of the network, or exclude lo too: ^docker0,lo");
    } else if (contains(line, "via direct shared memory") || contains(line, "via SHM")) {
      if (!log_.copies_through_host)
        add(number, "peer path", "devices of a node meet in host memory, not over a peer path",
            "check nvidia-smi topo -m, ACS and that the devices may access each other");
      log_.copies_through_host = true;
    }
  }

  void read_memory(std::string_view line, int number) {
    if (contains(line, "creating shared memory segment") || contains(line, "posix_fallocate failed")) {
      add(number, "shared memory", "shared memory of the container is full",
          "start it with at least 1 GiB of /dev/shm (--shm-size 1g)");
    } else if (contains(line, "multicast") && (contains(line, "bind") || contains(line, "Bind"))) {
      add(number, "multicast", "the switch has no room for another reduction group",
          "set NCCL_NVLS_ENABLE=0 and start once more");
    } else if (const auto error = allocator_error(line)) {
      add(number, "memory", error->verdict(),
          error->is_fragmentation() ? "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True joins free pieces"
                                    : "a smaller micro-batch, more sharding or recomputation");
    }
  }

  RunLog log_;
};

}  // namespace

std::string AllocatorError::verdict() const {
  const auto gib = [](ByteCount bytes) { return format_fixed(static_cast<double>(bytes.count()) / kGiB, 2) + " GiB"; };
  return (is_fragmentation() ? "fragmentation or slack, short by " : "more than the device has, short by ") +
         gib(short_by());
}

std::optional<AllocatorError> allocator_error(std::string_view line) {
  if (!contains(line, "CUDA out of memory"))
    return std::nullopt;
  const auto request = quantity_after(line, "Tried to allocate");
  const auto capacity = quantity_after(line, "total capacity of");
  const auto free = quantity_before(line, " is free");
  const auto used = quantity_before(line, " memory in use");
  const auto allocated = quantity_before(line, " is allocated by PyTorch");
  const auto unusable = quantity_before(line, " is reserved by PyTorch but unallocated");
  if (!request || !capacity || !free || !used || !allocated || !unusable)
    return std::nullopt;
  return AllocatorError{*request, *capacity, *free, *used, *allocated, *unusable};
}

RunLog read_run_log(std::string_view text) {
  return LogReader().run(text);
}

std::vector<LogFinding> contradictions(const RunLog& log, const Cluster& cluster) {
  std::vector<LogFinding> list;
  const NodeGroup& group = cluster.groups.front();
  const bool has_rdma = group.network && group.network->kind != LinkKind::ethernet_tcp;
  if (has_rdma && log.transport == "socket")
    list.push_back(
        {0, "transport", "plan assumed RDMA, the run uses sockets", "mend the transport before the next run"});
  if (group.network && log.adapters && *log.adapters < group.network->adapters)
    list.push_back(
        {0, "adapters",
         std::to_string(*log.adapters) + " of " + std::to_string(group.network->adapters) + " adapters in use",
         "check NCCL_IB_HCA and what the container sees"});
  const bool has_nvlink =
      group.link && (group.link->kind == LinkKind::nvlink_switch || group.link->kind == LinkKind::nvlink_mesh);
  if (has_nvlink && log.copies_through_host)
    list.push_back({0, "peer path", "plan assumed NVLink, devices of a node meet in host memory",
                    "peer access is off: check ACS, MIG and CUDA_VISIBLE_DEVICES"});
  return list;
}

}  // namespace trainwright::model
