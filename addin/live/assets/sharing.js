// Save, Open and Copy link. Opening is one step for Undo; what does not fit is named, and the rest is set.

function note(text) {
  say(byId("note-text"), text);
  byId("note-close").hidden = !text;
}
const counted = (count, one, more) => count ? [`${whole.format(count)} ${count === 1 ? one : more}`] : [];
const told = misfits => misfits.length ? ` Not taken: ${few(misfits)}.` : "";

function saveFile() {
  const address = URL.createObjectURL(new Blob([changesText()], { type: "application/json" }));
  element("a", { href: address, download: "changes.json" }).click();
  URL.revokeObjectURL(address);
  const bad = [...wrong.keys()].map(n => nameOf(INPUTS[n])), money = leaving().some(n => INPUTS[n].money);
  note(`Saved changes.json${money ? ", with the prices that you typed" : ""}.${bad.length ? ` Not in it, as they cannot be read: ${few(bad)}.` : ""}`);
}
// Set what a file or a link brings. Prices of this page stay where a link, which has none, is opened.
function open(name, { digest, version, design, inputs, twice }, prices) {
  const { states, misfits } = fitting(inputs, prices);
  const other = digest !== DATA.digest;
  const from = other ? `${name} was made from ${version ? `version ${echoed(version)}, ` : ""}formulas ${echoed(digest)}; this page has ${DATA.version}, ${DATA.digest}` : "";
  if (!states.size && (other || misfits.length)) {
    note(`${other ? from : `${name} fits in nothing`}. Nothing was changed.${told(misfits)}`);
    return;
  }
  alter(replaced(states, prices));
  byId("opening").hidden = true;
  const count = `${counted(states.size, "input", "inputs")[0] ?? "no input"} set`;
  const based = design && design !== DATA.design && !other ? " The sender's page has another saved design, so its answer may differ." : "";
  const doubled = twice.length ? ` Named twice, the last one taken: ${few(twice.map(echoed))}.` : "";
  note(`${from ? `${from}. What fits: ` : `Opened ${name.replace(/^The/, "the")}: `}${count}. Undo takes it back.${based}${doubled}${told(misfits)}`);
}
async function openFile(file) {
  const name = echoed(file.name);
  try {
    if (file.size > LARGEST) throw `is larger than ${whole.format(LARGEST)} bytes. Expected a file that Save has written.`;
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
  const away = [...counted(prices, "price", "prices"), ...wrong.size ? [`${few([...wrong.keys()].map(n => nameOf(INPUTS[n])))}, which cannot be read`] : []];
  note(`${done ? "Copied" : "Copy the link below"}: ${counted(list.length - prices, "input", "inputs")[0] ?? "the saved design"}, no prices. ` +
    `The receiver opens it with Open, on a copy of this page.${away.length ? ` Left out: ${away.join("; ")}.` : ""}`);
}
function copyFrom(box) {
  box.focus();
  box.select();
  return document.execCommand("copy"); // pages opened from a file may not use the newer clipboard interface
}
