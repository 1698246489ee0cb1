// SPDX-License-Identifier: MIT
// Put into a copy of a report: looks at the page as it is laid out and tells the window around it,
// one finding a line. Nothing but the last line is as it should be.
"use strict";
const findings = [];
window.onerror = (message) => findings.push(`script error: ${message}`);

const seen = (element) => element.getClientRects().length > 0;
const overlap = (a, b) =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2.5;

function checkPlot(figure) {
  const title = figure.querySelector("h4").textContent;
  const plots = [...figure.querySelectorAll("svg.plot")].filter(seen);
  if (plots.length !== 1) {
    findings.push(`"${title}" shows ${plots.length} pictures`);
    return;
  }
  const around = plots[0].getBoundingClientRect();
  if (around.width < 250 || around.height < 80) findings.push(`"${title}" is too small`);
  if (!plots[0].querySelector(".line,.mark,.hollow,.bar")) findings.push(`"${title}" is empty`);
  if (!figure.querySelector("figcaption p").textContent.trim())
    findings.push(`"${title}" has no caption`);
  if (!figure.querySelector("details table")) findings.push(`"${title}" has no table of its data`);
  const texts = [...plots[0].querySelectorAll("text")].map((text) => ({
    words: text.firstChild.textContent, box: text.getBoundingClientRect()
  }));
  texts.forEach((text, i) => {
    if (text.box.left < -0.5 || text.box.right > document.documentElement.clientWidth + 0.5)
      findings.push(`"${title}": "${text.words}" leaves the page`);
    for (const other of texts.slice(i + 1))
      if (overlap(text.box, other.box))
        findings.push(`"${title}": "${text.words}" lies on "${other.words}"`);
  });
}

const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
function luminance(colour) {
  const [r, g, b] = channels(colour).slice(0, 3).map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function groundOf(element) {
  for (let at = element; at; at = at.parentElement) {
    const ground = getComputedStyle(at).backgroundColor;
    if (channels(ground)[3] !== 0) return ground;
  }
  return "rgb(255, 255, 255)";
}
function checkContrast() {
  const written = "h1,h2,h3,h4,p,li,a,td,th,caption,summary,text";
  for (const element of document.querySelectorAll(written)) {
    if (!seen(element)) continue;
    const style = getComputedStyle(element);
    const colour = element.tagName === "text" ? style.fill : style.color;
    const [light, dark] = [luminance(colour), luminance(groundOf(element))].sort((a, b) => b - a);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < 4.5) {
      findings.push(`contrast ${contrast.toFixed(2)} of "${element.textContent.slice(0, 30)}"`);
      return;
    }
  }
}

addEventListener("load", () => {
  const figures = [...document.querySelectorAll("figure")];
  figures.forEach(checkPlot);
  checkContrast();
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
    findings.push("the page is wider than its window");
  for (const link of document.querySelectorAll("nav a"))
    if (!document.querySelector(link.getAttribute("href"))) findings.push(`dead link ${link.href}`);
  const scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  findings.push(`${figures.length} figures, ${innerWidth} pixels, ${scheme}`);
  parent.postMessage(findings.join("\n"), "*");
});
