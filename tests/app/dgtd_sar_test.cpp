// The program dgtd-sar as a user runs it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkRectilinearGrid.h>
#include <vtkXMLImageDataReader.h>
#include <vtkXMLRectilinearGridReader.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "app/program.hpp"

namespace {

constexpr int n = 24;
constexpr double width = 1e-3;

Outcome dgtd_sar(const std::string& arguments) { return shell(fmt::format("{} {}", DGTD_SAR_PROGRAM, arguments)); }

// Tissue of 1000 kg/m^3 behind two layers of air, with a SAR of 2 W/kg.
std::string cell_data(const char* density = "density", const char* sar = "sar") {
  std::ostringstream text, rho, rate;
  for (int v = 0; v < n * n * n; ++v) rho << (v % n < 2 ? "0 " : "1000 "), rate << (v % n < 2 ? "0 " : "2 ");
  text << "<CellData><DataArray type=\"Float64\" Name=\"" << density << "\" format=\"ascii\">" << rho.str()
       << "</DataArray><DataArray type=\"Float32\" Name=\"" << sar << "\" format=\"ascii\">" << rate.str()
       << "</DataArray><DataArray type=\"Int32\" Name=\"label\" format=\"ascii\">";
  for (int v = 0; v < n * n * n; ++v) text << v % 7 << " ";
  text << "</DataArray></CellData>";
  return text.str();
}

class DgtdSar : public testing::Test {
 protected:
  fs::path directory_ = work(std::string("sar_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  // In metres times `unit`.
  void write_image(const std::string& name, const std::string& cells, double unit = 1) const {
    std::ofstream(directory_ / name)
        << "<?xml version=\"1.0\"?><VTKFile type=\"ImageData\" version=\"1.0\" "
           "byte_order=\"LittleEndian\"><ImageData WholeExtent=\"3 27 0 24 0 24\" Origin=\""
        << 0.1 * unit << " 0 0\" Spacing=\"" << width * unit << " " << width * unit << " " << width * unit
        << "\"><Piece Extent=\"3 27 0 24 0 24\">" << cells << "</Piece></ImageData></VTKFile>";
  }
  void write_rectilinear(const std::string& name) const {
    std::ostringstream x;
    for (int i = 0; i <= n; ++i) x << i * width << " ";
    std::ofstream file(directory_ / name);
    file << "<?xml version=\"1.0\"?><VTKFile type=\"RectilinearGrid\" version=\"1.0\" byte_order=\"LittleEndian\">"
            "<RectilinearGrid WholeExtent=\"0 24 0 24 0 24\"><Piece Extent=\"0 24 0 24 0 24\">"
         << cell_data() << "<Coordinates>";
    for (int a = 0; a < 3; ++a) file << "<DataArray type=\"Float64\" format=\"ascii\">" << x.str() << "</DataArray>";
    file << "</Coordinates></Piece></RectilinearGrid></VTKFile>";
  }
  void expect_error(const std::string& arguments, const std::string& error) {
    const auto run = dgtd_sar(arguments);
    EXPECT_EQ(run.code, 2) << arguments;
    EXPECT_EQ(run.output, "dgtd-sar: error: " + error + "\n");
  }
};

TEST_F(DgtdSar, HelpAndVersion) {
  EXPECT_EQ(dgtd_sar("--version").output, "dgtd-sar " DGTD_VERSION "\n");
  const auto help = dgtd_sar("--help");
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"--mass", "-o", "--unit", "SAR_1g_W_per_kg", "SAR_1g_status", ".vti", ".vtr"})
    EXPECT_NE(help.output.find(word), std::string::npos) << word;
}

// The status of every voxel is known: the tissue is a block of 22 x 24 x 24 voxels and a cube of 1 g has ten.
void expect_averages(vtkDataSet& data) {
  ASSERT_EQ(data.GetNumberOfCells(), n * n * n);
  vtkCellData* const cells = data.GetCellData();
  for (const char* name : {"density", "sar", "label", "SAR_1g_W_per_kg", "SAR_1g_status", "SAR_1g_orientation",
                           "SAR_1g_side_m", "SAR_0.5g_W_per_kg", "SAR_0.5g_status"})
    ASSERT_TRUE(cells->GetArray(name)) << name;
  for (int v = 0; v < n * n * n; ++v) {
    const int i = v % n - 2, j = v / n % n, k = v / n / n;
    const auto depth = [](int at, int of) { return std::min(at, of - 1 - at); };
    const int least = std::min({depth(i, n - 2), depth(j, n), depth(k, n)});
    ASSERT_EQ(cells->GetArray("SAR_1g_status")->GetComponent(v, 0), i < 0        ? 0
                                                                    : least >= 5 ? 1
                                                                    : least >= 1 ? 2
                                                                                 : 3)
        << v;
    ASSERT_NEAR(cells->GetArray("SAR_1g_W_per_kg")->GetComponent(v, 0), i < 0 ? 0 : 2, 1e-6) << v;
    if (least >= 5) { ASSERT_NEAR(cells->GetArray("SAR_1g_side_m")->GetComponent(v, 0), 0.01, 1e-8) << v; }
    ASSERT_EQ(cells->GetArray("label")->GetComponent(v, 0), v % 7);
  }
}

TEST_F(DgtdSar, AveragesImages) {
  write_image("in.vti", cell_data());
  const auto run = dgtd_sar(path("in.vti") + " --mass 1 0.5 -o " + path("out.vti"));
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("in.vti: 24 x 24 x 24 voxels in 24 x 24 x 24 mm, 12672 of tissue with 12.672 g\n"),
            std::string::npos)
      << run.output;
  EXPECT_NE(run.output.find("SAR 1g: peak 2 W/kg at ("), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("SAR 1g: 2352 valid, 7328 used, 2992 unused voxels, 0 without a cube\n"), std::string::npos)
      << run.output;
  vtkNew<vtkXMLImageDataReader> reader;
  reader->SetFileName(path("out.vti").c_str());
  reader->Update();
  expect_averages(*reader->GetOutput());
  EXPECT_NEAR(reader->GetOutput()->GetBounds()[0], 0.103, 1e-9);
}

