// Grids that dgtd writes, as VTK itself reads them.
#include "dgtd/io/vtk_grid.hpp"

#include <gtest/gtest.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkRectilinearGrid.h>
#include <vtkStringArray.h>
#include <vtkXMLPRectilinearGridReader.h>

#include "dgtd/io/text_files.hpp"
#include "io/scratch.hpp"

namespace dgtd::io {
namespace {

namespace fs = std::filesystem;
using parallel::Communicator;

// A number that names the cell, and a component.
double value(std::int64_t i, std::int64_t j, std::int64_t k, int component) {
  return 1 + double(i) + 0.1 * double(j) + 0.01 * double(k) + 1000 * component;
}

// One material below z = 4 and x = 0, another one beside it, the last one above.
struct Layers final : grid::Media {
  int last;
  explicit Layers(int last) : last(last) {}
  int material_at(const Vec3& x) const override { return x.z > 4 ? last : x.x > 0 ? 1 : 0; }
  int filling(const Vec3& centre, const Vec3& size) const override { return centre.z - 0.5 * size.z > 4 ? last : -1; }
  grid::LocalMedium electric(const Vec3& place, const Vec3&, const Vec3&, int) const override {
    return {material_at(place)};
  }
};

class VtkGrid : public testing::Test {
 protected:
  Communicator communicator_;
  Scratch scratch_{communicator_.broadcast_value(static_cast<long>(::getpid()))};
  ResultFiles files_{scratch_.path(), communicator_.is_root()};

  ~VtkGrid() override { communicator_.barrier(); }

  static grid::CartesianGrid grid() {
    grid::CartesianGrid g;
    g.spacing = {std::vector<double>{0.5, 0.25, 0.5, 1.0, 0.1}, std::vector<double>(4, 0.2),
                 std::vector<double>(6, 0.3)};
    g.origin = {-1, 2, 3};
    return g;
  }

  // Layers of `whole` along z are dealt to the ranks.
  static NodeExtent part(NodeExtent whole, const Communicator& communicator) {
    const std::int64_t layers = whole.last[2] - whole.first[2], first = whole.first[2];
    if (layers == 0) return whole;
    whole.first[2] = first + layers * communicator.rank() / communicator.size();
    whole.last[2] = first + layers * (communicator.rank() + 1) / communicator.size();
    return whole;
  }

  static Columns columns(const NodeExtent& mine) {
    return {{{"scalar", 1}, {"vector & more", 3}},
            [mine](std::size_t first, std::size_t count, std::span<double* const> values) {
              const auto n = [&](int a) { return std::max<std::int64_t>(1, mine.last[a] - mine.first[a]); };
              for (std::size_t row = 0; row < count; ++row) {
                const auto cell = static_cast<std::int64_t>(first + row);
                const std::int64_t i = mine.first[0] + cell % n(0), j = mine.first[1] + cell / n(0) % n(1),
                                   k = mine.first[2] + cell / n(0) / n(1);
                values[0][row] = value(i, j, k, 7);
                for (int c = 0; c < 3; ++c) values[1][3 * row + static_cast<std::size_t>(c)] = value(i, j, k, c);
              }
            }};
  }

