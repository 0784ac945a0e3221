"""Planes on the command line: PLANE or PLANE=POSITION; or those of a run's report."""
import json
import os

PLANES = {"xoy": 2, "xoz": 1, "yoz": 0}  # axis that stands on the plane


def plane_of(text):
    """Its name and position in m (None without one); ValueError says what is allowed."""
    name, _, position = text.lower().partition("=")
    if name not in PLANES:
        raise ValueError(f"--planes {text}: must be one of {', '.join(PLANES)}, with =POSITION in m where wanted")
    try:
        return name, float(position) if position else None
    except ValueError:
        raise ValueError(f"--planes {text}: the position must be a number in m") from None


def planes_of_report(directory):
    """Names and positions (m) of the planes of DIRECTORY/report.json, through the largest SAR; ValueError without them."""
    file = os.path.join(directory, "report.json")
    try:
        with open(file) as text:
            rows = json.load(text)["pictures"]
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from None
    except (ValueError, KeyError):
        raise ValueError(f"{file}: not a report of dgtd") from None
    names = {"xyz"[axis]: name for name, axis in PLANES.items()}
    for row in rows:
        planes = [(names[p["plane"]["normal"]], p["plane"]["position_m"]) for p in row["pictures"] if "plane" in p]
        if planes:
            return planes
    raise ValueError(f"{file}: has no pictures of SAR in planes")
