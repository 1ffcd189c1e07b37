// SPDX-License-Identifier: Apache-2.0
#include "model/io/importers/topo_matrix.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "model/io/importers/text_lines.hpp"

namespace trainwright::model {
namespace {

constexpr std::array<std::pair<std::string_view, TopoClass>, 6> kWords{{{"X", TopoClass::self},
                                                                        {"PIX", TopoClass::pix},
                                                                        {"PXB", TopoClass::pxb},
                                                                        {"PHB", TopoClass::phb},
                                                                        {"NODE", TopoClass::node},
                                                                        {"SYS", TopoClass::sys}}};

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

bool is_gpu(std::string_view name) {
  return name.starts_with("GPU") && number(name.substr(3)).has_value();
}

std::optional<TopoCell> cell_of(std::string_view word) {
  for (const auto& [name, kind] : kWords)
    if (name == word)
      return TopoCell{kind, 0};
  if (word.starts_with("NV"))
    if (const std::optional<int> links = number(word.substr(2)); links && *links > 0)
      return TopoCell{TopoClass::nvlink, *links};
  return std::nullopt;
}

// "0-15,32-47": how many processors; empty for other words.
std::optional<int> processors_of(std::string_view list) {
  int total = 0;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view range = list.substr(0, comma);
    const std::size_t dash = std::min(range.find('-'), range.size());
    const std::optional<int> first = number(range.substr(0, dash));
    const std::optional<int> last = dash < range.size() ? number(range.substr(dash + 1)) : first;
    if (!first || !last || *last < *first || *last > 65'535)
      return std::nullopt;
    total += *last - *first + 1;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return total > 0 ? std::optional<int>(total) : std::nullopt;
}

class Reader {
 public:
  Reader(const std::string& source, Diagnostics& diagnostics) : source_(source), diagnostics_(diagnostics) {}

  std::optional<TopoMatrix> read(std::string_view text) {
    const std::vector<std::string> lines = lines_of(text);
    std::size_t at = 0;
    while (at < lines.size() && !read_header(words_of(lines[at])))
      ++at;
    if (at == lines.size()) {
      error("", "holds no matrix of nvidia-smi topo -m: no line of column names GPU0 GPU1 ...",
            "paste the whole output, its first line too");
      return std::nullopt;
    }
    for (++at; at < lines.size(); ++at)
      read_row(words_of(lines[at]), at + 1);
    check();
    if (has_errors_)
      return std::nullopt;
    for (std::size_t g = 0; g < matrix_.gpus; ++g)
      matrix_.cells.push_back(rows_.at(matrix_.names[g]));
    for (const auto& [list, count] : affinities_)
      matrix_.threads.push_back(count);
    return std::move(matrix_);
  }

 private:
  void error(std::string path, std::string message, std::string hint = {}) {
    diagnostics_.add_error(source_, std::move(path), std::move(message), std::move(hint));
    has_errors_ = true;
  }

  bool read_header(const std::vector<std::string>& words) {
    if (words.empty() || !is_gpu(words.front()) || (words.size() > 1 && cell_of(words[1])))
      return false;
    for (const std::string& word : words) {
      if (word == "CPU" || word == "NUMA" || word == "GPU")  // "CPU Affinity", "NUMA Affinity", "GPU NUMA ID"
        break;
      if (is_gpu(word))
        ++matrix_.gpus;
      matrix_.names.push_back(word);
    }
    return true;
  }

  void read_row(const std::vector<std::string>& words, std::size_t line) {
    if (words.size() < 2 || std::find(matrix_.names.begin(), matrix_.names.end(), words.front()) == matrix_.names.end())
      return;
    const std::string where = "line " + std::to_string(line);
    std::vector<TopoCell> row;
    for (std::size_t c = 0; c < matrix_.names.size() && c + 1 < words.size(); ++c) {
      const std::optional<TopoCell> cell = cell_of(words[c + 1]);
      if (!cell) {
        error(where, words.front() + " to " + matrix_.names[c] + " is \"" + words[c + 1] + "\"",
              "allowed: X, NVn, PIX, PXB, PHB, NODE, SYS");
        return;
      }
      row.push_back(*cell);
    }
    if (row.size() < matrix_.names.size()) {
      error(where,
            "the row of " + words.front() + " ends after " + std::to_string(row.size()) + " of " +
                std::to_string(matrix_.names.size()) + " columns",
            "the paste is cut; paste the whole output");
      return;
    }
    if (rows_.count(words.front()) > 0)
      error(where, "a second row of " + words.front());
    rows_[words.front()] = row;
    if (is_gpu(words.front()) && row.size() + 1 < words.size())
      if (const std::optional<int> count = processors_of(words[row.size() + 1]))
        affinities_[words[row.size() + 1]] = *count;
  }

  void check() {
    std::string missing;
    for (std::size_t g = 0; g < matrix_.gpus; ++g)
      if (rows_.count(matrix_.names[g]) == 0)
        missing += (missing.empty() ? "" : ", ") + matrix_.names[g];
    if (!missing.empty() && !has_errors_)
      error("", "the columns name " + std::to_string(matrix_.gpus) + " GPUs, but there is no row of " + missing,
            "the paste is cut; paste the whole output");
    if (has_errors_)
      return;
    for (std::size_t a = 0; a < matrix_.gpus; ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        const TopoCell& here = rows_.at(matrix_.names[a])[b];
        if (a == b ? here.kind != TopoClass::self : here != rows_.at(matrix_.names[b])[a])
          error("",
                a == b ? matrix_.names[a] + " to itself is not X"
                       : matrix_.names[a] + " to " + matrix_.names[b] + " differs from the way back",
                "the matrix is damaged; paste it again");
      }
  }

  std::string source_;
  Diagnostics& diagnostics_;
  bool has_errors_ = false;
  TopoMatrix matrix_;
  std::map<std::string, std::vector<TopoCell>> rows_;
  std::map<std::string, int> affinities_;
};

}  // namespace

std::string_view to_word(TopoClass value) {
  if (value == TopoClass::nvlink)
    return "NV";
  for (const auto& [word, kind] : kWords)
    if (kind == value)
      return word;
  return "?";
}

std::optional<TopoMatrix> read_topo_matrix(std::string_view text, const std::string& source, Diagnostics& diagnostics) {
  return Reader(source, diagnostics).read(text);
}

}  // namespace trainwright::model