  // Each cell of the file has the values of its indices, which follow from its place.
  static void check(const fs::path& index, const grid::CartesianGrid& g, const NodeExtent& whole) {
    vtkNew<vtkXMLPRectilinearGridReader> reader;
    reader->SetFileName(index.c_str());
    reader->Update();
    vtkRectilinearGrid* read = reader->GetOutput();
    ASSERT_EQ(read->GetNumberOfCells(), static_cast<vtkIdType>(whole.cells()));
    auto* scalar = read->GetCellData()->GetArray("scalar");
    auto* vector = read->GetCellData()->GetArray("vector & more");
    ASSERT_TRUE(scalar && vector);
    for (vtkIdType c = 0; c < read->GetNumberOfCells(); ++c) {
      const double* const bounds = read->GetCell(c)->GetBounds();
      std::int64_t at[3];
      for (int a = 0; a < 3; ++a) {
        at[a] = g.nearest_node(a, bounds[2 * a]);
        EXPECT_NEAR(g.nodes(a)[static_cast<std::size_t>(at[a])], bounds[2 * a], 1e-12);
      }
      EXPECT_NEAR(scalar->GetTuple1(c), value(at[0], at[1], at[2], 7), 1e-3);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(vector->GetComponent(c, k), value(at[0], at[1], at[2], k), 1e-3);
    }
  }
};

TEST_F(VtkGrid, IsReadBackByVtk) {
  const auto g = grid();
  const NodeExtent whole{{0, 0, 0}, {5, 4, 6}}, mine = part(whole, communicator_);
  if (communicator_.is_root()) fs::create_directories(scratch_ / "out");
  communicator_.barrier();
  for (const auto precision : {FilePrecision::single_precision, FilePrecision::double_precision}) {
    const GridFile file{&g, whole, &mine, precision, columns(mine)};
    ResultFiles files(scratch_ / "out", communicator_.is_root());
    const std::int64_t bytes = write_vtr({files, "fields"}, file, communicator_);
    EXPECT_EQ(bytes, vtr_bytes(file));
    EXPECT_EQ(bytes, fs::file_size(scratch_ / ("out/fields_" + std::to_string(communicator_.rank()) + ".vtr")));
    communicator_.barrier();
    check(scratch_ / "out/fields.pvtr", g, whole);
    communicator_.barrier();
  }
}

// The material at the centre of each cell, in one byte, or in four where there are more than 256.
TEST_F(VtkGrid, HasTheMaterialsOfItsCells) {
  const auto g = grid();
  const NodeExtent whole{{0, 0, 0}, {5, 4, 6}}, mine = part(whole, communicator_);
  for (const int count : {3, 300}) {
    GridFile file{&g, whole, &mine, FilePrecision::single_precision, columns(mine)};
    for (int m = 0; m < count; ++m) file.materials.names.push_back("tissue " + std::to_string(m));
    const Layers layers(count - 1);
    file.materials.media = &layers;
    const std::string stem = "of_" + std::to_string(count);
    const std::int64_t bytes = write_vtr({files_, stem}, file, communicator_);
    EXPECT_EQ(bytes, vtr_bytes(file));
    communicator_.barrier();
    check(scratch_ / (stem + ".pvtr"), g, whole);
    vtkNew<vtkXMLPRectilinearGridReader> reader;
    reader->SetFileName((scratch_ / (stem + ".pvtr")).c_str());
    reader->Update();
    auto* const material = reader->GetOutput()->GetCellData()->GetArray("material");
    ASSERT_TRUE(material);
    EXPECT_EQ(material->GetDataTypeSize(), count == 3 ? 1 : 4);
    for (vtkIdType c = 0; c < reader->GetOutput()->GetNumberOfCells(); ++c) {
      const double* const b = reader->GetOutput()->GetCell(c)->GetBounds();
      EXPECT_EQ(material->GetTuple1(c),
                layers.material_at({0.5 * (b[0] + b[1]), 0.5 * (b[2] + b[3]), 0.5 * (b[4] + b[5])}));
    }
    auto* const names =
        vtkStringArray::SafeDownCast(reader->GetOutput()->GetFieldData()->GetAbstractArray("material_names"));
    ASSERT_TRUE(names);
    EXPECT_EQ(names->GetValue(2), "tissue 2");
  }
}

TEST_F(VtkGrid, MayBeABoxOfTheGridOrAPlane) {
  const auto g = grid();
  const NodeExtent box{{1, 1, 2}, {4, 3, 5}}, mine = part(box, communicator_);
  write_vtr({files_, "box"}, {&g, box, &mine, FilePrecision::single_precision, columns(mine)}, communicator_);
  communicator_.barrier();
  check(scratch_ / "box.pvtr", g, box);
  // One rank has the plane.
  const NodeExtent plane{{1, 2, 0}, {5, 2, 6}};
  const bool has = communicator_.rank() == communicator_.size() - 1;
  write_vtr({files_, "plane"}, {&g, plane, has ? &plane : nullptr, FilePrecision::single_precision, columns(plane)},
            communicator_);
  communicator_.barrier();
  check(scratch_ / "plane.pvtr", g, plane);
}

TEST_F(VtkGrid, LosesThePiecesOfTheRunThatIsContinued) {
  const auto g = grid();
  if (communicator_.is_root()) {
    ResultFiles before(scratch_.path());
    before.start();
    before.add({"fields.pvtr", Lifetime::kept, "fields.pvd", {"fields_0.vtr", "fields_9.vtr"}});
    write_text(scratch_ / "fields_9.vtr", "");
    files_.start(true);
  }
  communicator_.barrier();
  const NodeExtent whole{{0, 0, 0}, {5, 4, 6}}, mine = part(whole, communicator_);
  write_vtr({files_, "fields"}, {&g, whole, &mine, FilePrecision::single_precision, columns(mine)}, communicator_);
  EXPECT_FALSE(fs::exists(scratch_ / "fields_9.vtr"));
  EXPECT_TRUE(fs::exists(scratch_ / ("fields_" + std::to_string(communicator_.rank()) + ".vtr")));
}

}  // namespace
}  // namespace dgtd::io
