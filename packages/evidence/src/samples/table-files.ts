/** Waits and schedulers as CSV or XML: the columns of the views, or WaitType, Wait_S, Resource_S, ... of a known script. */
import Papa from "papaparse";
import { Leftovers } from "./leftovers.ts";
import { RowTable } from "./row-table.ts";
import { readRowsetLines } from "./rowsets.ts";
import { CHOSEN_WAITS, SCHEDULERS, type TableRule } from "./sample-tables.ts";
import { remark, type SampleOptions, type Samples } from "./samples.ts";
import { seriesOfTables } from "./table-series.ts";
import { shortText } from "./text-lines.ts";
import { readXml, type XmlNode } from "./xml-tree.ts";

/** A day of snapshots each minute has some 25 million characters. */
const LONGEST = 64 * 1024 * 1024;

/** Reads a file of wait statistics. */
export async function readWaits(chunks: AsyncIterable<Uint8Array>, options: SampleOptions): Promise<Samples> {
  return readTable(await shortText(chunks, LONGEST), CHOSEN_WAITS, options);
}

/** Reads a file with schedulers: a rowset of a script, or a table. */
export async function readSchedulers(
  chunks: AsyncIterable<Uint8Array>,
  options: SampleOptions,
): Promise<Samples> {
  const text = await shortText(chunks, LONGEST);
  const isRowset = text !== null && /^-- dm_os_schedulers --/mu.test(text);
  return isRowset ? readRowsetLines(text.split(/\r?\n/u), options) : readTable(text, SCHEDULERS, options);
}

/** @param text null for a file that is too long */
function readTable(text: string | null, rule: TableRule, options: SampleOptions): Samples {
  const { file, server } = options;
  if (text === null) {
    const remarks = [remark(`The file with ${rule.name} is longer than 64 MB. AG Lens doesn't read it.`)];
    return { series: [], server, remarks, notUnderstood: null };
  }
  const leftovers = new Leftovers();
  const rows = /^\uFEFF?\s*</u.test(text) ? rowsOfXml(text, rule, leftovers) : rowsOfCsv(text);
  const table = new RowTable(rule, rows.header, options.columns);
  if (!table.isReadable) {
    const remarks = [remark(`The file has no column heads of ${rule.name}.`)];
    return { series: [], server, remarks, notUnderstood: leftovers.of(file) };
  }
  for (const column of table.unknownColumns) leftovers.add(`Column ${column}`);
  for (const cells of rows.cells)
    if (table.add(cells, rows.hasDecimalComma) === "notUnderstood") leftovers.add(cells.join(" "));
  const { series, remarks } = seriesOfTables([table], options);
  return { series, server, remarks, notUnderstood: leftovers.of(file) };
}

interface Rows {
  readonly header: readonly string[];
  readonly cells: readonly (readonly string[])[];
  readonly hasDecimalComma: boolean;
}

function rowsOfCsv(text: string): Rows {
  // PowerShell writes a line with a type before the head.
  const { data, meta } = Papa.parse<string[]>(text.replace(/^\uFEFF?(?:#TYPE[^\n]*\n)?/u, ""), {
    skipEmptyLines: true,
    delimitersToGuess: [",", ";", "\t", "|"],
  });
  const [header = [], ...cells] = data;
  return { header, cells, hasDecimalComma: meta.delimiter !== "," };
}

function rowsOfXml(text: string, { key }: TableRule, leftovers: Leftovers): Rows {
  const { roots, isWhole } = readXml(text);
  if (!isWhole) leftovers.add("The XML is damaged. Rows after the damage are missing.");
  const rows = rowsIn(roots, (name) => key.includes(name.toLowerCase()));
  const header = Array.from(new Set(rows.flatMap((row) => Array.from(row.keys()))));
  const cells = rows.map((row) => header.map((name) => row.get(name) ?? ""));
  return { header, cells, hasDecimalComma: false };
}

/** Rows of FOR XML: elements with the key as attribute, or as element in them. */
function rowsIn(nodes: readonly XmlNode[], isKey: (name: string) => boolean): Map<string, string>[] {
  return nodes.flatMap((node) => {
    if (Object.keys(node.attributes).some(isKey)) return [new Map(Object.entries(node.attributes))];
    if (node.children.some(({ name }) => isKey(name)))
      return [new Map(node.children.map(({ name, text }) => [name, text]))];
    return rowsIn(node.children, isKey);
  });
}
