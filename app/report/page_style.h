// SPDX-License-Identifier: MIT
/// The style sheet of a report. Texts have a contrast of 4.5 to 1 at least, light and dark.
#pragma once

#include <string_view>

namespace nearmiss::app {

inline constexpr std::string_view pageStyle = R"css(
:root{color-scheme:light dark;--page:#ffffff;--text:#1a1d21;--soft:#565d66;--rule:#d5d9de;
--panel:#f5f6f8;--grid:#e3e6ea;--link:#005a9c;--notice:#fff4dd;--edge:#b26a00}
@media (prefers-color-scheme:dark){:root{--page:#14171b;--text:#e7e9ec;--soft:#a7aeb8;--rule:#3a4048;
--panel:#1c2026;--grid:#2b3037;--link:#7fc0f5;--notice:#2e2717;--edge:#e0a33a}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,sans-serif}
a{color:var(--link)}
header,main,nav{max-width:960px;margin:0 auto;padding:0 16px}
@media (min-width:1280px){body{display:grid;grid-template-columns:248px minmax(0,992px);
justify-content:center;column-gap:16px}
header{grid-column:2;margin:0;width:100%;max-width:none}
main{grid-column:2;grid-row:2;margin:0;width:100%;max-width:none}
nav{grid-column:1;grid-row:1/span 2;margin:0;position:sticky;top:0;align-self:start;
max-height:100vh;overflow:auto;padding-top:28px}}
h1{font-size:28px;line-height:1.2;margin:28px 0 12px}
h2{font-size:21px;line-height:1.25;margin:44px 0 12px;padding-top:16px;border-top:2px solid var(--rule)}
h3{font-size:17px;margin:28px 0 8px}
h1,h2,h3,h4,p,li,summary{overflow-wrap:anywhere}
td,th{overflow-wrap:break-word}
p,section>ul{max-width:72ch;margin:8px 0}
nav h2{font-size:15px;border:0;margin:0 0 4px;padding:0}
nav ol{list-style:none;margin:0 0 16px;padding:0;font-size:14px}
nav li{margin:4px 0;line-height:1.35}
nav a{text-decoration:none}
nav a:hover,nav a:focus{text-decoration:underline}
.notices{background:var(--notice);border-left:4px solid var(--edge);padding:8px 14px;margin:12px 0}
.notices p,.notices ul{margin:4px 0;padding-left:0;list-style:none}
.notices li{margin:4px 0}
.missing{color:var(--soft)}
.figures{display:grid;grid-template-columns:minmax(0,1fr);gap:20px 32px}
@media (min-width:1000px){.figures{grid-template-columns:repeat(2,minmax(0,1fr))}
figure.wide{grid-column:1/-1}}
figure{margin:0;min-width:0}
h4{font-size:15px;margin:8px 0 4px}
figcaption p{color:var(--soft);font-size:13.5px;line-height:1.45;max-width:80ch;margin:4px 0}
.plot{display:block;max-width:100%;height:auto;font-size:11px;overflow:visible}
.for-narrow{display:none}
@media (max-width:560px){.for-wide{display:none}.for-narrow{display:block}
header,main,nav{padding:0 12px}h1{font-size:23px}h2{font-size:19px}}
.plot text{fill:var(--soft);font-family:system-ui,sans-serif}
.grid{stroke:var(--grid);fill:none}
.axis{stroke:var(--soft);fill:none}
.line{stroke:var(--c);stroke-width:1.8;fill:none;stroke-linejoin:round}
.published.line,.published.bar{stroke-dasharray:4 3}
.mark{fill:var(--c);stroke:var(--page);stroke-width:.7}
.hollow{fill:var(--page);stroke:var(--c);stroke-width:1.6}
.mark:hover,.hollow:hover{stroke:var(--text);stroke-width:2}
.bar{stroke:var(--c);stroke-width:1;pointer-events:all}
.classes{fill-opacity:.6}
.bar:hover{stroke:var(--text);stroke-width:2}
.full{fill:var(--c);fill-opacity:.85}
.pale{fill:var(--c);fill-opacity:.25}
.hatch{stroke:var(--c);stroke-width:1.6;fill:none}
.hatchings{position:absolute}
.range{stroke:var(--c);stroke-opacity:.4;fill:none}
.swatch .range{fill:var(--c);fill-opacity:.4;stroke:none}
.whisker{stroke:var(--text);fill:none;stroke-width:1.2}
.target{fill:transparent;stroke:transparent;pointer-events:all}
.target:hover{stroke:var(--soft);stroke-opacity:.6}
.rule{stroke:var(--text);fill:none;stroke-width:1.3}
.r0{stroke-dasharray:5 4}.r1{stroke-dasharray:1 3}.r2{stroke-dasharray:8 3 2 3}.r3{stroke-dasharray:12 4}
.legend{list-style:none;margin:2px 0;padding:0;display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px}
.legend li{display:flex;align-items:center;gap:6px}
.swatch{flex:none}
.scroll{overflow-x:auto;margin:8px 0;max-width:100%}
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);padding:0 0 4px}
th,td{text-align:left;vertical-align:top;padding:3px 14px 3px 0;border-bottom:1px solid var(--rule);
max-width:36ch}
th{font-weight:600;overflow-wrap:normal;vertical-align:bottom}
th[title]{text-decoration:underline dotted var(--soft);text-underline-offset:3px}
.number{text-align:right}.number,.short{white-space:nowrap}
details{margin:6px 0}
summary{cursor:pointer;color:var(--link);font-size:13.5px;width:fit-content}
details[open]>summary{margin-bottom:4px}
@media print{:root{color-scheme:light;--page:#fff;--text:#000;--soft:#444;--rule:#bbb;--grid:#ddd;
--link:#000;--notice:#fff;--edge:#000}
body{display:block;font-size:10.5pt}nav{position:static;max-height:none}
header,main,nav{max-width:none;padding:0}
figure,tr{break-inside:avoid}h2,h3,h4{break-after:avoid}
.figures{grid-template-columns:repeat(2,minmax(0,1fr))}figure.wide{grid-column:1/-1}
.for-wide,.wide .for-narrow{display:none}.for-narrow,.wide .for-wide{display:block}
details:not([open]){display:none}.scroll{overflow:visible}}
)css";

}  // namespace nearmiss::app
