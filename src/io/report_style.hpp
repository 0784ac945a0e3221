#pragma once
// How the report looks: one column of text and tables with ruled lines, light or dark as the reader's system; black on
// white for a printer. Tables and pictures that are wider than the page scroll in boxes of their own.

namespace dgtd::io {

inline constexpr char report_style[] = R"css(
:root { color-scheme: light dark; --ink: #1d2733; --soft: #55626f; --page: #ffffff; --line: #d9dfe6; --rule: #2f6690; --box: #f3f5f8; --bar: #2f6690; --warn: #fff4d6; --warn-line: #c98a00;
  --k0: #0072b2; --k1: #d55e00; --k2: #009e73; --k3: #b8508c; --k4: #b07a00; --k5: #555f69; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ec; --soft: #a3afbb; --page: #14191f; --line: #333d47; --rule: #6aa9d6; --box: #1d242c; --bar: #5b9bc8; --warn: #33290f; --warn-line: #d9a441;
    --k0: #56b4e9; --k1: #ff9a4d; --k2: #2fd0a0; --k3: #e59ac6; --k4: #f0d24a; --k5: #b8c2cc; }
}
* { box-sizing: border-box; }
body { font: 15px/1.45 "Segoe UI", "Helvetica Neue", Arial, sans-serif; color: var(--ink); background: var(--page); max-width: 66rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.7rem; margin: 0; overflow-wrap: anywhere; }
h1 + p { color: var(--soft); margin: 0 0 1.2rem; }
h2 { font-size: 1.05rem; border-bottom: 2px solid var(--rule); padding-bottom: .2rem; margin: 1.6rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2.5rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1.2rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; white-space: nowrap; }
tr:first-child th { color: var(--soft); font-weight: normal; vertical-align: bottom; white-space: normal; }
th:first-child, th.text, td.text { text-align: left; }
small { color: var(--soft); font-weight: normal; }
td.bar { width: 16%; min-width: 5rem; vertical-align: middle; }
td.bar i { display: block; height: .7rem; background: var(--bar); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
p { margin: .5rem 0; color: var(--soft); }
p b { color: var(--ink); }
ul.warnings { margin: 0; padding: .5rem 1rem .5rem 2rem; background: var(--warn); border-left: 4px solid var(--warn-line); overflow-wrap: anywhere; }
.pictures { display: flex; flex-wrap: wrap; gap: .6rem 1.2rem; align-items: flex-start; }
figure { margin: 0; flex: 1 1 17rem; max-width: 24rem; min-width: 0; }
figure.scale { flex-basis: 100%; max-width: 30rem; }
figcaption { color: var(--soft); }
svg { display: block; width: 100%; height: auto; font-size: 11px; fill: currentColor; }
figure.chart { display: inline-block; vertical-align: top; width: calc(50% - .8rem); max-width: none; margin: .6rem .4rem .4rem 0; }
figure.chart:only-of-type { width: 42rem; max-width: 100%; }
.curve { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
.grid { fill: none; stroke: var(--line); }
.level { paint-order: stroke; stroke: var(--page); stroke-width: 3px; }
.frame, .zero, .tick { fill: none; stroke: currentColor; stroke-opacity: .5; }
.k0 { stroke: var(--k0); } .k1 { stroke: var(--k1); } .k2 { stroke: var(--k2); } .k3 { stroke: var(--k3); } .k4 { stroke: var(--k4); } .k5 { stroke: var(--k5); }
.curve.k1 { stroke-dasharray: 7 3; } .curve.k2 { stroke-dasharray: 3 2; } .curve.k3 { stroke-dasharray: 9 3 2 3; } .curve.k4 { stroke-dasharray: 12 3; } .curve.k5 { stroke-dasharray: 5 2 2 2 2 2; }
circle.k0 { fill: var(--k0); } circle.k1 { fill: var(--k1); } circle.k2 { fill: var(--k2); } circle.k3 { fill: var(--k3); } circle.k4 { fill: var(--k4); } circle.k5 { fill: var(--k5); }
svg image, svg rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
pre { background: var(--box); padding: .8rem; overflow-x: auto; font-size: .85rem; }
@media (max-width: 40rem) { body { margin: 1rem auto; padding: 0 .8rem; } figure.chart { width: 100%; } .pair { grid-template-columns: 1fr; } th:first-child { white-space: normal; } }
@media print {
  :root { color-scheme: light; --ink: #000000; --soft: #333333; --page: #ffffff; --line: #bbbbbb; --rule: #2f6690; --box: #f3f5f8; --bar: #2f6690; --warn: #fff4d6; --warn-line: #c98a00;
    --k0: #0072b2; --k1: #d55e00; --k2: #009e73; --k3: #b8508c; --k4: #b07a00; --k5: #555f69; }
  body { margin: 0; max-width: none; font-size: 9.5pt; }
  figure, tr, .scroll, .pictures { break-inside: avoid; }
  .pair dl { break-inside: avoid; }
  h2, h3, h2 + p { break-after: avoid; }
  .scroll + p, .pictures + p { break-before: avoid; }
  .scroll { overflow: visible; }
  table { font-size: 7.5pt; }
  td, th { padding: .15rem .25rem; }
  th, td.text { white-space: normal; }
  td.bar { min-width: 1.5rem; width: 6%; }
  figure { flex: 0 0 31%; }
  figure.scale { flex-basis: 60%; }
  figure.chart:only-of-type { width: 65%; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; columns: 2; }
}
)css";

}  // namespace dgtd::io
