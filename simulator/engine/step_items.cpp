// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/step_items.hpp"

#include <algorithm>
#include <limits>

namespace trainwright::simulator {
namespace {

using model::Stream;
using model::Task;

constexpr std::size_t kStreams = model::kStreamCount;
constexpr std::size_t kCompute = static_cast<std::size_t>(Stream::compute);
constexpr std::size_t kTensor = static_cast<std::size_t>(Stream::tensor);

std::size_t stream_of(const Task& task) {
  return static_cast<std::size_t>(task.stream);
}
bool is_communication(const Task& task) {
  return std::holds_alternative<model::CollectiveWork>(task.work) ||
         std::holds_alternative<model::TransferWork>(task.work) || std::holds_alternative<model::HostIoWork>(task.work);
}
bool is_fusion_stream(std::size_t stream) {
  return stream == kCompute || stream == kTensor;
}

// What precedes a task, by stream: the position (in the stream) of the last task that does, -1 for none. A stream runs
// in order, so all earlier ones precede it too.
using Front = std::array<int, kStreams>;

class Cutter {
 public:
  Cutter(const model::Program& program, const std::vector<int>& work_of_task, const ItemOptions& options,
         std::vector<std::string>& problems)
      : program_(program), works_(work_of_task), options_(options), problems_(problems), size_(program.tasks.size()) {}

  ItemProgram run() {
    if (!find_fronts())
      return {};
    std::vector<int> item_of_task(size_, -1);
    if (in_order_)
      assign_segments(item_of_task);
    for (std::size_t t = 0; t < size_; ++t)
      if (item_of_task[t] < 0)
        item_of_task[t] = add_single(t);
    number_streams(item_of_task);
    link(item_of_task);
    return std::move(out_);
  }

 private:
  // Tasks in an order that respects everything, and the front of each. False if there is a cycle.
  bool find_fronts() {
    position_.resize(size_);
    std::array<std::vector<int>, kStreams> chain;
    std::vector<int> missing(size_, 0);
    std::vector<std::vector<int>> after(size_);
    before_.resize(size_);
    for (std::size_t t = 0; t < size_; ++t) {
      std::vector<int>& stream = chain[stream_of(program_.tasks[t])];
      position_[t] = static_cast<int>(stream.size());
      if (!stream.empty())
        before_[t].push_back(stream.back());
      stream.push_back(static_cast<int>(t));
    }
    for (const model::Dependency& d : program_.dependencies) {
      before_[d.after.index()].push_back(d.before.value());
      in_order_ = in_order_ && d.before < d.after;
    }
    for (std::size_t t = 0; t < size_; ++t)
      for (const int b : before_[t]) {
        after[static_cast<std::size_t>(b)].push_back(static_cast<int>(t));
        ++missing[t];
      }
    Front none;
    none.fill(-1);
    fronts_.assign(size_, none);
    std::vector<int> ready;
    for (std::size_t t = 0; t < size_; ++t)
      if (missing[t] == 0)
        ready.push_back(static_cast<int>(t));
    std::size_t done = 0;
    while (!ready.empty()) {
      const auto t = static_cast<std::size_t>(ready.back());
      ready.pop_back();
      ++done;
      for (const int b : before_[t]) {
        const auto before = static_cast<std::size_t>(b);
        for (std::size_t s = 0; s < kStreams; ++s)
          fronts_[t][s] = std::max(fronts_[t][s], fronts_[before][s]);
        int& own = fronts_[t][stream_of(program_.tasks[before])];
        own = std::max(own, position_[before]);
      }
      for (const int a : after[t])
        if (--missing[static_cast<std::size_t>(a)] == 0)
          ready.push_back(a);
    }
    if (done < size_)
      for (std::size_t t = 0; t < size_; ++t)
        if (missing[t] > 0) {
          problems_.push_back("stage " + std::to_string(program_.stage.value()) + ": " +
                              model::to_text(program_.tasks[t]) + " waits for itself in a cycle of dependencies");
          break;
        }
    return done == size_;
  }

