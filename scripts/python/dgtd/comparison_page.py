"""The page of a comparison of methods: one HTML file with the style sheet of the program's reports."""
import html
import os
import re

import numpy as np

from .charts import Curve, chart, text_with_unit
from .comparison import METHODS, run_figures

_ABSENT = "\u2013"
_LEVELS = ("coarser", "finer")


def page_of(comparison):
    """The text of compare.html."""
    name = html.escape(comparison.case.name)
    sections = [("Powers and other numbers", _numbers(comparison)), ("Spectra", _spectra(comparison)),
                ("Runs", _runs(comparison)), ("How it is compared", _method(comparison)),
                ("Case", f"<pre>{html.escape(comparison.case.text())}</pre>\n")]
    body = "".join(f"<section>\n<h2>{title}</h2>\n{text}</section>\n" for title, text in sections if text)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{name}: two methods</title>\n'
            f"<style>\n{_style_sheet(comparison)}</style>\n</head>\n<body>\n<h1>{name}: two methods</h1>\n"
            "<p>The difference of two independent methods is an error bar.</p>\n" + _result(comparison) + body
            + "</body>\n</html>\n")


def _style_sheet(comparison):
    """That of the reports of the runs, so that there is one."""
    for side in comparison.sides.values():
        for results in side.results:
            page = results.directory / "report.html"
            found = re.search(r"<style>\n?(.*?)</style>", page.read_text(encoding="utf-8"), re.DOTALL) if page.is_file() else None
            if found:
                return found[1]
    return ""


def percent(share):
    """ "+0.41 %"; a dash for None."""
    return _ABSENT if share is None else f"{100 * share:+.2g} %" if abs(share) < 0.1 else f"{100 * share:+.0f} %"


def _value(value, unit):
    if value is None:
        return _ABSENT
    return text_with_unit(value, unit) if unit else f"{value:.5g}"


def _row(cells, tag="td"):
    head, *others = cells
    return f"<tr><th>{head}</th>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in others) + "</tr>\n"


def _table(headings, rows):
    return '<div class="scroll"><table>\n' + _row(headings, "th") + "".join(map(_row, rows)) + "</table></div>\n"


def _result(comparison):
    """One sentence for the reader in a hurry: the largest difference."""
    parts = []
    for kind, word in ((True, "numbers"), (False, "spectra, relative to their largest value")):
        chosen = [q for q in comparison.quantities if (q.frequencies is None) == kind]
        if chosen:
            worst = max(chosen, key=lambda q: abs(q.difference()))
            parts.append(f"at most {100 * abs(worst.difference()):.2g} % for {word} ({html.escape(worst.label)})")
    return f"<p><b>The finer runs of {METHODS[0]} and {METHODS[1]} differ by {' and by '.join(parts)}.</b></p>\n" if parts else ""


def _numbers(comparison):
    chosen = [q for q in comparison.quantities if q.frequencies is None]
    if not chosen:
        return ""
    exact = any(q.exact is not None for q in chosen)
    headings = [""] + [f"{method}<br><small>{kind}</small>" for method in METHODS for kind in (*_LEVELS, "extrapolated")]
    headings += ["difference<br><small>of the finer</small>", "difference<br><small>extrapolated</small>"]
    rows = []
    for q in chosen:
        values = [level[method] for method in METHODS for level in (q.coarse, q.fine, q.extrapolated)]
        cells = [_value(v, q.unit) for v in values]
        if q.exact is not None:
            cells = [cell + (f"<br><small>{percent(v / q.exact - 1)}</small>" if v is not None else "")
                     for cell, v in zip(cells, values)]
        row = [html.escape(q.label), *cells, f"<b>{percent(q.difference())}</b>",
               percent(q.difference(q.extrapolated)) + (" *" if q.remark else "")]
        rows.append(row + ([_value(q.exact, q.unit)] if exact else []))
    text = _table(headings + (["exact"] if exact else []), rows)
    text += (f"<p>Differences are those of {METHODS[1]} from {METHODS[0]}, relative to the mean of both finer runs."
             + (" Small figures below values: their difference from the exact one." if exact else "") + "</p>\n")
    return text + _remarks(chosen)


