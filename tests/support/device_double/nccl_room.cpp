// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_double/nccl_room.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "executor/cuda/device_api.hpp"

namespace trainwright::test {
namespace {

constexpr std::array<const char*, 8> kOpWords{
    {"all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce", "messages", "split", "goodbye"}};

std::string words_of(std::size_t member, const NcclRequest& request) {
  return "member " + std::to_string(member) + " calls " + kOpWords[static_cast<std::size_t>(request.op)] + " of " +
         std::to_string(request.count) + " floats, root " + std::to_string(request.root);
}

NcclAnswer result(std::vector<float> values) {
  NcclAnswer answer;
  answer.values = std::move(values);
  return answer;
}

}  // namespace

NcclRoom::NcclRoom(int size, std::function<std::uint32_t()> new_room)
    : new_room_(std::move(new_room)), questions_(static_cast<std::size_t>(size)) {}

void NcclRoom::ask(int member, NcclQuestion question) {
  questions_[static_cast<std::size_t>(member)] = std::move(question);
}

void NcclRoom::lose(int member) {
  if (broken_.empty())
    broken_ = "member " + std::to_string(member) + " has gone";
}

bool NcclRoom::all_ask() const {
  return std::all_of(questions_.begin(), questions_.end(), [](const auto& question) { return question.has_value(); });
}

void NcclRoom::fail_all(Answers& answers, int code, const std::string& text) {
  for (std::size_t member = 0; member < questions_.size(); ++member)
    if (questions_[member]) {
      answers[member] = NcclAnswer{};
      answers[member]->reply.code = code;
      answers[member]->text = text;
      questions_[member].reset();
    }
}

std::vector<std::optional<NcclAnswer>> NcclRoom::answers() {
  Answers answers(questions_.size());
  if (!broken_.empty()) {
    fail_all(answers, executor::kNcclRemoteError, broken_);
    return answers;
  }
  const auto asks = [](NcclOp op) {
    return [op](const auto& question) { return question && question->request.op == op; };
  };
  if (std::any_of(questions_.begin(), questions_.end(), asks(NcclOp::point_to_point)))
    answer_messages(answers);
  if (!all_ask())
    return answers;
  if (std::all_of(questions_.begin(), questions_.end(), asks(NcclOp::split)))
    answer_split(answers);
  else
    answer_collective(answers);
  return answers;
}

// The k-th that one sends to another is the k-th that the other receives from it, within what both ask for now.
void NcclRoom::answer_messages(Answers& answers) {
  struct Side {
    std::vector<std::uint64_t> counts;
    std::vector<std::size_t> offsets;  // of sends, in the values
  };
  std::map<std::pair<std::size_t, std::size_t>, Side> sends;
  std::map<std::pair<std::size_t, std::size_t>, Side> receives;
  for (std::size_t member = 0; member < questions_.size(); ++member) {
    if (!questions_[member] || questions_[member]->request.op != NcclOp::point_to_point)
      continue;
    std::size_t offset = 0;
    for (const NcclPart& part : questions_[member]->parts) {
      const auto peer = static_cast<std::size_t>(part.peer);
      if (part.is_send != 0) {
        sends[{member, peer}].counts.push_back(part.count);
        sends[{member, peer}].offsets.push_back(offset);
        offset += part.count;
      } else {
        receives[{peer, member}].counts.push_back(part.count);
      }
    }
  }
  // A member is answered when all its parts have met theirs; those it met may still wait for others.
  const auto met = [&](std::size_t member) {
    if (!questions_[member] || questions_[member]->request.op != NcclOp::point_to_point)
      return false;
    for (std::size_t peer = 0; peer < questions_.size(); ++peer)
      if (sends[{member, peer}].counts.size() != receives[{member, peer}].counts.size() ||
          sends[{peer, member}].counts.size() != receives[{peer, member}].counts.size())
        return false;
    return true;
  };
  for (const auto& [pair, side] : sends) {
    const Side& other = receives[pair];
    const std::size_t common = std::min(side.counts.size(), other.counts.size());
    for (std::size_t i = 0; i < common; ++i)
      if (side.counts[i] != other.counts[i])
        return fail_all(answers, kNcclInvalidUsage,
                        "member " + std::to_string(pair.first) + " sends " + std::to_string(side.counts[i]) +
                            " floats, member " + std::to_string(pair.second) + " receives " +
                            std::to_string(other.counts[i]));
  }
  // Members are answered together with all that they are connected to, directly or through others.
  std::vector<bool> ready(questions_.size());
  for (std::size_t member = 0; member < questions_.size(); ++member)
    ready[member] = met(member);
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [pair, side] : sends)
      if (!side.counts.empty() && ready[pair.first] != ready[pair.second]) {
        ready[pair.first] = ready[pair.second] = false;
        changed = true;
      }
  }
  for (std::size_t member = 0; member < questions_.size(); ++member) {
    if (!ready[member])
      continue;
    std::vector<float> values;
    std::map<std::size_t, std::size_t> taken;
    for (const NcclPart& part : questions_[member]->parts) {
      if (part.is_send != 0)
        continue;
      const auto peer = static_cast<std::size_t>(part.peer);
      const Side& side = sends[{peer, member}];
      const std::size_t number = taken[peer]++;
      const auto begin = questions_[peer]->values.begin() + static_cast<std::ptrdiff_t>(side.offsets[number]);
      values.insert(values.end(), begin, begin + static_cast<std::ptrdiff_t>(side.counts[number]));
    }
    answers[member] = result(std::move(values));
  }
  for (std::size_t member = 0; member < questions_.size(); ++member)
    if (ready[member])
      questions_[member].reset();
}

