#pragma once
// A line cut into subdomains that are marched one by one (D. L. Golovashkin, S. A. Malysheva, 2010, sec. 4). Each
// subdomain is extended beyond its interfaces by cells of the medium there and an absorbing layer. Across an interface
// between nodes a - 1 and a the fields of the subdomain above are total from E_a on, those of the subdomain below up to
// H_{a-1/2}; beyond, a subdomain has only what leaves it. What crosses is
//   upward    R = (E_a, H_{a-1/2} - S_H) of the subdomain below,      downward  S = (E_a - R_E, H_{a-1/2}) of the
//   subdomain above.
// Where R and S do not change any more, the subdomains together fulfil the scheme of the whole line exactly, whatever
// the layers send back: E_a reads H_{a-1/2} = R_H + S_H, and H_{a-1/2} reads E_a = R_E + S_E.
#include "dgtd/reproductions/line/line.hpp"

namespace dgtd::reproductions {

template <class Real>
struct Subdomain {
  Line<Real> line;         // with its extensions
  int offset = 0;          // the line's index of its cell 0; negative inside an extension beyond the line's end
  int begin = 0, end = 0;  // its own cells
  bool has_lower = false, has_upper = false;  // interfaces, at nodes begin and end
  std::vector<CellSource<Real>> drives;       // indices in the subdomain
};

/// Cells of an extension besides its absorbing layer.
inline constexpr int extension_margin = 4;
/// Own cells that a subdomain must have.
inline constexpr int fewest_subdomain_cells = 8;

/// The cells between the line's own absorbing layers in `count` parts as equal as can be, cut where no source is. One
/// subdomain is the line itself. Throws Error (bad_input) where subdomains would be too short.
template <class Real>
std::vector<Subdomain<Real>> cut_line(const grid::Setup& setup, const fdtd::Discretisation<Real>& d,
                                      const Line<Real>& line, const std::vector<CellSource<Real>>& drives, int count);

/// Order in which subdomains are solved: up once, then for each re-reflection down and up again.
struct Sweep {
  int first, count;  // subdomains
  bool upward;
};
std::vector<Sweep> sweeps_of(int subdomains, int reflections);

/// Solutions of a subdomain in all sweeps: D + 2 (D - 1) G.
inline int solutions(int subdomains, int reflections) { return subdomains + 2 * (subdomains - 1) * reflections; }

}  // namespace dgtd::reproductions
