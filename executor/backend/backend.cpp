// What host backends share: their streams are the threads that call, their buffers are plain memory.
// SPDX-License-Identifier: Apache-2.0
#include "executor/backend/backend.hpp"

#include <algorithm>
#include <new>

#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

class HostBuffer final : public Buffer {
 public:
  explicit HostBuffer(std::size_t elements) : values_(elements, 0.0F) {}
  [[nodiscard]] Elements elements() override { return values_; }
  void write(std::span<const float> values) override {
    TRAINWRIGHT_EXPECTS(values.size() <= values_.size(), std::to_string(values.size()));
    std::copy(values.begin(), values.end(), values_.begin());
  }
  void read(std::span<float> values) override {
    TRAINWRIGHT_EXPECTS(values.size() <= values_.size(), std::to_string(values.size()));
    std::copy_n(values_.begin(), values.size(), values.begin());
  }

 private:
  std::vector<float> values_;
};

}  // namespace

std::vector<std::unique_ptr<Communicator>> Backend::split(const std::vector<GroupOptions>& groups, int) {
  std::vector<std::unique_ptr<Communicator>> communicators;
  for (const GroupOptions& group : groups)
    communicators.push_back(join(group));
  return communicators;
}

std::unique_ptr<Buffer> Backend::allocate(std::optional<model::Stream>, std::size_t elements) {
  try {
    return std::make_unique<HostBuffer>(elements);
  } catch (const std::bad_alloc&) {
    throw model::EnvironmentError("no memory for a communication buffer of " +
                                  std::to_string(elements * sizeof(float)) + " bytes");
  }
}

}  // namespace trainwright::executor