  [[nodiscard]] bool may_fuse(std::size_t t) const {
    const Task& task = program_.tasks[t];
    if (!is_communication(task))
      return stream_of(task) == kCompute && options_.fuse_compute;
    const int work = works_[t];
    return stream_of(task) == kTensor && work >= 0 && options_.fusable_works[static_cast<std::size_t>(work)];
  }

  // Whether something else that precedes `after` directly already waits for `before`.
  [[nodiscard]] bool is_implied(const model::Dependency& d) const {
    const std::size_t before = d.before.index();
    const std::size_t stream = stream_of(program_.tasks[before]);
    const std::vector<int>& direct = before_[d.after.index()];
    return std::any_of(direct.begin(), direct.end(), [&](int p) {
      return p != d.before.value() && fronts_[static_cast<std::size_t>(p)][stream] >= position_[before];
    });
  }

  // Fused tasks of both streams in program order, with the cuts between them. Cut i lies before fused_[i].
  void find_cuts() {
    for (std::size_t t = 0; t < size_; ++t)
      if (is_fusion_stream(stream_of(program_.tasks[t])))
        fused_.push_back(t);
    const std::size_t n = fused_.size();
    clean_.assign(n + 1, true);
    forced_.assign(n + 1, false);
    std::vector<std::size_t> place(size_, 0);
    for (std::size_t i = 0; i < n; ++i)
      place[fused_[i]] = i;
    for (const model::Dependency& d : program_.dependencies) {
      if (is_implied(d))
        continue;
      const bool from_inside = is_fusion_stream(stream_of(program_.tasks[d.before.index()]));
      const bool to_inside = is_fusion_stream(stream_of(program_.tasks[d.after.index()]));
      if (from_inside && !to_inside)
        forced_[place[d.before.index()] + 1] = true;
      if (!from_inside && to_inside)
        forced_[place[d.after.index()]] = true;
    }
    // Last task of each stream before, and first after, every cut.
    std::array<std::vector<int>, 2> last;
    std::array<std::vector<int>, 2> first;
    for (std::size_t k = 0; k < 2; ++k) {
      const std::size_t stream = k == 0 ? kCompute : kTensor;
      last[k].assign(n + 1, -1);
      first[k].assign(n + 1, -1);
      for (std::size_t i = 0; i < n; ++i)
        last[k][i + 1] = stream_of(program_.tasks[fused_[i]]) == stream ? static_cast<int>(fused_[i]) : last[k][i];
      for (std::size_t i = n; i-- > 0;)
        first[k][i] = stream_of(program_.tasks[fused_[i]]) == stream ? static_cast<int>(fused_[i]) : first[k][i + 1];
    }
    const auto precedes = [&](int before, int after) {
      if (before < 0 || after < 0)
        return true;
      const auto b = static_cast<std::size_t>(before);
      return fronts_[static_cast<std::size_t>(after)][stream_of(program_.tasks[b])] >= position_[b];
    };
    for (std::size_t i = 0; i <= n; ++i)
      clean_[i] = precedes(last[0][i], first[1][i]) && precedes(last[1][i], first[0][i]);
  }

  // A segment must begin with one task that the others follow, if that one waits for another stream; and end with one
  // that follows all others, if another stream waits for that one.
  [[nodiscard]] bool has_sound_ends(std::size_t begin, std::size_t end) const {
    const std::size_t head = fused_[begin];
    const std::size_t tail = fused_[end - 1];
    const std::size_t head_stream = stream_of(program_.tasks[head]);
    const std::size_t tail_stream = stream_of(program_.tasks[tail]);
    for (std::size_t i = begin; forced_[begin] && i < end; ++i) {
      if (stream_of(program_.tasks[fused_[i]]) == head_stream)
        continue;
      if (fronts_[fused_[i]][head_stream] < position_[head])
        return false;
      break;  // later ones of this stream follow
    }
    for (std::size_t i = end; forced_[end] && i-- > begin;) {
      const std::size_t stream = stream_of(program_.tasks[fused_[i]]);
      if (stream == tail_stream)
        continue;
      if (fronts_[tail][stream] < position_[fused_[i]])
        return false;
      break;  // earlier ones precede
    }
    return true;
  }

