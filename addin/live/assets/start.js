// The start of the page: without script it shows the saved design, which is replaced here.

document.body.classList.add("live");
byId("no-script").hidden = true;
compute();
const unequal = differences();
const marks = marksOf(LOCALE);
if (marks["."] !== MARKS["."] || marks[","] !== MARKS[","]) {
  setMarks(marks); // texts that formulas compose have numbers too: all are made anew
  begun = false;
  compute();
}
rememberSaved();
say(byId("draw"), T`Draw ${whole.format(TRIALS)} trials`);
showFields();
show();
byId("self-check").textContent = unequal.length
  ? T`Self-check FAILED: ${unequal.length} results differ from the workbook's, such as ${unequal[0]}. Do not use this page.`
  : T`Self-check: all ${whole.format(DATA.expected.length)} results of the saved design equal the workbook's.`;
byId("self-check").classList.toggle("fault", unequal.length > 0);

const clicks = {
  undo: back, redo: forth, save: saveFile, "save-json": saveFile, "copy-link": copyLink, draw: startDrawing, forget,
  "forget-all": forget, pin: pinHere, unpin, "to-pinned": toPinned, split: startSplitting,
  reset: () => alter(replaced(new Map(), true)),
  open: () => showOpening(byId("opening").hidden),
  "open-link": () => openLink(byId("pasted").value),
  "note-close": () => note(""),
  "chain-close": closeChain, "chain-back": () => up(trail.length - 2), "to-field": toField,
  "not-now": () => { byId("stopped").hidden = true; },
};
for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener("click", act);
for (const button of document.querySelectorAll("[data-copies]")) {
  button.addEventListener("click", () => copyFrom(byId(button.dataset.copies)));
}
byId("file").addEventListener("change", () => {
  const [file] = byId("file").files;
  if (file) openFile(file).finally(() => { byId("file").value = ""; });
});
byId("keep-prices").addEventListener("change", keep);
byId("pasted").addEventListener("keydown", event => {
  if (event.key !== "Enter") return;
  event.preventDefault(); // the rest of the key would press the button that has the cursor next
  openLink(byId("pasted").value);
});
document.addEventListener("keydown", onUndoKeys);
document.addEventListener("keydown", onArrows);
document.addEventListener("click", onOpens);
byId("chain").addEventListener("close", onClosed);
byId("chain").addEventListener("keydown", event => event.stopPropagation()); // Ctrl+Z is not for the page behind it
byId("moves-result").addEventListener("change", drawSweep);
window.addEventListener("storage", onStore);
window.addEventListener("hashchange", openAddress);
window.addEventListener("beforeunload", onLeaving);
offer();
openAddress();
