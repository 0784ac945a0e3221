#!/usr/bin/env python3
"""Writes the layout of cases/strip_crossing.cfg, two strips that widen where they cross, as a GDSII stream.

Usage: scripts/crossing_layout.py OUT.gds [--width NM] [--widest NM] [--taper NM] [--arm NM]
Cell CROSSING has cell ARM four times, turned by 0, 90, 180 and 270 degrees, in layer 1/0; cell ARM is a polygon and a
path. The same arguments give the same bytes. Only the standard library is needed.
"""
import argparse
import math
import struct


def record(kind, data_type, data=b""):
    return struct.pack(">HBB", len(data) + 4, kind, data_type) + data


def integers(kind, *values):
    return record(kind, 2, struct.pack(f">{len(values)}H", *values))


def name(kind, text):
    return record(kind, 6, text.encode() + b"\0" * (len(text) % 2))


def real(value):
    """Eight bytes: sign, exponent of 16 plus 64, fraction of 56 bits."""
    if value == 0:
        return bytes(8)
    exponent = 64
    fraction = abs(value)
    while fraction >= 1:
        fraction /= 16
        exponent += 1
    while fraction < 1 / 16:
        fraction *= 16
        exponent -= 1
    return struct.pack(">Q", (value < 0) << 63 | exponent << 56 | int(math.ldexp(fraction, 56)))


def reals(kind, *values):
    return record(kind, 5, b"".join(real(value) for value in values))


def points(*corners):
    return record(0x10, 3, b"".join(struct.pack(">ii", *corner) for corner in corners))


def cell(title, *elements):
    return integers(0x05, *[1] * 12) + name(0x06, title) + b"".join(elements) + record(0x07, 0)


def polygon(layer, *corners):
    return (record(0x08, 0) + integers(0x0D, layer) + integers(0x0E, 0) + points(*corners, corners[0]) + record(0x11, 0))


def path(layer, width, *corners):
    return (record(0x09, 0) + integers(0x0D, layer) + integers(0x0E, 0) + integers(0x21, 0) +
            record(0x0F, 3, struct.pack(">i", width)) + points(*corners) + record(0x11, 0))


def reference(title, degrees):
    return (record(0x0A, 0) + name(0x12, title) + integers(0x1A, 0) + reals(0x1C, degrees) + points((0, 0)) +
            record(0x11, 0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", metavar="OUT.gds")
    parser.add_argument("--width", type=int, default=480, help="of the strips, nm (%(default)s)")
    parser.add_argument("--widest", type=int, default=800, help="of the strips where they cross, nm (%(default)s)")
    parser.add_argument("--taper", type=int, default=800, help="length between both widths, nm (%(default)s)")
    parser.add_argument("--arm", type=int, default=3000, help="from the middle to the end of a strip, nm (%(default)s)")
    a = parser.parse_args()
    half, wide = a.width // 2, a.widest // 2
    arm = cell("ARM", polygon(1, (0, -wide), (wide, -wide), (wide + a.taper, -half), (wide + a.taper, half), (wide, wide), (0, wide)),
               path(1, 2 * half, (wide + a.taper, 0), (a.arm, 0)))
    crossing = cell("CROSSING", *[reference("ARM", degrees) for degrees in (0, 90, 180, 270)])
    head = integers(0x00, 600) + integers(0x01, *[1] * 12) + name(0x02, "DGTD") + reals(0x03, 1e-3, 1e-9)
    with open(a.out, "wb") as file:
        file.write(head + arm + crossing + record(0x04, 0))


if __name__ == "__main__":
    main()
