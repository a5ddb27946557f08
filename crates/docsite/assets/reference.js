// Shows the OpenAPI document by Redoc, in the colours of the page around it.
"use strict";

(() => {
  // The document is beside /docs, also if a proxy adds a path before both.
  const address = new URL("../../openapi.json", document.currentScript.src).href;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const sans = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';
  const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", "Liberation Mono", monospace';

  const colours = (isDark) => isDark
    ? { paper: "#12171c", shade: "#181f26", ink: "#e3e8ed", quiet: "#a5b0bb", line: "#2b353f", accent: "#63cdb8",
        good: "#7fd69a", bad: "#ff9d9d", code: "#ffb8b0", codePaper: "#1b232b" }
    : { paper: "#ffffff", shade: "#f5f7f8", ink: "#1b2530", quiet: "#55616e", line: "#dde3e8", accent: "#0a6657",
        good: "#126b33", bad: "#b01c1c", code: "#a02a1f", codePaper: "#f3f5f7" };

  const theme = (look) => ({
    spacing: { unit: 5, sectionVertical: 24 },
    colors: {
      primary: { main: look.accent, light: look.accent, dark: look.accent },
      success: { main: look.good },
      error: { main: look.bad },
      warning: { main: "#e0a100", contrastText: "#1b2530" },
      text: { primary: look.ink, secondary: look.quiet },
      border: { dark: look.line, light: look.line },
      gray: { 50: look.shade, 100: look.line },
      responses: {
        success: { color: look.good, backgroundColor: look.shade, tabTextColor: "#7fd69a" },
        error: { color: look.bad, backgroundColor: look.shade, tabTextColor: "#ff9d9d" },
        redirect: { color: look.quiet, backgroundColor: look.shade },
        info: { color: look.quiet, backgroundColor: look.shade },
      },
      http: { get: "#2b6a3c", post: "#1d5f96", put: "#6b5b10", patch: "#87541a", delete: "#a3312b", basic: "#55616e",
        options: "#55616e", link: "#0a6657", head: "#55616e" },
    },
    schema: { linesColor: look.line, typeNameColor: look.quiet, typeTitleColor: look.quiet, requireLabelColor: look.bad,
      defaultDetailsWidth: "70%", nestedBackground: look.shade, arrow: { size: "1em", color: look.quiet } },
    typography: {
      fontSize: "15px", lineHeight: "1.6", fontFamily: sans,
      headings: { fontFamily: sans, fontWeight: "650" },
      code: { fontFamily: mono, fontSize: "13px", color: look.code, backgroundColor: look.codePaper },
      links: { color: look.accent, visited: look.accent, hover: look.accent, textDecoration: "underline",
        hoverTextDecoration: "underline" },
    },
    sidebar: { width: "280px", backgroundColor: look.shade, textColor: look.ink, activeTextColor: look.accent,
      groupItems: { activeBackgroundColor: look.line, activeTextColor: look.accent },
      level1Items: { activeBackgroundColor: look.line, activeTextColor: look.accent },
      arrow: { size: "1.3em", color: look.quiet } },
    rightPanel: { backgroundColor: "#1d272f", width: "40%", textColor: "#e3e8ed" },
    codeBlock: { backgroundColor: "#10161b" },
    fab: { backgroundColor: look.shade, color: look.accent },
  });

  const show = () => {
    const bar = document.querySelector(".bar");
    Redoc.init(address, {
      // Its search needs a worker made of text, which the page's policy does not allow; the browser's own finds everything.
      disableSearch: true,
      hideLoading: true,
      nativeScrollbars: true,
      sortRequiredPropsFirst: true,
      scrollYOffset: () => (getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0),
      theme: theme(colours(dark.matches)),
    }, place);
  };

  // Redoc jumps from headings of level 2 to those of level 5, and gives entries of its menu another name than they show.
  const mend = (place) => {
    for (const heading of place.querySelectorAll("h5:not([aria-level])")) heading.setAttribute("aria-level", "3");
    for (const entry of place.querySelectorAll("[role=menuitem][aria-label]")) entry.removeAttribute("aria-label");
  };
  const place = document.getElementById("reference");
  new MutationObserver(() => mend(place)).observe(place, { childList: true, subtree: true });

  show();
  dark.addEventListener("change", () => location.reload());
})();
