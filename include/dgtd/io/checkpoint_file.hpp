#pragma once
// A checkpoint in one HDF5 file (docs/architecture.md, "Checkpoints"): small values, and large arrays in the order of
// the global numbers of their items. Every byte of the file is covered by a checksum, so damage is always noticed.
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dgtd/base/error.hpp"
#include "dgtd/parallel/communicator.hpp"
#include "dgtd/solver/persistent.hpp"

namespace dgtd::io {

/// Names may contain any characters.
struct CheckpointValues {
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<double>> numbers;
};

/// Writes the arrays of all ranks and the values of root to FILE.tmp, then to the device, and renames the file, so that
/// FILE is whole or as before. Returns the bytes of the file. Collective. Throws Error on all ranks; FILE.tmp is then
/// removed.
double write_checkpoint(const std::filesystem::path& file, const CheckpointValues& values,
                        const std::vector<solver::PersistentArray>& arrays, const parallel::Communicator& comm);

/// A file that is damaged, cut off, not there, or not a checkpoint.
class DamagedFile : public Error {
  using Error::Error;
};

class CheckpointFile {
 public:
  /// Compares all checksums. Collective. Throws DamagedFile on all ranks.
  CheckpointFile(std::filesystem::path file, const parallel::Communicator& comm);
  ~CheckpointFile();
  CheckpointFile(CheckpointFile&&) noexcept;

  const std::filesystem::path& path() const { return path_; }
  const CheckpointValues& values() const;  // on all ranks
  bool has(const std::string& array) const;
  /// Fills the arrays. Items that the file does not have keep their values. Collective. Throws Error for an array that
  /// the file does not have, or that has another shape there.
  void read(const std::vector<solver::PersistentArray>& arrays) const;

 private:
  struct Contents;
  void open();
  std::filesystem::path path_;
  const parallel::Communicator& comm_;
  std::unique_ptr<Contents> contents_;
};

}  // namespace dgtd::io
