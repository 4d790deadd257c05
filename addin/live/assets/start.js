// The start of the page: without script it shows the saved design, which is replaced here.

document.body.classList.add("live");
byId("no-script").hidden = true;
const CELLS = EVERYTHING.reduce((sum, number, n) => n % 3 === 2 ? sum + number : sum, 0);
showFields();
show();
const unequal = differences();
byId("self-check").textContent = unequal.length
  ? `Self-check FAILED: ${unequal.length} results differ from the workbook's, such as ${unequal[0]}. Do not use this page.`
  : `Self-check: all ${whole.format(DATA.expected.length)} results of the saved design equal the workbook's.`;
byId("self-check").classList.toggle("fault", unequal.length > 0);

byId("reset").addEventListener("click", () => {
  wrong.clear();
  INPUTS.forEach((input, n) => { entries[n] = input.saved; });
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  for (const refresh of fields.values()) refresh();
  later();
});
byId("draw").addEventListener("click", startDrawing);
for (const button of document.querySelectorAll("[data-copies]")) {
  button.addEventListener("click", () => {
    const box = byId(button.dataset.copies);
    box.focus();
    box.select();
    document.execCommand("copy"); // pages opened from a file may not use the newer clipboard interface
  });
}
byId("save-json").addEventListener("click", () => {
  const address = URL.createObjectURL(new Blob([byId("as-json").value], { type: "application/json" }));
  element("a", { href: address, download: "changes.json" }).click();
  URL.revokeObjectURL(address);
});
