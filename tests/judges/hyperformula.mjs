// node hyperformula.mjs PACKAGE <workbook.json >values.json: HyperFormula's value of every cell, errors as their text.
// in: {"sheets": {title: rows of values, formulas as "=...", texts with a leading '}, "names": {name: "=reference"}}
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { HyperFormula } = createRequire(import.meta.url)(process.argv[2]);
const book = JSON.parse(readFileSync(0, "utf8"));
const names = Object.entries(book.names).map(([name, expression]) => ({ name, expression }));
const engine = HyperFormula.buildFromSheets(book.sheets, { licenseKey: "gpl-v3" }, names);
const plain = (value) => (value !== null && typeof value === "object" ? value.value : value);
const found = Object.entries(engine.getAllSheetsValues()).map(([title, rows]) => [title, rows.map((row) => row.map(plain))]);
process.stdout.write(JSON.stringify(Object.fromEntries(found)));
