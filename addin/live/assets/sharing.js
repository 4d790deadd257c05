// Save, Open and Copy link. Opening is one step for Undo; what does not fit is named, and the rest is set.

function note(text) {
  say(byId("note-text"), text);
  byId("note-close").hidden = !text;
}
const unread = () => [...wrong.keys()].map(n => nameOf(INPUTS[n]));
const counted = (count, one, more) => count ? [`${whole.format(count)} ${count === 1 ? one : more}`] : [];
const told = misfits => misfits.length ? ` Not taken: ${few(misfits)}.` : "";

function saveFile() {
  const address = URL.createObjectURL(new Blob([changesText()], { type: "application/json" }));
  element("a", { href: address, download: "changes.json" }).click();
  URL.revokeObjectURL(address);
  const prices = leaving().some(n => INPUTS[n].money) ? ", with the prices that you typed" : "";
  note(`Saved changes.json${prices}.${wrong.size ? ` Not in it, as they cannot be read: ${few(unread())}.` : ""}`);
}
// Set what a file or a link brings. Prices of this page stay where a link, which has none, is opened.
function open(name, { digest, version, design, inputs, twice }, prices) {
  const { states, misfits } = fitting(inputs, prices), other = digest !== DATA.digest;
  const theirs = `${version ? `version ${echoed(version)}, ` : ""}formulas ${echoed(digest)}`;
  const from = `${name} was made from ${theirs}; this page has ${DATA.version}, ${DATA.digest}`;
  if (!states.size && (other || misfits.length)) {
    note(`${other ? from : `${name} has nothing that fits this page`}. Nothing was changed.${told(misfits)}`);
    return;
  }
  alter(replaced(states, prices));
  showOpening(false);
  const count = `${counted(states.size, "input", "inputs")[0] ?? "no input"} set`;
  const based = design && design !== DATA.design && !other
    ? " The sender's page has another saved design, so its answer may differ." : "";
  const doubled = twice.length ? ` Named twice, the last one taken: ${few(twice.map(echoed))}.` : "";
  const start = other ? `${from}. What fits` : `Opened ${name.replace(/^The/, "the")}`;
  note(`${start}: ${count}. Undo takes it back.${based}${doubled}${told(misfits)}`);
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
    note(`${name} ${typeof reason === "string" ? reason : "cannot be read. Choose it again."} Nothing was changed.`);
  }
}
function openLink(text) {
  try {
    open("The link", readLink(text), false);
  } catch (reason) {
    if (typeof reason !== "string") throw reason;
    note(`The link ${reason} Nothing was changed.`);
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
    note(`The changes are too long for a link (${whole.format(fragment.length)} characters). Save them as a file.`);
    return;
  }
  box.value = location.protocol.startsWith("http") ? location.origin + location.pathname + fragment : fragment;
  byId("sending").hidden = false;
  const done = copyFrom(box), list = leaving(), prices = list.filter(n => INPUTS[n].money).length;
  const away = [...counted(prices, "price", "prices"), ...wrong.size ? [`${few(unread())}, which cannot be read`] : []];
  const count = counted(list.length - prices, "input", "inputs")[0] ?? "the saved design";
  note(`${done ? "Copied" : "Copy the link below"}: ${count}, no prices. ` +
    `The receiver opens it with Open, on a copy of this page.${away.length ? ` Left out: ${away.join("; ")}.` : ""}`);
}
function copyFrom(box) {
  box.focus();
  box.select();
  return document.execCommand("copy"); // pages opened from a file may not use the newer clipboard interface
}
