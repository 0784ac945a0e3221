#pragma once
// The media of E in a tile of a pass over a volume grid: numbers of classes, whose Ca and Cb are in a table, or
// Cb of media without losses. Those of a plane come an iteration before it is computed with.
#include "volume_tile_memory.hpp"

namespace dgtd::fdtd {

template <class Kind>
class VolumeTileMedia {
  using Number = typename Kind::Number;
  using Numbers = typename Kind::Numbers;
  static constexpr int turn = Kind::turn, groups = Kind::row_groups;
  static constexpr int electric = 0;
  static constexpr int x = 0, y = 1, z = 2;

 public:
  /// Media of a component of the thread's cells in a group of rows: classes of 16 bits, or Cb as fields are stored.
  using Two = typename Kind::Media;
  using OfRows = MediaOfRows<Two>;
  struct Common {};  // Ca 1, and Cb in the coefficients
  struct OwnClasses {
    OfRows of[3][groups];
  };
  struct OwnCb {  // Ca 1
    int place;
  };

  /// Media of a thread whose first cell is (column, row).
  __device__ __forceinline__ VolumeTileMedia(const VolumeView& v, VolumeTileMemory<Kind>& memory,
                                             VolumeTileLocals<Kind>& locals, int column, int row)
      : v_(v), m_(memory), locals_(locals), column_(column), row_(row) {
#pragma unroll
    for (int g = 0; g < groups; ++g)
      inside_[g] = column >= 0 && column < v.cells[x] && row_of_group(g) >= 0 && row_of_group(g) < v.cells[y];
  }

  /// place: of the plane among those of a turn.
  __device__ __forceinline__ OfRows& own(int place, int c, int group) {
    if constexpr (Kind::by_plane) return m_.Cb_in_psi_z(place, c, group);
    else if constexpr (Kind::shared_media) return m_.media[place][c][group][threadIdx.x];
    else return locals_.media[place][c][group];
  }
  /// The common medium in all planes of a turn.
  __device__ __forceinline__ void clear() {
    for (int n = 0; n < turn; ++n)
      for (int c = 0; c < 3; ++c)
        for (int g = 0; g < groups; ++g) own(n, c, g) = common();
  }
  /// To shared memory.
  __device__ __forceinline__ void copy_table() {
    for (int i = int(threadIdx.x); i < v_.class_count; i += Kind::warps * 32) m_.classes[i] = v_.classes[i];
  }
  /// Asks for the media of a plane; where there are none they are the common one.
  __device__ __forceinline__ void copy(int place, int plane) {
    const std::int64_t origin = Kind::Cb ? v_.Cb_origin : v_.origin;
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      const bool here = inside_[g] && (Kind::Cb ? plane >= v_.Cb_planes[0] && plane < v_.Cb_planes[1]
                                                : plane < v_.cells[z] && v_.class_of[0] != nullptr);
      const std::int64_t at = origin + plane * v_.plane + row_of_group(g) * v_.row + column_;
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        OfRows& to = own(place, c, g);
        if (!here) {
          to = common();
        } else if constexpr (Kind::shared_media || Kind::by_plane) {
          parallel::copy_bytes<sizeof(Two)>(&to.of_row[0], media_at(c, at));
          parallel::copy_bytes<sizeof(Two)>(&to.of_row[1], media_at(c, at + v_.row));
        } else {
          to = {{__ldg(media_at(c, at)), __ldg(media_at(c, at + v_.row))}};
        }
      }
    }
  }
  /// Whether a plane has Cb other than the common one.
  __device__ __forceinline__ bool has_Cb(int plane) const {
    return plane >= v_.Cb_planes[0] && plane < v_.Cb_planes[1];
  }
  /// Cb of component c of the thread's i-th cell in its r-th row.
  __device__ __forceinline__ Number Cb_of(const OwnCb& Cb, int c, int r, int i) {
    Two two[groups];
#pragma unroll
    for (int g = 0; g < groups; ++g) two[g] = own(Cb.place, c, g).of_row[r];
    return Numbers::column(two, i);
  }
  __device__ __forceinline__ MediumClass<float> medium(const OwnClasses& classes, int c, int group, int r,
                                                       int i) const {
    const unsigned two = classes.of[c][group].of_row[r];
    const unsigned place = i == 0 ? two & 0xffffu : two >> 16;
    const auto at = [&](const MediumClass<float>* classes, unsigned bytes) DGTD_INLINE {
      return reinterpret_cast<const float2*>(reinterpret_cast<const char*>(classes) + bytes);
    };
    const float2 both = Kind::has_table ? *at(m_.classes, place) : __ldg(at(v_.classes, place * v_.class_stride));
    return {both.x, both.y};
  }
  /// 1 over the distance at a cell along an axis, of y at those of all groups of rows; 0 outside the grid.
  __device__ __forceinline__ Number inverse_at(int axis, int cell) const {
    return Numbers::of_groups([&](int group) DGTD_INLINE {
      const int at = cell + (axis == y ? group * Kind::rows_of_group : 0);
      return at >= 0 && at < v_.cells[axis] ? Numbers::in_lengths(v_.inverse[axis][at], v_.length) : 0.f;
    });
  }

 private:
  __device__ __forceinline__ int row_of_group(int group) const { return row_ + group * Kind::rows_of_group; }
  __device__ __forceinline__ OfRows common() const {
    if constexpr (Kind::Cb) {
      const Two two = Numbers::two_stored(Numbers::same(Numbers::in_lengths(v_.Cb[electric], v_.per_length)));
      return {{two, two}};
    } else {
      return {{0, 0}};
    }
  }
  /// Address of the media of two adjacent cells; at: place of the first one.
  __device__ __forceinline__ const Two* media_at(int c, std::int64_t at) const {
    if constexpr (Kind::Cb)
      return reinterpret_cast<const Two*>(static_cast<const typename Numbers::Stored*>(v_.Cb_of[c]) + at);
    else return reinterpret_cast<const Two*>(v_.class_of[c] + at);
  }

  const VolumeView& v_;
  VolumeTileMemory<Kind>& m_;
  VolumeTileLocals<Kind>& locals_;
  const int column_, row_;
  bool inside_[groups];
};

}  // namespace dgtd::fdtd