TEST_F(DgtdSar, AveragesRectilinearGrids) {
  write_rectilinear("in.vtr");
  const auto run = dgtd_sar(path("in.vtr") + " --mass 1 0.5 -o " + path("out.vtr"));
  ASSERT_EQ(run.code, 0) << run.output;
  vtkNew<vtkXMLRectilinearGridReader> reader;
  reader->SetFileName(path("out.vtr").c_str());
  reader->Update();
  expect_averages(*reader->GetOutput());
}

// Millimetres, other names of the arrays, and no output.
TEST_F(DgtdSar, LengthsMayHaveAnotherUnit) {
  write_image("in.vti", cell_data("density_kg_per_m3", "SAR_W_per_kg"), 1000);
  const auto run = dgtd_sar(path("in.vti") + " --mass 1 --unit 0.001");
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("2352 valid, 7328 used, 2992 unused voxels"), std::string::npos) << run.output;
  const auto light = dgtd_sar(path("in.vti") + " --mass 20 --unit 0.001");
  EXPECT_EQ(light.code, 0);
  EXPECT_NE(
      light.output.find("SAR 20g: no cube has this mass, so there is no average; all tissue together has 12.672 g\n"),
      std::string::npos)
      << light.output;
  EXPECT_NE(light.output.find("0 valid, 0 used, 0 unused voxels, 12672 without a cube\n"), std::string::npos);
}