def _remarks(quantities):
    """Why extrapolated values do not count, each reason once."""
    reasons = {}
    for q in quantities:
        if q.remark:
            reasons.setdefault(q.remark, []).append(html.escape(q.label))
    return "".join(f"<p>* {', '.join(labels)}: {html.escape(reason)}. The difference of the finer runs is the error bar.</p>\n"
                   for reason, labels in reasons.items())


def _spectra(comparison):
    chosen = [q for q in comparison.quantities if q.frequencies is not None]
    if not chosen:
        return ""
    charts, rows = "", []
    for q in chosen:
        curves = [Curve(f"{method}, {word}", level[method], colour, word == _LEVELS[1])
                  for level, word in ((q.coarse, _LEVELS[0]), (q.fine, _LEVELS[1])) for colour, method in enumerate(METHODS)]
        charts += chart(q.label, q.frequencies, curves, q.label.rpartition(": ")[2], q.unit)
        apart = [("coarser runs", q.coarse, 0, False), ("finer runs", q.fine, 0, True), ("extrapolated", q.extrapolated, 1, True)]
        charts += chart(f"Difference of {METHODS[1]} from {METHODS[0]}", q.frequencies,
                        [Curve(word, 100 * q.differences(level), colour, strong) for word, level, colour, strong in apart
                         if q.differences(level) is not None], "of the largest value", "%")
        rows.append([html.escape(q.label), _value(q.scale, q.unit), percent(q.difference(q.coarse)),
                     f"<b>{percent(q.difference())}</b>", percent(q.difference(q.extrapolated)) + (" *" if q.remark else "")])
    headings = ["largest difference over the band", "largest value", "coarser runs", "finer runs", "extrapolated"]
    return charts + _table(headings, rows) + _remarks(chosen)


def _runs(comparison):
    rows = []
    for method, side in comparison.sides.items():
        for run, word in zip(side.runs, _LEVELS):
            figures = run_figures(run)
            link = html.escape(f"{os.path.relpath(run.directory, comparison.directory)}/report.html", quote=True)
            keys = ", ".join(f"{key} = {np.round(value, 12)}" for key, value in run.changes.items() if key != "solver.method")
            elements = f"{figures['elements']:,}".replace(",", "\u202f")
            rows.append([f'<a href="{link}">{method}, {word}</a><br><small>{html.escape(keys)}</small>', elements,
                         figures["steps"], text_with_unit(figures["dt_s"], "s", 4), f"{figures['seconds']:.3g}",
                         f"{figures['ranks']} ({figures['backend']})", figures["precision"]])
    return _table(["", "elements or cells,<br>with layers", "steps", "time step", "seconds", "ranks", "precision"], rows)


def _method(comparison):
    text = ("<p>Both methods compute the same case file: <code>dgtd</code> on tetrahedra, <code>fdtd3d</code> on a grid, with mesh "
            "and grid made from its shapes. They share nothing of the discretisation. The extrapolated value is "
            "f<sub>finer</sub> + (f<sub>finer</sub> \u2212 f<sub>coarser</sub>) / (r<sup>q</sup> \u2212 1), with the ratio r of "
            "elements per length, the third root of that of their numbers (of cells without layers), and an assumed order q. Two "
            "resolutions cannot measure q; that two methods agree after it can be seen.</p>\n<dl>\n")
    for method, side in comparison.sides.items():
        state = f"not extrapolated: {side.obstacle}" if side.obstacle else f"r = {side.refinement:.3f}"
        text += f"<dt>{method}</dt><dd>q = {side.order:g} ({html.escape(side.order_reason)}); {html.escape(state)}</dd>\n"
    return text + "</dl>\n"
