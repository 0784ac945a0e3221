"""Planes on the command line: PLANE or PLANE=POSITION."""

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