TEST_F(DgtdSar, ErrorsSayWhatIsAllowed) {
  const std::string usage = " (usage: dgtd-sar IN --mass GRAMS... [-o OUT] [--unit METRES] [--backend NAME])";
  write_image("in.vti", cell_data());
  const std::string in = path("in.vti");
  expect_error(in, "the option '--mass' is required but missing" + usage);
  expect_error(in + " --mas 1", "unrecognised option '--mas'" + usage);
  expect_error(in + " --mass 1 --unit 0", "--unit 0: must be positive, in m");
  expect_error(in + " --mass 1 -2", "unrecognised option '-2'" + usage);
  expect_error(in + " --mass 0", "--mass 0: must be positive, in g");
  expect_error(in + " --mass 1 --backend gpu", "--backend gpu: allowed are auto, cpu, cuda");
  expect_error(in + " --mass 1 10 1", "--mass 1 1: each mass once");
  expect_error(in + " --mass 1 -o out.vtr", "--output = out.vtr: must end in .vti, as the input");
  expect_error(path("a.vti") + " --mass 1", path("a.vti") + ": cannot be opened");
  expect_error(path("a.vtu") + " --mass 1",
               path("a.vtu") + ": ends in '.vtu'; allowed are .vti (ImageData) and .vtr (RectilinearGrid)");
  write_image("bad.vti", cell_data("rho", "sar"));
  expect_error(
      path("bad.vti") + " --mass 1",
      path("bad.vti") + ": no cell array 'density' (density_kg_per_m3 is accepted too); it has rho, sar, label");
  std::ofstream(directory_ / "half.vti") << content(in).substr(0, 3000);
  expect_error(path("half.vti") + " --mass 1", path("half.vti") + ": cannot be read as VTK ImageData (.vti)");
  const auto nowhere = dgtd_sar(in + " --mass 1 -o " + path("no/where.vti"));
  EXPECT_EQ(nowhere.code, 1);
  EXPECT_NE(nowhere.output.find("dgtd-sar: error: " + path("no/where.vti") + ": cannot be written\n"),
            std::string::npos)
      << nowhere.output;
}

// Power over density is no number outside of the body.
TEST_F(DgtdSar, SarOutsideOfTheBodyMayBeNoNumber) {
  const std::string cells = cell_data();
  write_image("zero.vti", cells);
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = cells;
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
    return text;
  };
  write_image("nan.vti", replaced("0 0 2 ", "nan nan 2 "));
  const auto peaks = [&](const std::string& name) {
    const auto run = dgtd_sar(path(name) + " --mass 1");
    EXPECT_EQ(run.code, 0) << run.output;
    const auto first = run.output.find("SAR 1g: ");
    return first == run.output.npos ? run.output : run.output.substr(first, run.output.find("\naveraged") - first);
  };
  ASSERT_NE(content(path("nan.vti")).find("nan"), std::string::npos);
  EXPECT_EQ(peaks("nan.vti"), peaks("zero.vti"));
  write_image("inside.vti", replaced("2 2 2 ", "2 nan 2 "));
  EXPECT_NE(dgtd_sar(path("inside.vti") + " --mass 1").output.find(" W/kg; it must be finite and not negative\n"),
            std::string::npos);
  write_image("none.vti", replaced("1000 ", "0 "));
  expect_error(path("none.vti") + " --mass 1",
               path("none.vti") + ": the density is 0 in all voxels, so there is no tissue to average over");
}

TEST_F(DgtdSar, StandardOutputThatCannotBeWritten) {
  write_image("in.vti", cell_data());
  for (const std::string& arguments : {path("in.vti") + " --mass 1", std::string("--help"), std::string("--version")}) {
    const auto run = shell(fmt::format("sh -c 'exec 3>&2; {} {} 2>&3 >/dev/full'", DGTD_SAR_PROGRAM, arguments));
    EXPECT_EQ(run.code, 1) << arguments;
    EXPECT_EQ(run.output, "dgtd-sar: error: standard output: cannot write\n");
  }
}

TEST_F(DgtdSar, FilesBeyondTheLimitOfTheirSize) {
  write_image("in.vti", cell_data());
  const auto run = shell(fmt::format("bash -c 'ulimit -f 100; exec {} {} --mass 1 -o {}'", DGTD_SAR_PROGRAM,
                                     path("in.vti"), path("out.vti")));
  EXPECT_EQ(run.code, 1) << run.output;
  EXPECT_NE(run.output.find("dgtd-sar: error: " + path("out.vti") + ": cannot be written"), std::string::npos)
      << run.output;
  EXPECT_FALSE(fs::exists(path("out.vti")));
}

// VTK has warnings of several lines for these.
TEST_F(DgtdSar, MessagesAreOnlyOurs) {
  write_image("in.vti", cell_data());
  std::string text = content(path("in.vti"));
  text.replace(text.find("version=\"1.0\" "), 13, "version=\"9.9\"");
  std::ofstream(directory_ / "version.vti") << text;
  const auto run = dgtd_sar(path("version.vti") + " --mass 1");
  EXPECT_EQ(run.output.find("WARN"), std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("vtk"), std::string::npos) << run.output;
}

}  // namespace