  // Every disturbing collective ends before the segment begins or begins after it ends. On one stream those that
  // precede the segment come first, so that only the first of the others needs a look.
  [[nodiscard]] bool is_undisturbed(std::size_t begin, std::size_t end) const {
    for (std::size_t stream = 0; stream < kStreams; ++stream) {
      int preceding = std::numeric_limits<int>::max();
      std::array<bool, kStreams> seen{};
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t own = stream_of(program_.tasks[fused_[i]]);
        if (!seen[own])
          preceding = std::min(preceding, fronts_[fused_[i]][stream]);
        seen[own] = true;
      }
      const auto next = std::find_if(disturbing_[stream].begin(), disturbing_[stream].end(),
                                     [&](std::size_t d) { return position_[d] > preceding; });
      if (next == disturbing_[stream].end())
        continue;
      for (std::size_t i = begin; i < end; ++i)
        if (fronts_[*next][stream_of(program_.tasks[fused_[i]])] < position_[fused_[i]])
          return false;
    }
    return true;
  }

  void assign_segments(std::vector<int>& item_of_task) {
    find_cuts();
    for (std::size_t t = 0; t < size_; ++t)
      if (works_[t] >= 0 && options_.disturbing_works[static_cast<std::size_t>(works_[t])] && !may_fuse(t))
        disturbing_[stream_of(program_.tasks[t])].push_back(t);
    const std::size_t n = fused_.size();
    std::size_t begin = 0;
    while (begin < n) {
      // The atom that begins here: clean_[begin] holds.
      std::size_t end = begin;
      bool fits = true;
      do {
        fits = fits && may_fuse(fused_[end]) && (end == begin || !forced_[end]);
        ++end;
      } while (!clean_[end] && end < n);
      if (!fits) {
        begin = end;
        continue;
      }
      // Join the following atoms.
      while (end < n && !forced_[end]) {
        std::size_t next = end;
        bool joins = true;
        do {
          joins = joins && may_fuse(fused_[next]) && (next == end || !forced_[next]);
          ++next;
        } while (!clean_[next] && next < n);
        if (!joins)
          break;
        end = next;
      }
      add_run(begin, end, item_of_task);
      begin = end;
    }
  }

  void add_run(std::size_t begin, std::size_t end, std::vector<int>& item_of_task) {
    const bool has_collective = std::any_of(fused_.begin() + static_cast<std::ptrdiff_t>(begin),
                                            fused_.begin() + static_cast<std::ptrdiff_t>(end),
                                            [&](std::size_t t) { return stream_of(program_.tasks[t]) == kTensor; });
    if (!has_sound_ends(begin, end) || (has_collective && !is_undisturbed(begin, end)))
      return;
    Item item;
    item.kind = has_collective ? ItemKind::segment : ItemKind::compute;
    item.stream = Stream::compute;
    item.first_task = static_cast<int>(fused_[begin]);
    item.segment = static_cast<int>(out_.segments.size());
    Segment segment;
    std::array<int, kStreams> base{};
    base.fill(-1);
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t t = fused_[i];
      const std::size_t stream = stream_of(program_.tasks[t]);
      const std::size_t other = stream == kCompute ? kTensor : kCompute;
      if (base[stream] < 0)
        base[stream] = position_[t];
      SegmentOp op;
      op.task = static_cast<int>(t);
      op.is_collective = stream == kTensor;
      op.work = op.is_collective ? works_[t] : -1;
      if (base[other] >= 0)
        op.waits_for = std::max(-1, fronts_[t][other] - base[other]);
      segment.ops.push_back(op);
      item_of_task[t] = static_cast<int>(out_.items.size());
    }
    out_.segments.push_back(std::move(segment));
    out_.items.push_back(item);
  }

