#pragma once
// Fields as VTK arrays.
#include "dgtd/config/case.hpp"
#include "dgtd/io/vtk_output.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::app {

bool wants(const config::Case& c, const char* field);  // output.fields
io::Piece empty_piece(const config::Case& c, const mesh::Subdomain& mesh);
/// Real and imaginary parts of E and H, and |E|, at each frequency.
void add_phasors(const config::Case& c, const solver::ElementSolver& solver, const std::vector<double>& frequencies,
                 io::Piece& piece);
/// E and H as they are now.
void add_present(const config::Case& c, const solver::ElementSolver& solver, io::Piece& piece);

}  // namespace dgtd::app
