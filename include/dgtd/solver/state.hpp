#pragma once
// Contents of a checkpoint of a solver or an observer besides large arrays: named lists of numbers, and how the ranks
// share them.
#include <map>
#include <span>
#include <string>
#include <vector>

#include "dgtd/parallel/communicator.hpp"

namespace dgtd::solver {

class State {
 public:
  using Numbers = std::vector<double>;
  enum class Held {
    alike,     // the same on all ranks
    partial,   // sums over all ranks are the result
    by_owner,  // set on one rank only, which may be another one when it is loaded
    gathered   // partial numbers of all ranks, [ranks][n]
  };
  struct Entry {
    Held held = Held::alike;
    Numbers values;
    bool operator==(const Entry&) const = default;
  };

  void set_numbers(const std::string& name, Numbers values, Held held = Held::alike) {
    entries_[name] = {held, std::move(values)};
  }
  bool has(const std::string& name) const { return entries_.count(name) > 0; }
  /// Throws Error for a name that was not set.
  const Numbers& numbers(const std::string& name) const;

  const std::map<std::string, Entry>& entries() const { return entries_; }
  bool operator==(const State&) const = default;

  std::vector<char> bytes() const;
  static State of_bytes(std::span<const char>& bytes);  // takes one state from the front

 private:
  std::map<std::string, Entry> entries_;
};

/// The state of all ranks, on root: numbers that are alike, those of owners, and partial ones of each rank. Collective.
State gather(const State& mine, const parallel::Communicator& comm);

/// A rank's part of such a state, which all ranks have. On as many ranks as it was gathered from, partial numbers are
/// those of the rank; on another number of ranks the first one takes their sums, and the others zero. Throws
/// std::out_of_range for lists that are not those of as many ranks as it has.
State part_of(const State& gathered, const parallel::Communicator& comm);

}  // namespace dgtd::solver