  int add_single(std::size_t t) {
    const Task& task = program_.tasks[t];
    Item item;
    item.stream = task.stream;
    item.first_task = static_cast<int>(t);
    item.work = works_[t];
    if (std::holds_alternative<model::CollectiveWork>(task.work)) {
      item.kind = ItemKind::collective;
    } else if (const auto* transfer = std::get_if<model::TransferWork>(&task.work)) {
      item.kind = transfer->is_send ? ItemKind::send : ItemKind::receive;
    } else if (std::holds_alternative<model::HostIoWork>(task.work)) {
      item.kind = ItemKind::host_io;
    } else {
      item.kind = ItemKind::compute;
      item.segment = static_cast<int>(out_.segments.size());
      out_.segments.push_back({{SegmentOp{static_cast<int>(t), false, -1, -1}}});
    }
    out_.items.push_back(item);
    return static_cast<int>(out_.items.size()) - 1;
  }

  void number_streams(const std::vector<int>& item_of_task) {
    out_.meetings.resize(model::kGroupAxisWords.size() * kStreams);
    std::vector<bool> listed(out_.items.size(), false);
    for (std::size_t t = 0; t < size_; ++t) {
      const int i = item_of_task[t];
      Item& item = out_.items[static_cast<std::size_t>(i)];
      if (listed[static_cast<std::size_t>(i)])
        continue;
      listed[static_cast<std::size_t>(i)] = true;
      std::vector<int>& stream = out_.streams[static_cast<std::size_t>(item.stream)];
      item.previous = stream.empty() ? -1 : stream.back();
      stream.push_back(i);
    }
    // Collectives inside segments count as meetings too, so that positions agree with ranks that do not fuse.
    std::vector<int> counts(out_.meetings.size(), 0);
    for (std::size_t t = 0; t < size_; ++t)
      if (const auto* work = std::get_if<model::CollectiveWork>(&program_.tasks[t].work)) {
        const std::size_t key = static_cast<std::size_t>(work->axis) * kStreams + stream_of(program_.tasks[t]);
        Item& item = out_.items[static_cast<std::size_t>(item_of_task[t])];
        if (item.kind == ItemKind::collective)
          item.meeting = counts[key];
        ++counts[key];
        out_.meetings[key].push_back(item_of_task[t]);
      }
  }

  void link(const std::vector<int>& item_of_task) {
    out_.predecessors.resize(out_.items.size());
    out_.successors.resize(out_.items.size());
    for (std::size_t t = 0; t < size_; ++t)
      for (const int b : before_[t]) {
        const int from = item_of_task[static_cast<std::size_t>(b)];
        const int to = item_of_task[t];
        if (from != to &&
            out_.items[static_cast<std::size_t>(from)].stream != out_.items[static_cast<std::size_t>(to)].stream)
          out_.predecessors[static_cast<std::size_t>(to)].push_back(from);
      }
    for (std::size_t i = 0; i < out_.items.size(); ++i) {
      std::vector<int>& list = out_.predecessors[i];
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      for (const int before : list)
        out_.successors[static_cast<std::size_t>(before)].push_back(static_cast<int>(i));
    }
  }

  const model::Program& program_;
  const std::vector<int>& works_;
  const ItemOptions& options_;
  std::vector<std::string>& problems_;
  std::size_t size_;
  bool in_order_ = true;
  std::vector<int> position_;             // of a task in its stream
  std::vector<std::vector<int>> before_;  // direct predecessors, stream order included
  std::vector<Front> fronts_;
  std::vector<std::size_t> fused_;
  std::vector<bool> clean_;
  std::vector<bool> forced_;
  std::array<std::vector<std::size_t>, kStreams> disturbing_;  // by stream, in order
  ItemProgram out_;
};

}  // namespace

ItemProgram cut_into_items(const model::Program& program, const std::vector<int>& work_of_task,
                           const ItemOptions& options, std::vector<std::string>& problems) {
  return Cutter(program, work_of_task, options, problems).run();
}

}  // namespace trainwright::simulator
