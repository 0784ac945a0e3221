"""Charts as SVG for pages with the style sheet of the program's reports (classes of src/io/web/page.css)."""
import dataclasses
import html
import math

import numpy as np

_WIDTH, _HEIGHT = 500, 200  # of a drawing and of its frame
_LEFT, _RIGHT, _BELOW = 64, 16, 38
_LIGHT = 299792458.0
_PREFIXES = {-18: "a", -15: "f", -12: "p", -9: "n", -6: "\u00b5", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T"}


@dataclasses.dataclass
class Curve:
    """A line of a chart. colour: 0 to 5, those of the reports; strong: else thin and dotted."""
    name: str
    values: np.ndarray
    colour: int = 0
    strong: bool = True


def unit_of_axis(unit, largest):
    """(name, size) of a unit for values up to `largest`: powers of a thousand as prefixes of units of one word, else as
    powers of ten."""
    unit = {"m2": "m\u00b2", "per": ""}.get(unit, unit)
    if not largest > 0 or not math.isfinite(largest) or unit in ("%", "dB", "deg"):
        return unit, 1.0
    exponent = 3 * math.floor(math.log10(largest * (1 + 1e-9)) / 3)
    if unit.isalpha() and exponent in _PREFIXES:
        return _PREFIXES[exponent] + unit, 10.0**exponent
    power = "".join("\u207b" if sign == "-" else "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[int(sign)]
                    for sign in str(exponent))
    return (f"10{power} {unit}".strip(), 10.0**exponent) if exponent not in (0, -3) else (unit, 1.0)


def text_with_unit(value, unit, digits=5):
    """ "4.8256 mW"."""
    name, size = unit_of_axis(unit, abs(value))
    return f"{value / size:.{digits}g} {name}".strip()


def _ticks(low, high, most):
    least = (high - low) / most
    power = 10.0**math.floor(math.log10(least))
    step = next((factor * power for factor in (1, 2, 5) if factor * power >= least * (1 - 1e-9)), 10 * power)
    return [step * i for i in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)], step


def _scale(values, unit, ends_at_ticks, most):
    """(unit's name, its size, low, high, ticks) of an axis, in its unit."""
    low, high = float(np.min(values)), float(np.max(values))
    name, size = unit_of_axis(unit, max(abs(low), abs(high)))
    low, high = low / size, high / size
    if not high - low > 1e-12 * max(abs(low), abs(high)):
        low, high = (low - 1, high + 1) if low == 0 else (low - abs(low) / 10, high + abs(high) / 10)
    ticks, step = _ticks(low, high, most)
    if ends_at_ticks:
        low, high = step * math.floor(low / step + 1e-9), step * math.ceil(high / step - 1e-9)
        ticks = _ticks(low, high, most + 2)[0]
    return name, size, low, high, ticks


def chart(title, frequencies, curves, quantity, unit):
    """A <figure> with curves over frequency; of light over the wavelength. frequencies: Hz. unit: SI unit of the values."""
    frequencies = np.asarray(frequencies, float)
    optical = np.min(frequencies) > _LIGHT / 10e-6
    x = _LIGHT / frequencies if optical else frequencies
    x_unit, x_size, x_low, x_high, x_ticks = _scale(x, "m" if optical else "Hz", False, 8)
    y_unit, y_size, y_low, y_high, y_ticks = _scale(np.concatenate([c.values for c in curves]), unit, True, 5)
    legend, top = _legend(curves)
    top += 8
    wide = _WIDTH - _LEFT - _RIGHT
    at_x = lambda value: _LEFT + wide * (value - x_low) / (x_high - x_low)
    at_y = lambda value: top + _HEIGHT * (1 - (value - y_low) / (y_high - y_low))
    lines = "".join(f"M{at_x(t):.1f} {top}v{_HEIGHT}" for t in x_ticks)
    lines += "".join(f"M{_LEFT} {at_y(t):.1f}h{wide}" for t in y_ticks)
    svg = [legend, f'<path class="grid" d="{lines}"/>']
    if y_low < 0 < y_high:
        svg.append(f'<path class="zero" d="M{_LEFT} {at_y(0):.1f}h{wide}"/>')
    svg.append(f'<rect class="frame" x="{_LEFT}" y="{top}" width="{wide}" height="{_HEIGHT}"/>')
    svg += [f'<text x="{at_x(t):.1f}" y="{top + _HEIGHT + 15}" text-anchor="middle">{t:.6g}</text>' for t in x_ticks]
    svg += [f'<text x="{_LEFT - 6}" y="{at_y(t) + 4:.1f}" text-anchor="end">{t + 0.0:.6g}</text>' for t in y_ticks]
    below = f'x="{_LEFT + wide / 2:.1f}" y="{top + _HEIGHT + 31}" text-anchor="middle"'
    svg.append(f"<text {below}>{'Wavelength in vacuum' if optical else 'Frequency'} [{x_unit}]</text>")
    label = html.escape(f"{quantity} [{y_unit}]" if y_unit else quantity)
    svg.append(f'<text transform="translate(12 {top + _HEIGHT / 2:.1f}) rotate(-90)" text-anchor="middle">{label}</text>')
    order = np.argsort(x)
    for c in curves:
        places = [(at_x(x[i] / x_size), at_y(c.values[i] / y_size)) for i in order]
        points = "L".join(f"{px:.1f} {py:.1f}" for px, py in places)
        svg.append(f"<g><title>{html.escape(c.name)}</title>"
                   f'<path class="curve k{c.colour}" style="{_style(c)}" d="M{points}"/></g>')
    described = html.escape(f"{title}: {', '.join(c.name for c in curves)}", quote=True)
    return (f'<figure class="chart">\n<figcaption>{html.escape(title)}</figcaption>\n<svg viewBox="0 0 {_WIDTH} '
            f'{top + _HEIGHT + _BELOW}" role="img" aria-label="{described}">\n' + "\n".join(svg) + "\n</svg>\n</figure>\n")


def _style(curve):
    return "stroke-dasharray:none" if curve.strong else "stroke-width:1;stroke-dasharray:2 3"


def _legend(curves):
    """(SVG, height) of samples and names in rows."""
    text, x, y = [], 0.0, 0
    for c in curves:
        length = 30 + 6.2 * len(c.name)
        if x > 0 and x + length > _WIDTH - _LEFT - _RIGHT:
            x, y = 0.0, y + 16
        text.append(f'<path class="curve k{c.colour}" style="{_style(c)}" d="M{_LEFT + x:.1f} {y + 8}h24"/>'
                    f'<text x="{_LEFT + x + 30:.1f}" y="{y + 12}">{html.escape(c.name)}</text>')
        x += length + 18
    return "\n".join(text), y + 16
