/** Commits by session, application and statement in the output of `xel waiting`, as the screen Waiting shows them. */
import { recordOf, withoutHiddenCharacters, type CaptureModel } from "../src/replication/index.ts";
import { CLIENT_GROUPS, whoWaited, type ClientGroup } from "../src/query/index.ts";
import { msText } from "../src/replay/index.ts";

type Waits = ReturnType<typeof whoWaited>;
type Figures = Waits["all"];

/** By group: its rows; null where the files don't have it, or where it isn't asked for. */
export type ClientWaits = Readonly<Record<ClientGroup, Waits | null>>;

/** @param withStatements prints texts of statements, without their literals */
export function clientWaits(model: CaptureModel, withStatements: boolean): ClientWaits {
  return recordOf(CLIENT_GROUPS, (by) => {
    if (model.commits[by] === undefined || (by === "statement" && !withStatements)) return null;
    return whoWaited(model, { by, from: 0, to: Infinity });
  });
}

/** The same as JSON has it: replicas by their names. */
export const clientFigures = ({ replicas }: CaptureModel, waits: ClientWaits) =>
  recordOf(CLIENT_GROUPS, (by) => {
    const found = waits[by];
    if (found === null) return null;
    const rows = found.rows.map((row) => ({
      ...row,
      replica: row.replica === null ? null : replicas[row.replica].name,
    }));
    return { ...found, rows };
  });

/** Lines of a table: those with the longest waits. */
const MOST_LINES = 20;
/** Letters of a statement in a table. */
const MOST_LETTERS = 80;

const HEADS = ["wait", "share", "commits", "p50", "p95"];
const PLACES: Readonly<Record<keyof Figures["places"], string>> = {
  commitQueue: "commit queue",
  localFlush: "log write, primary",
  network: "network",
  secondaryFlush: "log write, secondary",
  handling: "other handling",
  unresponsive: "unresponsive server",
  unknown: "not known",
};
const TITLES: Readonly<Record<ClientGroup, string>> = {
  session: "Sessions",
  application: "Applications",
  statement: "Statements",
};
const NONE: Readonly<Record<ClientGroup, string>> = {
  session: "No session id",
  application: "No application name",
  statement: "No statement",
};

/** A table for each group, each after an empty line; "" where the files have none. */
export function clientWaitsText(model: CaptureModel, waits: ClientWaits): string {
  return CLIENT_GROUPS.map((by) => {
    const found = waits[by];
    return found === null ? "" : `\n\n${tableLines(model, by, found).join("\n")}`;
  }).join("");
}

function tableLines(model: CaptureModel, by: ClientGroup, { rows, others, all }: Waits): string[] {
  const shown = rows.slice(0, MOST_LINES);
  const more = rows.length - shown.length + (others?.groups ?? 0);
  const title = `${TITLES[by]}, by the sum of their commit wait`;
  const names = shown.map((row) => nameOf(model, by, row).slice(0, MOST_LETTERS));
  const width = Math.max(...[title, ...names].map(({ length }) => length + 1));
  return [
    `${title.padEnd(width)}${HEADS.map((head) => head.padStart(12)).join("")}  most of it`,
    ...shown.map((row, i) => lineOf(names[i].padEnd(width), row, all)),
    ...(more > 0 ? [`${more} more rows, see --json`] : []),
    lineOf("All".padEnd(width), all, all),
  ];
}

function nameOf({ replicas }: CaptureModel, by: ClientGroup, row: Waits["rows"][number]): string {
  if (row.value === 0) return NONE[by];
  if (by === "session")
    return `Session ${row.value}${row.replica === null ? "" : ` on ${replicas[row.replica].name}`}`;
  // Programs that connect choose their names, which may contain commands of a terminal.
  return withoutHiddenCharacters(row.application ?? row.statement ?? `${by} ${row.value}`);
}

function lineOf(name: string, { waitedUs, commits, p50Us, p95Us, places }: Figures, all: Figures): string {
  const cells = [
    msText(waitedUs),
    all.waitedUs > 0 ? `${((100 * waitedUs) / all.waitedUs).toFixed(1)} %` : "",
    commits.toLocaleString("en-US"),
    p50Us === null ? "" : msText(p50Us),
    p95Us === null ? "" : msText(p95Us),
  ];
  const [most] = Object.entries(places).toSorted(([, a], [, b]) => b - a);
  const place = most === undefined || most[1] <= 0 ? "" : PLACES[most[0] as keyof typeof PLACES];
  return `${name}${cells.map((cell) => cell.padStart(12)).join("")}  ${place}`.trimEnd();
}
