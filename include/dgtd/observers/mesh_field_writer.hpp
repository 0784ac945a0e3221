#pragma once
// Fields on tetrahedra: STEM.pvtu with one piece STEM_RANK.vtu per rank.
#include "dgtd/mesh/subdomain.hpp"
#include "dgtd/observers/field_writer.hpp"
#include "dgtd/solver/solver.hpp"

namespace dgtd::observers {

class MeshFieldWriter final : public FieldWriter {
 public:
  /// order: of the solver's polynomials. All arguments but the selection outlive the writer.
  MeshFieldWriter(const solver::ElementSolver& solver, const mesh::Subdomain& mesh, int order, FieldSelection selection,
                  const parallel::Communicator& comm);

  std::string index_name(const std::string& stem) const override { return stem + ".pvtu"; }
  void write_present(const std::string& stem, std::vector<io::Array> cell) const override;
  void write_phasors(const std::string& stem, const std::vector<double>& frequencies, bool peak,
                     std::vector<io::Array> cell) const override;
  std::string final_stem() const override { return "result"; }

 private:
  void write(const std::string& stem, std::vector<io::Array> point, std::vector<io::Array> cell) const;

  const solver::ElementSolver& solver_;
  const mesh::Subdomain& mesh_;
  int order_;
  FieldSelection selection_;
  const parallel::Communicator& comm_;
};

}  // namespace dgtd::observers
