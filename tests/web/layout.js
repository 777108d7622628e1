// What is wrong with a table as it stands: what can be decided or is named lies outside the screen, under something
// else or in too small a place; a region that does not hold its content; letters below 12 px.
() => {
  const bad = [];
  const frame = document.querySelector("[data-layout]");
  if (!frame) return ["there is no table"];
  const tiny = frame.dataset.layout === "tiny";
  const name = (e) =>
    e.dataset.piece ??
    e.dataset.decision ??
    e.dataset.offer ??
    e.dataset.about ??
    `${e.tagName.toLowerCase()}.${e.className?.baseVal ?? e.className}`;
  const seen = (e) =>
    e.getClientRects().length && getComputedStyle(e).visibility !== "hidden";

  /** The part of an element that a finger reaches: the box round all points where it lies on top. */
  function reach(e) {
    const r = e.getBoundingClientRect();
    const n = 12;
    let [l, t, b, w] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) {
        const x = r.left + ((i + 0.5) * r.width) / n;
        const y = r.top + ((j + 0.5) * r.height) / n;
        const top = document.elementFromPoint(x, y);
        if (!top || !(e.contains(top) || top.contains(e))) continue;
        [l, w] = [Math.min(l, x), Math.max(w, x)];
        [t, b] = [Math.min(t, y), Math.max(b, y)];
      }
    if (l === Infinity) return { width: 0, height: 0 };
    return { width: w - l + r.width / n, height: b - t + r.height / n };
  }

  function inSight(e, what) {
    const r = e.getBoundingClientRect();
    const region = e.closest("[data-region]");
    const box = region?.getBoundingClientRect();
    const out = (edge) =>
      r.left < edge.left - 2 ||
      r.right > edge.right + 2 ||
      r.top < edge.top - 2 ||
      r.bottom > edge.bottom + 2;
    if (out({ left: 0, top: 0, right: innerWidth, bottom: innerHeight }))
      bad.push(`${what} ${name(e)}: outside the screen`);
    else if (box && out(box))
      bad.push(`${what} ${name(e)}: cut by ${region.dataset.region}`);
  }

  const root = document.documentElement;
  if (root.scrollHeight > innerHeight + 1 || root.scrollWidth > innerWidth + 1)
    bad.push(`the page scrolls: ${root.scrollWidth} × ${root.scrollHeight}`);
  if (!tiny) {
    for (const region of frame.querySelectorAll("[data-region]")) {
      if (region.dataset.region === "log") continue;
      for (const e of [region, region.firstElementChild]) {
        const [w, h] = [
          e.scrollWidth - e.clientWidth,
          e.scrollHeight - e.clientHeight,
        ];
        if (
          ["auto", "scroll", "hidden"].includes(getComputedStyle(e).overflowY)
        )
          if (w > 2 || h > 2)
            bad.push(
              `${region.dataset.region} does not hold its content: ${w} × ${h} too much`,
            );
      }
    }
    for (const e of frame.querySelectorAll("[data-about]"))
      if (seen(e)) inSight(e, "about");
    const tapped = frame.querySelectorAll(
      "[data-piece].can, [data-offer], [data-decision], [data-confirm]",
    );
    for (const e of tapped) {
      if (!seen(e)) continue;
      inSight(e, "decision");
      const { width, height } = reach(e);
      const least =
        "card" in e.dataset || /^card:/.test(e.dataset.piece) ? 32 : 44;
      if (width < least - 1 || height < 43)
        bad.push(
          `decision ${name(e)}: ${Math.round(width)} × ${Math.round(height)} to touch`,
        );
    }
    // Every piece that can be tapped next is there; `data-pieces="place"` stands for all pieces of a kind.
    for (const id of (frame.dataset.next ?? "").split(" ").filter(Boolean))
      if (
        ![...frame.querySelectorAll("[data-piece]")].some(
          (e) => e.dataset.piece === id && seen(e),
        ) &&
        !frame.querySelector(`[data-pieces~="${id.split(":")[0]}"]`)
      )
        bad.push(`decision ${id}: nowhere on the table`);
  }
  const small = new Set();
  const walker = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const e = node.parentElement;
    if (!node.data.trim() || !e || e.closest(".sr, svg, [data-region=log]"))
      continue;
    if (!seen(e)) continue;
    const size =
      parseFloat(getComputedStyle(e).fontSize) * (e.currentCSSZoom ?? 1);
    if (size < 11.9)
      small.add(
        `letters of ${size.toFixed(1)} px: ${node.data.trim().slice(0, 24)}`,
      );
  }
  return [...bad, ...[...small].slice(0, 6)];
};
