/** A check as text that a DBA can send: one screen, without a name or id of a customer. */
import type { EventFile } from "../events/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import {
  EXPECTATION_GROUPS,
  type CaptureCheck,
  type Expectation,
  type ExpectationState,
} from "./expectation.ts";
import { number } from "./row.ts";

const STATE_WORDS: Readonly<Record<ExpectationState, string>> = {
  met: "met",
  part: "part",
  not: "NOT MET",
  absent: "absent",
};

const [STATE, TITLE, COUNT] = [8, 30, 12];

/** The text of a check. @param files those that were checked @param model null for files that are no capture; its names are not used */
export function checkReport(
  check: CaptureCheck,
  files: readonly EventFile[],
  model: CaptureModel | null,
): string {
  const lines = [
    "AG Lens check 1",
    check.sentence,
    "",
    `${number(check.events)} events in ${number(check.files)} files, ${number(check.unclaimedBytes)} payload bytes unclaimed`,
    ...(model === null ? [] : sizesOf(model)),
    "",
    `${"".padEnd(STATE)}${"Expectation".padEnd(TITLE)}${"Met".padStart(COUNT)}${"Not met".padStart(COUNT)}  Unit`,
  ];
  for (const group of EXPECTATION_GROUPS)
    for (const one of check.expectations.filter((each) => each.group === group)) lines.push(...linesOf(one));
  lines.push("", "Event types", ...eventTypes(files), "");
  return lines.join("\n");
}

function sizesOf({ replicas, databases, engine, blocks, counts }: CaptureModel): string[] {
  const servers = replicas.filter(({ hasCapture }) => hasCapture).length;
  return [
    `${number(servers)} servers with files of ${number(replicas.length)}, ${number(databases.length)} databases, engine ${engine}`,
    `${number(blocks.length)} log blocks: ${number(counts.onBoth)} on both sides, ${number(counts.completeEndToEnd)} complete`,
    ...oneSided("the primary", counts.primaryOnly, counts.common.primaryOnly),
    ...oneSided("secondaries", counts.secondaryOnly, counts.common.secondaryOnly),
  ];
}

/** Blocks that only one side has: those outside of the common time exist because that side's files are longer. */
const oneSided = (side: string, all: number, inCommon: number): string[] =>
  all === 0
    ? []
    : [
        `${number(all)} log blocks only on ${side}: ${number(inCommon)} in time that both sides cover, ${number(all - inCommon)} outside of it`,
      ];

function linesOf({ state, title, met, notMet, unit, examples }: Expectation): string[] {
  const counts = `${number(met).padStart(COUNT)}${number(notMet).padStart(COUNT)}`;
  const row = `${STATE_WORDS[state].padEnd(STATE)}${title.padEnd(TITLE)}${counts}  ${unit}`;
  return [row, ...examples.map((example) => `${"".padEnd(STATE)}${example}`)];
}

/** Each event type once, with its columns: names and types are SQL Server's. */
function eventTypes(files: readonly EventFile[]): string[] {
  const types = Map.groupBy(
    files.flatMap(({ reading }) => reading?.shape?.events ?? []),
    ({ name, columns }) => `${name}(${columns.map((column) => `${column.name} ${column.type}`).join(", ")})`,
  );
  return [...types]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([words, same]) =>
        `${number(same.reduce((sum, { count }) => sum + count, 0)).padStart(COUNT)}  ${words}`,
    );
}
