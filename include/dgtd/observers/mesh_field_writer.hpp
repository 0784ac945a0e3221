#pragma once
// Fields on tetrahedra: STEM.pvtu with one piece STEM_RANK.vtu per rank.
#include "dgtd/io/vtk_output.hpp"
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/observers/field_writer.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::observers {

class MeshFieldWriter final : public FieldWriter {
 public:
  /// order: of the solver's polynomials. All arguments but the selection outlive the writer. Throws Error (bad_input)
  /// for groups that do not exist and for shared points with E, H or a degree above 1.
  MeshFieldWriter(const solver::ElementSolver& solver, const mesh::Subdomain& mesh, int order, FieldSelection selection,
                  const parallel::Communicator& comm);

  std::string index_name(const std::string& stem) const override { return stem + ".pvtu"; }
  std::int64_t write_present(const io::PiecedFile& to, const std::vector<io::CellQuantity>& cell) const override;
  std::int64_t write_phasors(const io::PiecedFile& to, const std::vector<double>& frequencies, bool peak,
                             const std::vector<io::CellQuantity>& cell) const override;
  std::int64_t bytes_present(std::size_t quantities) const override;
  std::int64_t bytes_phasors(const std::vector<double>& frequencies, std::size_t quantities) const override;
  std::string final_stem() const override { return "result"; }

 private:
  /// Without columns.
  io::TetrahedraFile file_of(const FieldChoice& choice) const;
  bool shares_points(const FieldChoice& choice) const;
  static io::Columns columns_of_cells(const std::vector<io::CellQuantity>& cell, const io::TetrahedraFile& file);
  std::int64_t write(const io::PiecedFile& to, io::TetrahedraFile& file) const;

  const solver::ElementSolver& solver_;
  const mesh::Subdomain& mesh_;
  int order_;
  FieldSelection selection_;
  std::vector<bool> chosen_;  // [volume groups]
  const parallel::Communicator& comm_;
};

}  // namespace dgtd::observers
