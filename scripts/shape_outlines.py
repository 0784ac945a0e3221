"""Outlines of the shapes of a plane's case (methods fdtd2d and its reproductions, hpf2d), for pictures.

A resolved case file has plain numbers in SI units; it is read here and not by dgtd.Case, which asks the program for the
schema: pictures of results must be possible on a machine without dgtd.
"""
import configparser

from python_packages import required


def outlines(case, scale):
    """Patches of the boxes, cylinders, spheres and prisms of a resolved case file, lengths in m times scale; none for grids of other dimensions."""
    patches = required("matplotlib.patches")
    text = configparser.ConfigParser(comment_prefixes="#", strict=False)
    text.read(case)
    if text.get("solver", "method", fallback="").split("-")[0] not in ("fdtd2d", "hpf2d"):
        return

    def numbers(words):
        return [scale * float(word) for word in words.split()[:2]]

    for section in text.sections():
        if not section.startswith("shape."):
            continue
        shape = text[section]
        x, y = numbers(shape.get("centre", "0 0"))
        if shape["type"] == "box":
            width, height = numbers(shape["size"])
            yield patches.Rectangle((x - width / 2, y - height / 2), width, height)
        elif shape["type"] in ("cylinder", "sphere"):
            yield patches.Circle((x, y), scale * float(shape["radius"]))
        elif shape["type"] == "prism":
            yield patches.Polygon([(x + a, y + b) for a, b in (numbers(point) for point in shape["points"].split(","))])
