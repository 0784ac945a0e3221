#pragma once
// A line cut into pieces that are marched one by one (D. L. Golovashkin, S. A. Malysheva, 2010, sec. 4). Each piece is
// extended beyond its interfaces by cells of the medium there and an absorbing layer. Across an interface between nodes
// a - 1 and a the fields of the piece above are total from E_a on, those of the piece below up to H_{a-1/2}; beyond, a
// piece has only what leaves it. What crosses is
//   upward    R = (E_a, H_{a-1/2} - S_H) of the piece below,      downward  S = (E_a - R_E, H_{a-1/2}) of the piece
//   above.
// Where R and S do not change any more, the pieces together fulfil the scheme of the whole line exactly, whatever the
// layers send back: E_a reads H_{a-1/2} = R_H + S_H, and H_{a-1/2} reads E_a = R_E + S_E.
#include "dgtd/fdtd/line/line.hpp"

namespace dgtd::fdtd {

template <class Real>
struct Piece {
  Line<Real> line;         // with its extensions
  int offset = 0;          // the line's index of its cell 0; negative inside an extension beyond the line's end
  int begin = 0, end = 0;  // its own cells
  bool has_lower = false, has_upper = false;  // interfaces, at nodes begin and end
  std::vector<LineDrive<Real>> drives;        // indices in the piece
};

/// Cells of an extension besides its absorbing layer.
inline constexpr int extension_margin = 4;
/// Own cells that a piece must have.
inline constexpr int fewest_piece_cells = 8;

/// The cells between the line's own absorbing layers in `count` parts as equal as can be, cut where no source is. One
/// piece is the line itself. Throws Error (bad_input) where pieces would be too short.
template <class Real>
std::vector<Piece<Real>> cut_line(const grid::Setup& setup, const Discretisation<Real>& d, const Line<Real>& line,
                                  const std::vector<LineDrive<Real>>& drives, int count);

/// Which pieces are solved in which order: up once, then for each re-reflection down and up again.
struct Sweep {
  int first, count;  // pieces
  bool upward;
};
std::vector<Sweep> sweeps_of(int pieces, int reflections);

/// Solutions of a piece in all sweeps: D + 2 (D - 1) G.
inline int solutions(int pieces, int reflections) { return pieces + 2 * (pieces - 1) * reflections; }

}  // namespace dgtd::fdtd
