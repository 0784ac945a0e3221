#include <gtest/gtest.h>

#include <complex>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "dgtd/base/constants.hpp"
#include "dgtd/base/error.hpp"
#include "dgtd/physics/tissue.hpp"
#include "support/error_message.hpp"

namespace dgtd::physics {
namespace {

struct Published {
  const char* name;
  double frequency, permittivity, conductivity;
};

// Values of the IFAC tables for the model of Gabriel et al. 1996.
TEST(Tissue, PublishedValues) {
  const Published values[] = {
      {"Skin (Dry)", 900e6, 41.405, 0.8666},           {"Bone (Cortical)", 900e6, 12.454, 0.1433},
      {"Cerebro Spinal Fluid", 900e6, 68.638, 2.4126}, {"Brain (Grey Matter)", 900e6, 52.725, 0.9423},
      {"Brain (White Matter)", 900e6, 38.886, 0.5908}, {"Skin (Dry)", 1800e6, 38.872, 1.1845},
      {"Bone (Cortical)", 1800e6, 11.781, 0.2752},     {"Cerebro Spinal Fluid", 1800e6, 67.200, 2.9236},
      {"Brain (Grey Matter)", 1800e6, 50.079, 1.3913}, {"Brain (White Matter)", 1800e6, 37.011, 0.9150},
  };
  for (const Published& p : values) {
    const TissueProperties computed = tissue_properties(p.name, p.frequency);
    EXPECT_NEAR(computed.permittivity, p.permittivity, 1e-3 * p.permittivity) << p.name << " at " << p.frequency;
    EXPECT_NEAR(computed.conductivity, p.conductivity, 1e-3 * p.conductivity) << p.name << " at " << p.frequency;
  }
}

// The same tables at 900 MHz for tissues of the eye and of the face.
TEST(Tissue, PublishedValuesOfSmallTissues) {
  const Published values[] = {
      {"Eye Lens", 900e6, 46.573, 0.79345},  {"Eye Sclera", 900e6, 55.271, 1.1668},
      {"Nerve", 900e6, 32.531, 0.57369},     {"Thyroid", 900e6, 59.684, 1.0385},
      {"Tongue", 900e6, 55.271, 0.93613},    {"Cornea", 900e6, 55.235, 1.3943},
      {"Muscle", 900e6, 55.032, 0.94294},    {"Blood", 900e6, 61.360, 1.5379},
      {"Cartilage", 900e6, 42.653, 0.78239},
  };
  for (const Published& p : values) {
    const TissueProperties computed = tissue_properties(p.name, p.frequency);
    EXPECT_NEAR(computed.permittivity, p.permittivity, 1e-3 * p.permittivity) << p.name;
    EXPECT_NEAR(computed.conductivity, p.conductivity, 1e-3 * p.conductivity) << p.name;
  }
  EXPECT_EQ(tissue_properties("Parotid Gland", 2e9).conductivity, tissue_properties("Thyroid", 2e9).conductivity);
  EXPECT_EQ(tissue_model("parotid gland"), "Thyroid");
}

// The library against the table of parameters beside the project, from 1 MHz to 20 GHz:
// eps = eps_inf + sum_n delta_n / (1 + (j omega tau_n)^(1 - alpha_n)) + sigma / (j omega eps0).
TEST(Tissue, EqualsTheTableBesideTheProject) {
  std::ifstream table(DGTD_SHARED_TISSUES "/gabriel1996_cole_cole.tsv");
  if (!table) GTEST_SKIP() << DGTD_SHARED_TISSUES "/gabriel1996_cole_cole.tsv: no such file";
  using Complex = std::complex<double>;
  int rows = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream columns(line);
    std::string name;
    std::getline(columns, name, '\t');
    double eps_infinity, sigma, delta[4], tau[4], alpha[4];  // tau: ps, ns, us, ms
    columns >> eps_infinity >> delta[0] >> tau[0] >> alpha[0] >> delta[1] >> tau[1] >> alpha[1] >> sigma >> delta[2] >>
        tau[2] >> alpha[2] >> delta[3] >> tau[3] >> alpha[3];
    ASSERT_TRUE(columns) << line;
    const double unit[4] = {1e-12, 1e-9, 1e-6, 1e-3};
    for (const double frequency : {1e6, 1e8, 9e8, 1.8e9, 2.45e9, 2e10}) {
      const double omega = 2 * pi * frequency;
      Complex eps = eps_infinity + sigma / Complex(0, omega * vacuum_permittivity);
      for (int n = 0; n < 4; ++n)
        eps += delta[n] / (1.0 + std::pow(Complex(0, omega * tau[n] * unit[n]), 1 - alpha[n]));
      const TissueProperties computed = tissue_properties(name, frequency);
      EXPECT_NEAR(computed.permittivity, eps.real(), 1e-9 * eps.real()) << name << " at " << frequency;
      EXPECT_NEAR(computed.conductivity, -omega * vacuum_permittivity * eps.imag(), 1e-9 * computed.conductivity)
          << name << " at " << frequency;
    }
    ++rows;
  }
  EXPECT_EQ(rows, 14);
}

// kg/m^3 of the IT'IS database 4.1; all tissues are between fat and cortical bone.
TEST(Tissue, Densities) {
  EXPECT_EQ(tissue_density("Fat (Not Infiltrated)"), 911);
  EXPECT_EQ(tissue_density("Bone (Cortical)"), 1908);
  EXPECT_EQ(tissue_density("Skin (Dry)"), 1109);
  EXPECT_EQ(tissue_density("Muscle"), 1090);
  for (const std::string& name : tissue_names()) {
    EXPECT_GE(tissue_density(name), 911) << name;
    EXPECT_LE(tissue_density(name), 1908) << name;
  }
}

TEST(Tissue, DensityIsThatOfTheTissueUnlessGiven) {
  std::vector<Material> materials(2);
  for (Material& m : materials) m.tissue = "muscle", m.permittivity_known = m.conductivity_known = false;
  materials[1].density = 1234;
  resolve_tissues(materials, 1e9);
  EXPECT_EQ(materials[0].density, 1090);
  EXPECT_EQ(materials[1].density, 1234);
}

TEST(Tissue, SourcesOfProperties) {
  std::vector<Material> materials(3);
  for (int i : {0, 1})
    materials[i].tissue = "Eye Lens", materials[i].permittivity_known = materials[i].conductivity_known = false;
  materials[1].conductivity = 7, materials[1].conductivity_known = true, materials[1].density = 1000;
  resolve_tissues(materials, 1e9);
  EXPECT_EQ(property_sources(materials[0], 1e9).dielectric, "Gabriel 1996 (Lens Cortex)");
  EXPECT_EQ(property_sources(materials[0], 1e9).density, "IT'IS 4.1");
  EXPECT_EQ(property_sources(materials[1], 1e9).dielectric, "Gabriel 1996 (Lens Cortex); sigma: case file");
  EXPECT_EQ(property_sources(materials[1], 1e9).density, "case file");
  EXPECT_EQ(property_sources(materials[2], 1e9).dielectric, "case file");
  EXPECT_EQ(property_sources(materials[2], 1e9).density, "");
}

// eps - j sigma / (omega eps0) of the published convention is the conjugate of ours.
TEST(Tissue, ComplexPermittivity) {
  const TissueProperties p = tissue_properties("Muscle", 1e9);
  const std::complex<double> eps = tissue_permittivity("Muscle", 1e9);
  EXPECT_DOUBLE_EQ(eps.real(), p.permittivity);
  EXPECT_DOUBLE_EQ(eps.imag(), p.conductivity / (2 * pi * 1e9 * vacuum_permittivity));
}

// Limits of the model: eps_infinity far above the fastest relaxation; at low frequency the ionic
// conductivity, here of two tissues whose slow terms vanish and whose alpha leaves no loss there.
TEST(Tissue, LimitsInFrequency) {
  EXPECT_NEAR(tissue_properties("Skin (Dry)", 1e18).permittivity, 4, 1e-3);
  EXPECT_NEAR(tissue_properties("Bone (Cortical)", 1e18).permittivity, 2.5, 1e-3);
  EXPECT_NEAR(tissue_properties("Vitreous Humor", 1).conductivity, 1.5, 1e-6);
  EXPECT_NEAR(tissue_properties("Cerebro Spinal Fluid", 1).conductivity, 2, 1e-6);
  EXPECT_NEAR(tissue_properties("Cerebro Spinal Fluid", 1).permittivity, 4 + 65 + 40, 1e-5);
}

TEST(Tissue, EveryTissueIsPassive) {
  EXPECT_EQ(tissue_names().size(), 21u);
  for (const std::string& name : tissue_names())
    for (double frequency = 1e6; frequency < 1e11; frequency *= 2) {
      EXPECT_GE(tissue_properties(name, frequency).permittivity, 1) << name << " at " << frequency;
      EXPECT_GT(tissue_properties(name, frequency).conductivity, 0) << name << " at " << frequency;
    }
}

TEST(Tissue, SpellingOfNames) {
  const double expected = tissue_properties("Skin (Dry)", 1e9).permittivity;
  for (const char* name : {"skin-dry", "skin dry", "SKIN_DRY", "SkinDry"})
    EXPECT_EQ(tissue_properties(name, 1e9).permittivity, expected) << name;
  EXPECT_NE(tissue_properties("skin-wet", 1e9).permittivity, expected);
}

TEST(Tissue, UnknownNames) {
  EXPECT_EQ(message([] { tissue_properties("Mucsle", 1e9); }), "unknown tissue 'Mucsle'; did you mean 'Muscle'?");
  EXPECT_EQ(message([] { tissue_properties("granite", 1e9); }),
            "unknown tissue 'granite'; the tissues are Bone (Cancellous), Bone (Cortical), Brain (Grey Matter), "
            "Brain (White Matter), Cerebellum, Cerebro Spinal Fluid, Dura, Fat (Not Infiltrated), Muscle, Blood, "
            "Cartilage, Skin (Dry), Skin (Wet), Vitreous Humor, Cornea, Eye Lens, Eye Sclera, Nerve, Parotid Gland, "
            "Thyroid, Tongue");
}

TEST(Tissue, ResolveFillsOnlyWhatIsNotGiven) {
  std::vector<Material> materials;
  for (const char* name : {"skin", "own_sigma", "air"}) materials.emplace_back().name = name;
  for (int i : {0, 1}) {
    materials[i].tissue = "Skin (Dry)";
    materials[i].permittivity_known = materials[i].conductivity_known = false;
  }
  materials[1].conductivity = 7;
  materials[1].conductivity_known = true;
  resolve_tissues(materials, 1800e6);
  EXPECT_NEAR(materials[0].permittivity, 38.872, 0.038);
  EXPECT_NEAR(materials[0].conductivity, 1.1845, 0.0011);
  EXPECT_NEAR(materials[1].permittivity, 38.872, 0.038);
  EXPECT_EQ(materials[1].conductivity, 7);
  EXPECT_EQ(materials[2], [] {
    physics::Material air;
    air.name = "air";
    return air;
  }());
  const auto once = materials;
  resolve_tissues(materials, 1800e6);
  EXPECT_EQ(materials, once);
}

TEST(Tissue, ResolveNamesTheSection) {
  std::vector<Material> materials;
  materials.emplace_back().name = "head";
  materials[0].tissue = "Skin (Dri)";
  materials[0].origin = "head.cfg:12";
  EXPECT_EQ(message([&] { resolve_tissues(materials, 1800e6); }),
            "head.cfg:12: [material.head]: unknown tissue 'Skin (Dri)'; did you mean 'Skin (Dry)'?");
}

}  // namespace
}  // namespace dgtd::physics
