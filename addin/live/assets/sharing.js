// Save, Open and Copy link. Opening is one step for Undo; what does not fit is named, and the rest is set.

function note(text) {
  say(byId("note-text"), text);
  byId("note-close").hidden = !text;
}
const unread = () => [...wrong.keys()].map(n => nameOf(INPUTS[n]));
const counted = (count, one, more) => count ? [`${whole.format(count)} ${count === 1 ? one : more}`] : [];
const told = misfits => misfits.length ? T` Not taken: ${few(misfits)}.` : "";

function saveFile() {
  const address = URL.createObjectURL(new Blob([changesText()], { type: "application/json" }));
  element("a", { href: address, download: "changes.json" }).click();
  URL.revokeObjectURL(address);
  const saved = leaving().some(n => INPUTS[n].money) ? T`Saved changes.json, with the prices that you typed.` : T`Saved changes.json.`;
  note(saved + (wrong.size ? T` Not in it, as they cannot be read: ${few(unread())}.` : ""));
}
// Set what a file or a link brings. Prices of this page stay where a link, which has none, is opened.
function open(name, { digest, version, design, inputs, twice }, prices) {
  const isLink = !prices;
  const { states, misfits } = fitting(inputs, prices), other = digest !== DATA.digest;
  const theirs = (version ? T`version ${echoed(version)}, ` : "") + T`formulas ${echoed(digest)}`;
  const from = T`${name} was made from ${theirs}; this page has ${DATA.version}, ${DATA.digest}.`;
  if (!states.size && (other || misfits.length)) {
    note((other ? from : T`${name} has nothing that fits this page.`) + T` Nothing was changed.` + told(misfits));
    return;
  }
  alter(replaced(states, prices));
  showOpening(false);
  const count = T`${counted(states.size, T`input`, T`inputs`)[0] ?? T`no input`} set`;
  const based = design && design !== DATA.design && !other
    ? T` The sender's page has another saved design, so its answer may differ.` : "";
  const doubled = twice.length ? T` Named twice, the last one taken: ${few(twice.map(echoed))}.` : "";
  const start = other ? T`${from} What fits: ${count}.` : isLink ? T`Opened the link: ${count}.` : T`Opened ${name}: ${count}.`;
  note(start + T` Undo takes it back.` + based + doubled + told(misfits));
}
// The panel for files and links; its button says whether it is there, and has the cursor again when it goes.
function showOpening(wanted) {
  const panel = byId("opening"), within = panel.contains(document.activeElement);
  panel.hidden = !wanted;
  byId("open").setAttribute("aria-expanded", String(wanted));
  if (wanted) byId("file").focus();
  else if (within) byId("open").focus();
}
async function openFile(file) {
  const name = echoed(file.name);
  try {
    if (file.size > LARGEST) throw TOO_LARGE;
    const text = await file.text();
    open(name, readChanges(text), true);
  } catch (reason) {
    note(`${name} ${typeof reason === "string" ? reason : T`cannot be read. Choose it again.`}` + T` Nothing was changed.`);
  }
}
function openLink(text) {
  try {
    open(T`The link`, readLink(text), false);
  } catch (reason) {
    if (typeof reason !== "string") throw reason;
    note(`${T`The link`} ${reason}` + T` Nothing was changed.`);
  }
}
// The address of the page with a link behind it: taken once, so that a reload does not set it again.
function openAddress() {
  const fragment = location.hash;
  if (fragment.length < 2 || document.getElementById(fragment.slice(1))) return;
  try {
    history.replaceState(null, "", location.href.split("#")[0]);
  } catch { /* the address stays as it is */ }
  openLink(fragment);
}
function copyLink() {
  const fragment = linkText(), box = byId("link");
  if (fragment.length > LONGEST_LINK) {
    note(T`The changes are too long for a link (${whole.format(fragment.length)} characters). Save them as a file.`);
    return;
  }
  box.value = location.protocol.startsWith("http") ? location.origin + location.pathname + fragment : fragment;
  byId("sending").hidden = false;
  const done = copyFrom(box), list = leaving(), prices = list.filter(n => INPUTS[n].money).length;
  const away = [...counted(prices, T`price`, T`prices`), ...wrong.size ? [T`${few(unread())}, which cannot be read`] : []];
  const count = counted(list.length - prices, T`input`, T`inputs`)[0] ?? T`the saved design`;
  note((done ? T`Copied: ${count}, no prices.` : T`Copy the link below: ${count}, no prices.`)
    + T` The receiver opens it with Open, on a copy of this page.` + (away.length ? T` Left out: ${away.join("; ")}.` : ""));
}
function copyFrom(box) {
  box.focus();
  box.select();
  return document.execCommand("copy"); // pages opened from a file may not use the newer clipboard interface
}
