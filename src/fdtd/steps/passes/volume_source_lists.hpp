#pragma once
// The additions of sources and the edges of lumped ports in the tiles of passes over a volume grid: by plane, field and
// warp of a tile, those of one place of different lanes in one term (VolumeSources).
#include <utility>
#include <vector>

#include "fdtd/steps/passes/volume_contents.hpp"
#include "fdtd/steps/passes/volume_tables.hpp"

namespace dgtd::fdtd {

class VolumeSourceLists {
 public:
  /// For so many stored planes of cells and passes of so many steps. ports: indices of their edges in
  /// [component][reals]; row_groups: numbers in a word of a tile.
  VolumeSourceLists(const GridLayout& layout, const std::vector<SourceList>& sources,
                    const std::vector<std::uint64_t>& ports, int planes, int steps, int row_groups);

  /// The first plane with an entry in the region and the one after the last; equal or descending: there is none.
  std::pair<int, int> planes_in(const VolumeRegion& r) const;
  /// Whether an edge of a port is in the region.
  bool has_ports(const VolumeRegion& r) const;
  /// Adds the entries in a task's cells to the tables and their place there to the task. Returns whether there are
  /// edges of ports.
  bool add(VolumeTask& task, const VolumeRegion& r, VolumeTables& tables) const;
  /// Empty lists for a task whose kernel reads some.
  void add_none(VolumeTask& task, VolumeTables& tables) const;

 private:
  static constexpr int of_ports = 2, fields = 3;  // E, H and, as one more field, edges of ports
  struct PlacedEntry {
    int cell[3], component, field, number;  // number: among entries of sources, or edges of ports
  };
  struct Term {
    int at;
    const PlacedEntry* entry[32];  // [lane] null: none
  };
  // The first entry of row j of plane k or of those after it.
  std::size_t row_begin(int k, int j) const;
  // Whether plane k of a region has any.
  bool has_entries(const VolumeRegion& r, int k) const;
  int first_plane(const VolumeTask& task) const;
  int end_plane(const VolumeTask& task) const;
  void place(const GridLayout& layout, std::uint64_t index, int field, int number);
  static void add_term(const VolumeTask& task, const Term& term, VolumeTables& tables);

  const int rows_, planes_, steps_, row_groups_;  // rows: of cells of a plane
  std::vector<PlacedEntry> placed_;               // by plane and row, in the order of the list
  std::vector<int> column_;                       // [placed_] of the entries, rising in each row
  std::vector<std::size_t> row_begin_;            // [plane][row] and one more
  std::vector<PlacedEntry> ports_;                // those of ports, by plane
};

}  // namespace dgtd::fdtd
