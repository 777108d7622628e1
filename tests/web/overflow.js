// Every element whose words run over its edge, or over the page's, once nothing travels any more.
async () => {
  const travelling = () =>
    document
      .getAnimations()
      .filter(
        (a) =>
          a.playState === "running" &&
          Number.isFinite(a.effect.getComputedTiming().endTime),
      );
  for (let moving = travelling(); moving.length; moving = travelling()) {
    await Promise.allSettled(moving.map((a) => a.finished));
    await new Promise((done) => setTimeout(done, 50)); // what has arrived is taken away
  }
  const bad = [];
  const wide = document.documentElement;
  if (wide.scrollWidth > wide.clientWidth + 1)
    bad.push(
      `the page scrolls sideways: ${wide.scrollWidth} > ${wide.clientWidth}`,
    );
  for (const element of document.body.querySelectorAll("*")) {
    const own = [...element.childNodes].filter(
      (node) => node.nodeType === Node.TEXT_NODE && node.data.trim(),
    );
    if (
      !own.length ||
      element.closest(".sr, svg, script, style, option, noscript")
    )
      continue;
    if (!element.getClientRects().length || !element.checkVisibility())
      continue;
    const style = getComputedStyle(element);
    if (style.visibility === "hidden") continue;
    if (style.clipPath === "inset(50%)") continue; // for screen readers alone
    // What is cut short on purpose says so with dots.
    const cut = (e) => {
      const s = getComputedStyle(e);
      return s.overflowX !== "visible" && s.textOverflow === "ellipsis";
    };
    let shortened = false;
    for (let e = element; e; e = e.parentElement) shortened ||= cut(e);
    if (shortened) continue;
    const name = `${element.tagName.toLowerCase()}.${element.className?.baseVal ?? element.className} "${own[0].data.trim().slice(0, 40)}"`;
    if (
      style.display !== "inline" &&
      element.scrollWidth > element.clientWidth + 1
    )
      bad.push(`${name}: ${element.scrollWidth} > ${element.clientWidth}`);
    for (const node of own) {
      const range = document.createRange();
      range.selectNodeContents(node);
      let clip = null;
      for (let e = element; e && !clip; e = e.parentElement)
        if (
          ["auto", "scroll", "hidden", "clip"].includes(
            getComputedStyle(e).overflowX,
          )
        )
          clip = e;
      const edge = clip?.getBoundingClientRect();
      const [left, right] = edge ? [edge.left, edge.right] : [0, innerWidth];
      // What scrolls, or ends in dots after so many lines, may be longer than its place is high.
      const s = clip && getComputedStyle(clip);
      const low =
        s &&
        ["hidden", "clip"].includes(s.overflowY) &&
        s.webkitLineClamp === "none"
          ? edge.bottom
          : Infinity;
      for (const box of range.getClientRects()) {
        if (box.width <= 1) continue;
        const out = box.right > right + 1 || box.left < left - 1;
        if (out || box.bottom > low + box.height / 3) {
          bad.push(
            `${name}: cut at the edge, ${Math.round(box.left)}–${Math.round(box.right)} of ${Math.round(left)}–${Math.round(right)}, in ${element.closest("[data-place], [data-about], section, aside")?.outerHTML.slice(0, 120)}`,
          );
          break;
        }
      }
    }
  }
  return bad;
};
