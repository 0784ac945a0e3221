#pragma once
// How the report looks: one column of text, tables with ruled lines, black on white for a printer.

namespace dgtd::io {

inline constexpr char report_style[] = R"css(
body { font: 15px/1.45 "Segoe UI", "Helvetica Neue", Arial, sans-serif; color: #1d2733; max-width: 60rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.7rem; margin: 0; overflow-wrap: anywhere; }
h1 + p { color: #5b6775; margin: 0 0 1.2rem; }
h2 { font-size: 1.05rem; border-bottom: 2px solid #2f6690; padding-bottom: .2rem; margin: 1.6rem 0 .6rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2.5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 0; }
dt { color: #5b6775; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .25rem .5rem; border-bottom: 1px solid #d9dfe6; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr:first-child th { color: #5b6775; font-weight: normal; }
th:first-child { text-align: left; }
td.bar { width: 22%; }
td.bar i { display: block; height: .7rem; background: #2f6690; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
p { margin: .5rem 0; color: #3c4856; }
pre { background: #f3f5f8; padding: .8rem; overflow-x: auto; font-size: .85rem; }
@media (max-width: 40rem) { .pair { grid-template-columns: 1fr; } }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } section { break-inside: avoid; } pre { white-space: pre-wrap; } }
)css";

}  // namespace dgtd::io
