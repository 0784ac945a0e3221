#include "dgtd/mesh/identity.hpp"

#include "dgtd/base/hash.hpp"

namespace dgtd::mesh {

std::uint64_t identity(const Subdomain& mesh, const parallel::Communicator& comm) {
  std::uint64_t sum = 0;
  const auto elements = static_cast<std::ptrdiff_t>(mesh.elements());
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::ptrdiff_t e = 0; e < elements; ++e) {
    const auto n = static_cast<std::size_t>(e);
    Hash hash;
    hash.add(mesh.element_id[n]).add(mesh.element_group[n]);
    for (int corner = 0; corner < 4; ++corner) hash.add(mesh.vertex(n, corner));
    for (const FaceLink& face : mesh.element_faces[n])
      hash.add(face.kind == FaceLink::Kind::boundary ? face.index + 1 : std::uint32_t{0});
    if (const CurvedElement* const curved = mesh.curved_element(n)) hash.add(curved->bend);
    sum += hash.value();
  }
  return comm.sum(sum);
}

}  // namespace dgtd::mesh