void NcclRoom::answer_collective(Answers& answers) {
  const NcclRequest first = questions_.front()->request;
  for (std::size_t member = 1; member < questions_.size(); ++member) {
    const NcclRequest& other = questions_[member]->request;
    if (other.op != first.op || other.count != first.count || other.root != first.root)
      return fail_all(answers, kNcclInvalidUsage, words_of(0, first) + "; " + words_of(member, other));
  }
  const auto root = static_cast<std::size_t>(first.root);
  std::vector<float> sum(questions_.front()->values.size(), 0.0F);
  std::vector<float> joined;
  for (const auto& question : questions_) {
    joined.insert(joined.end(), question->values.begin(), question->values.end());
    if (first.op == NcclOp::all_reduce || first.op == NcclOp::reduce || first.op == NcclOp::reduce_scatter)
      for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] += question->values[i];
  }
  for (std::size_t member = 0; member < questions_.size(); ++member) {
    const auto block = static_cast<std::ptrdiff_t>(member * first.count);
    switch (first.op) {
      case NcclOp::all_reduce:
        answers[member] = result(sum);
        break;
      case NcclOp::reduce:
        answers[member] = result(member == root ? sum : questions_[member]->values);
        break;
      case NcclOp::reduce_scatter:
        answers[member] = result({sum.begin() + block, sum.begin() + block + static_cast<std::ptrdiff_t>(first.count)});
        break;
      case NcclOp::all_gather:
        answers[member] = result(joined);
        break;
      case NcclOp::broadcast:
        answers[member] = result(questions_[root]->values);
        break;
      default:
        answers[member] = NcclAnswer{};
    }
  }
  for (auto& question : questions_)
    question.reset();
}

void NcclRoom::answer_split(Answers& answers) {
  std::map<int, std::vector<std::size_t>> members_of;
  for (std::size_t member = 0; member < questions_.size(); ++member)
    members_of[questions_[member]->request.color].push_back(member);
  for (auto& [color, members] : members_of) {
    std::stable_sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
      return questions_[a]->request.key < questions_[b]->request.key;
    });
    const std::uint32_t room = color < 0 ? 0 : new_room_();
    for (std::size_t i = 0; i < members.size(); ++i) {
      answers[members[i]] = NcclAnswer{};
      if (color < 0)
        continue;
      answers[members[i]]->reply.room = room;
      answers[members[i]]->reply.rank = static_cast<std::int32_t>(i);
      answers[members[i]]->reply.size = static_cast<std::int32_t>(members.size());
    }
  }
  for (auto& question : questions_)
    question.reset();
}

}  // namespace trainwright::test
