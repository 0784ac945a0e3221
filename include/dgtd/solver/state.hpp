#pragma once
// What a checkpoint keeps of a solver or an observer: named arrays of numbers and of bytes.
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace dgtd::solver {

class State {
 public:
  using Numbers = std::vector<double>;
  using Bytes = std::vector<std::byte>;

  void set_numbers(const std::string& name, Numbers values) { numbers_[name] = std::move(values); }
  void set_bytes(const std::string& name, Bytes values) { bytes_[name] = std::move(values); }
  /// Throw Error for a name that was not set.
  const Numbers& numbers(const std::string& name) const;
  const Bytes& bytes(const std::string& name) const;

  const std::map<std::string, Numbers>& all_numbers() const { return numbers_; }
  const std::map<std::string, Bytes>& all_bytes() const { return bytes_; }
  bool operator==(const State&) const = default;

 private:
  std::map<std::string, Numbers> numbers_;
  std::map<std::string, Bytes> bytes_;
};

}  // namespace dgtd::solver
