/** Warnings for a DBA about how files were grouped, in sentences. */
import { plural } from "../words/words.ts";
import { haveCommonBlocks, type BlockRange } from "./block-range.ts";
import { commonTicks, spanText, spanOf, ticksText, type TickSpan } from "./time-spans.ts";
import { joinedRolePeriods, type RolePeriod } from "./role-periods.ts";

export type GroupingWarningCode =
  | "grouping.usedOnce" // the same file was provided twice
  | "grouping.beginning" // the later, longer copy of the same file was also provided
  | "grouping.leftOut" // no event of the data movement path
  | "grouping.forwarder" // a distributed group's forwarder, or a secondary of it, next to the global primary
  | "grouping.foreign" // nothing in common with the other files
  | "grouping.otherTime" // the same group at another time
  | "grouping.noTimeInCommon" // a server whose events overlap with no other's
  | "grouping.utcApart" // a server whose events overlap with no other's in time, though they are of the same log blocks
  | "grouping.twoInOneRole" // two servers are primary of one database at one time
  | "grouping.undecided"; // the files do not show which server wrote which

/** A sentence with its code; `refuses` when the capture cannot be analyzed before it is answered. */
export interface GroupingWarning {
  readonly code: GroupingWarningCode;
  readonly sentence: string;
  readonly refuses: boolean;
}

const warning = (code: GroupingWarningCode, sentence: string, refuses = false): GroupingWarning => ({
  code,
  sentence,
  refuses,
});

export const usedOnce = (name: string, other: string): GroupingWarning =>
  warning("grouping.usedOnce", `${name} is used once: it is the same file as ${other}.`);

export const beginning = (name: string, whole: string): GroupingWarning =>
  warning(
    "grouping.beginning",
    `${name} is skipped: it is an earlier copy of ${whole}, which contains all its events and later ones.`,
  );

export const eventsSkipped = (name: string, events: number): GroupingWarning =>
  warning(
    "grouping.leftOut",
    events === 0
      ? `${name} is skipped: it contains no events.`
      : `${name} is skipped: a different session wrote it, and ${events === 1 ? "its only event isn't" : `its ${events.toLocaleString("en-US")} events aren't`} about log blocks.`,
  );

const OTHER_GROUP =
  "To analyze the second availability group, provide the files of the forwarder and its secondaries alone.";

/** @param server name of the forwarder */
export const forwarder = (file: string, server: string): GroupingWarning =>
  warning(
    "grouping.forwarder",
    `${file} is skipped: ${server} is the forwarder of a distributed availability group. It sends on the log blocks that it receives. ${OTHER_GROUP}`,
  );

/** @param server name of the forwarder */
export const behindForwarder = (file: string, server: string): GroupingWarning =>
  warning(
    "grouping.forwarder",
    `${file} is skipped: its server receives log blocks from ${server}, the forwarder of a distributed availability group. ${OTHER_GROUP}`,
  );

export const foreign = (names: readonly string[]): GroupingWarning =>
  warning(
    "grouping.foreign",
    `${names.join(", ")}: from another group, with no server, partner or database in common with the other files. They become a separate capture.`,
  );

export const otherTime = (other: string, apart: bigint): GroupingWarning =>
  warning(
    "grouping.otherTime",
    `The same availability group as ${other}, ${ticksText(apart)} apart. These files become a separate capture.`,
  );

export function undecided(names: readonly string[]): GroupingWarning {
  const them = plural(names.length, "it", "them");
  return warning(
    "grouping.undecided",
    `Can't identify the server that wrote ${names.join(", ")}: no event names it, and more than one is possible. Put each server's files in a folder with the server's name and add the topology XML, enter the server's name, or remove ${them}.`,
    true,
  );
}

/** A server with the data that the warnings need. */
export interface WarnedServer extends TickSpan {
  readonly name: string;
  readonly databases: readonly {
    readonly id: string;
    readonly name: string;
    readonly stretches: readonly RolePeriod[];
    readonly range: BlockRange | null;
  }[];
}

/**
 * A warning for each server whose events have no time in common with any other server of the capture; two servers share
 * one warning. @param servers the primary by its hint first
 */
export function withoutCommonTime(servers: readonly WarnedServer[]): GroupingWarning[] {
  if (servers.length < 2) return [];
  return servers.slice(servers.length === 2 ? 1 : 0).flatMap((server) => {
    const others = servers.filter((other) => other !== server);
    if (others.some((other) => commonTicks(server, other) > 0n)) return [];
    const same = others.find((other) => haveCommonBlocks(server.databases, other.databases));
    if (same !== undefined) return [utcApart(server.name, same.name)];
    const rest = spanOf(others);
    return [
      warning(
        "grouping.noTimeInCommon",
        `${server.name} has no time in common with ${others.map(({ name }) => name).join(", ")}: its events cover ${spanText(server)}, and the others cover ${spanText(rest)}. AG Lens can't match their log blocks.`,
      ),
    ];
  });
}

const utcApart = (name: string, other: string): GroupingWarning =>
  warning(
    "grouping.utcApart",
    `${name} and ${other} recorded the same log blocks, at different times by their UTC clocks. The analysis aligns the clocks by the log blocks.`,
  );

/** Clocks of two servers may differ by this much when the roles change. */
const LEAST_TOGETHER_TICKS = 100_000_000n;

/** A warning for each database with two primaries at the same time. */
export function twoPrimaries(servers: readonly WarnedServer[]): GroupingWarning[] {
  const warnings: GroupingWarning[] = [];
  servers.forEach((server, s) => {
    for (const other of servers.slice(s + 1)) {
      for (const { id, name, stretches: periods } of server.databases) {
        const theirs = other.databases.find((database) => database.id === id)?.stretches ?? [];
        const together = primaryTogether(periods, theirs);
        if (together === null) continue;
        warnings.push(
          warning(
            "grouping.twoInOneRole",
            `${server.name} and ${other.name} both contain events of a primary of ${name} from ${spanText(together)}. AG Lens distinguishes them by replica id.`,
          ),
        );
      }
    }
  });
  return warnings;
}

function primaryTogether(a: readonly RolePeriod[], b: readonly RolePeriod[]): TickSpan | null {
  for (const x of joinedRolePeriods([a]).filter(({ role }) => role === "primary")) {
    for (const y of b.filter(({ role }) => role === "primary")) {
      if (commonTicks(x, y) <= LEAST_TOGETHER_TICKS) continue;
      return {
        fromTicks: x.fromTicks > y.fromTicks ? x.fromTicks : y.fromTicks,
        toTicks: x.toTicks < y.toTicks ? x.toTicks : y.toTicks,
      };
    }
  }
  return null;
}
