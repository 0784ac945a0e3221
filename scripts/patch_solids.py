#!/usr/bin/env python3
"""Writes the solids of cases/patch_step.cfg, a patch over a ground on a substrate, as a STEP file (ISO 10303-214).

Usage: scripts/patch_solids.py OUT.step [--patch X Y] [--board EDGE] [--substrate T] [--metal T]
Lengths in mm. The solids are called substrate, ground and patch; z = 0 is the substrate's lower face. The same arguments give
the same bytes. Only the standard library is needed.
"""
import argparse
import itertools


class File:
    def __init__(self):
        self.lines = []

    def add(self, text):
        """The number of a new entity, as #N."""
        self.lines.append(text)
        return f"#{len(self.lines)}"

    def vector(self, kind, values):
        return self.add(f"{kind}('',({','.join(f'{float(v)!r}' for v in values)}))")

    def text(self):
        body = "\n".join(f"#{n} = {line};" for n, line in enumerate(self.lines, 1))
        return (
            "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('patch antenna'),'2;1');\n"
            "FILE_NAME('patch.step','',(''),(''),'patch_solids.py','','');\n"
            "FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));\nENDSEC;\nDATA;\n"
            f"{body}\nENDSEC;\nEND-ISO-10303-21;\n"
        )


def placement(f, at, z, x):
    return f.add(
        f"AXIS2_PLACEMENT_3D('',{f.vector('CARTESIAN_POINT', at)},{f.vector('DIRECTION', z)},{f.vector('DIRECTION', x)})"
    )


def add_box(f, low, high):
    """A solid of six faces, whose normals lead outward."""
    ends = (low, high)
    corners = {c: tuple(ends[c[a]][a] for a in range(3)) for c in itertools.product((0, 1), repeat=3)}
    vertices = {c: f.add(f"VERTEX_POINT('',{f.vector('CARTESIAN_POINT', x)})") for c, x in corners.items()}
    edges = {}
    for c, a in itertools.product(vertices, range(3)):
        if c[a] == 1:
            continue
        d = tuple(1 if b == a else c[b] for b in range(3))
        along = f.add(f"VECTOR('',{f.vector('DIRECTION', [b == a for b in range(3)])},1.)")
        line = f.add(f"LINE('',{f.vector('CARTESIAN_POINT', corners[c])},{along})")
        edges[c, d] = f.add(f"EDGE_CURVE('',{vertices[c]},{vertices[d]},{line},.T.)")
    faces = []
    for a, side in itertools.product(range(3), (0, 1)):
        u, v = (a + 1) % 3, (a + 2) % 3
        loop = []
        for p in ((0, 0), (1, 0), (1, 1), (0, 1)):
            c = [side] * 3
            c[u], c[v] = p
            loop.append(tuple(c))
        if side == 0:
            loop.reverse()
        oriented = []
        for c, d in zip(loop, loop[1:] + loop[:1]):
            forward = (c, d) in edges
            edge = edges[(c, d) if forward else (d, c)]
            oriented.append(f.add(f"ORIENTED_EDGE('',*,*,{edge},{'.T.' if forward else '.F.'})"))
        loop_of_edges = f.add(f"EDGE_LOOP('',({','.join(oriented)}))")
        bound = f.add(f"FACE_OUTER_BOUND('',{loop_of_edges},.T.)")
        normal = [(1 if side else -1) * (b == a) for b in range(3)]
        plane = f.add(f"PLANE('',{placement(f, corners[loop[0]], normal, [b == u for b in range(3)])})")
        faces.append(f.add(f"ADVANCED_FACE('',({bound}),{plane},.T.)"))
    shell = f.add(f"CLOSED_SHELL('',({','.join(faces)}))")
    return f.add(f"MANIFOLD_SOLID_BREP('',{shell})")


def add_part(f, name, solid, application, context):
    product_context = f.add(f"PRODUCT_CONTEXT('',{application},'mechanical')")
    product = f.add(f"PRODUCT('{name}','{name}','',({product_context}))")
    f.add(f"PRODUCT_RELATED_PRODUCT_CATEGORY('part',$,({product}))")
    formation = f.add(f"PRODUCT_DEFINITION_FORMATION('','',{product})")
    stage = f.add(f"PRODUCT_DEFINITION_CONTEXT('part definition',{application},'design')")
    definition = f.add(f"PRODUCT_DEFINITION('design','',{formation},{stage})")
    shape = f.add(f"PRODUCT_DEFINITION_SHAPE('','',{definition})")
    origin = placement(f, (0, 0, 0), (0, 0, 1), (1, 0, 0))
    representation = f.add(f"ADVANCED_BREP_SHAPE_REPRESENTATION('{name}',({origin},{solid}),{context})")
    f.add(f"SHAPE_DEFINITION_REPRESENTATION({shape},{representation})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--patch", nargs=2, type=float, default=(20, 26))
    parser.add_argument("--board", type=float, default=40)
    parser.add_argument("--substrate", type=float, default=3)
    parser.add_argument("--metal", type=float, default=1)
    o = parser.parse_args()
    f = File()
    application = f.add("APPLICATION_CONTEXT('core data for automotive mechanical design processes')")
    f.add(f"APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,{application})")
    millimetre = f.add("( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) )")
    radian = f.add("( NAMED_UNIT(*) PLANE_ANGLE_UNIT() SI_UNIT($,.RADIAN.) )")
    steradian = f.add("( NAMED_UNIT(*) SI_UNIT($,.STERADIAN.) SOLID_ANGLE_UNIT() )")
    accuracy = f.add(f"UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-07),{millimetre},'distance_accuracy_value','')")
    context = f.add(
        f"( GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT(({accuracy})) "
        f"GLOBAL_UNIT_ASSIGNED_CONTEXT(({millimetre},{radian},{steradian})) REPRESENTATION_CONTEXT('','3D') )"
    )
    board, (x, y) = o.board / 2, (e / 2 for e in o.patch)
    solids = {
        "substrate": ((-board, -board, 0), (board, board, o.substrate)),
        "ground": ((-board, -board, -o.metal), (board, board, 0)),
        "patch": ((-x, -y, o.substrate), (x, y, o.substrate + o.metal)),
    }
    for name, (low, high) in solids.items():
        add_part(f, name, add_box(f, low, high), application, context)
    with open(o.out, "w", encoding="ascii", newline="\n") as out:
        out.write(f.text())


if __name__ == "__main__":
    main()
