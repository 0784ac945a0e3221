// Files of voxels that dgtd writes, as VTK itself reads them.
#include "dgtd/io/voxel_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkRectilinearGrid.h>
#include <vtkStringArray.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLRectilinearGridReader.h>

#include "io/scratch.hpp"

namespace dgtd::io {
namespace {

namespace fs = std::filesystem;

AveragedVoxels voxels(bool uniform) {
  AveragedVoxels v;
  const int cells[3] = {4, 3, 5};
  for (int a = 0; a < 3; ++a) {
    v.grid.nodes[a] = {0.1 * a};
    for (int i = 0; i < cells[a]; ++i)
      v.grid.nodes[a].push_back(v.grid.nodes[a].back() + (uniform ? 0.01 : 0.01 * (i + 1)));
  }
  v.grid.tissue_names = {"skin", "bone & marrow"};
  v.averages.resize(2);
  v.averages[0].mass_kg = 1e-3;
  v.averages[1].mass_kg = 1e-2;
  for (int n = 0; n < 60; ++n) {
    v.grid.density.push_back(n % 3 == 0 ? 0 : 1000 + float(n));
    v.grid.sar.push_back(0.5f * float(n));
    v.grid.tissue.push_back(n % 3 == 0 ? 2 : n % 2);
    for (auto& average : v.averages) {
      average.sar.push_back(float(n) / float(average.mass_kg));
      average.status.push_back(static_cast<dosimetry::VoxelStatus>(n % 5));
    }
  }
  return v;
}

void expect_arrays(vtkDataSet& data, const AveragedVoxels& v) {
  ASSERT_EQ(data.GetNumberOfCells(), 60);
  const auto value = [&](const char* name, int n) {
    vtkDataArray* const array = data.GetCellData()->GetArray(name);
    EXPECT_TRUE(array) << name;
    return array ? array->GetComponent(n, 0) : -7;
  };
  for (int n = 0; n < 60; ++n) {
    ASSERT_EQ(value("density_kg_per_m3", n), v.grid.density[n]);
    ASSERT_EQ(value("SAR_W_per_kg", n), v.grid.sar[n]);
    ASSERT_EQ(value("tissue", n), n % 3 == 0 ? -1 : n % 2);
    ASSERT_EQ(value("SAR_1g_W_per_kg", n), v.averages[0].sar[n]);
    ASSERT_EQ(value("SAR_10g_W_per_kg", n), v.averages[1].sar[n]);
    ASSERT_EQ(value("SAR_10g_status", n), n % 5);
  }
  auto* const names = vtkStringArray::SafeDownCast(data.GetFieldData()->GetAbstractArray("tissue_names"));
  ASSERT_TRUE(names);
  EXPECT_EQ(names->GetValue(1), "bone & marrow");
  double bounds[6];
  data.GetBounds(bounds);
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(bounds[2 * a], v.grid.nodes[a].front(), 1e-12);
    EXPECT_NEAR(bounds[2 * a + 1], v.grid.nodes[a].back(), 1e-12);
  }
}

// Each process has a folder of its own.
class VoxelFile : public testing::Test {
 protected:
  Scratch scratch_{static_cast<long>(::getpid())};
};

TEST_F(VoxelFile, OfEqualVoxelsIsAnImage) {
  const auto v = voxels(true);
  EXPECT_EQ(voxel_file_name(v.grid.is_uniform()), "sar.vti");
  const auto bytes = write_voxels(scratch_ / "sar.vti", v);
  EXPECT_EQ(bytes, static_cast<std::int64_t>(fs::file_size(scratch_ / "sar.vti")));
  EXPECT_LT(double(bytes) - most_voxel_file_bytes(60, 2), 3000);
  vtkNew<vtkXMLImageDataReader> reader;
  reader->SetFileName((scratch_ / "sar.vti").c_str());
  reader->Update();
  expect_arrays(*reader->GetOutput(), v);
}

// 3.4 million voxels are more than one block of every array, and the last block is shorter; most are outside the body.
TEST_F(VoxelFile, OfABodyInAirIsSmall) {
  AveragedVoxels v;
  const int cells = 151;
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i <= cells; ++i) v.grid.nodes[a].push_back(1e-3 * i);
  v.averages.resize(1);
  v.averages[0].mass_kg = 1e-3;
  for (int k = 0; k < cells; ++k)
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i) {
        const bool inside = (i - 75) * (i - 75) + (j - 75) * (j - 75) + (k - 75) * (k - 75) < 30 * 30;
        v.grid.density.push_back(inside ? 1000 : 0);
        v.grid.sar.push_back(inside ? std::sin(float(i + 7 * j + 31 * k)) : 0);
        v.averages[0].sar.push_back(0.5f * v.grid.sar.back());
        v.averages[0].status.push_back(static_cast<dosimetry::VoxelStatus>(inside));
      }
  const auto bytes = write_voxels(scratch_ / "sar.vti", v);
  EXPECT_LT(bytes, 3 * 4 * 113000) << "113,000 voxels of three numbers";
  vtkNew<vtkXMLImageDataReader> reader;
  reader->SetFileName((scratch_ / "sar.vti").c_str());
  reader->Update();
  auto& data = *reader->GetOutput()->GetCellData();
  for (const auto& [name, values] : {std::pair{"density_kg_per_m3", &v.grid.density},
                                     {"SAR_W_per_kg", &v.grid.sar},
                                     {"SAR_1g_W_per_kg", &v.averages[0].sar}}) {
    vtkDataArray* const array = data.GetArray(name);
    ASSERT_TRUE(array) << name;
    ASSERT_EQ(array->GetNumberOfTuples(), cells * cells * cells);
    for (std::size_t n = 0; n < values->size(); ++n)
      ASSERT_EQ(array->GetComponent(static_cast<vtkIdType>(n), 0), (*values)[n]) << name << " " << n;
  }
}

TEST_F(VoxelFile, OfOthersIsARectilinearGrid) {
  const auto v = voxels(false);
  EXPECT_EQ(voxel_file_name(v.grid.is_uniform()), "sar.vtr");
  write_voxels(scratch_ / "sar.vtr", v);
  vtkNew<vtkXMLRectilinearGridReader> reader;
  reader->SetFileName((scratch_ / "sar.vtr").c_str());
  reader->Update();
  expect_arrays(*reader->GetOutput(), v);
}

}  // namespace
}  // namespace dgtd::io
