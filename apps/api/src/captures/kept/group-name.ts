/** Names the availability group of a capture. */
import type { CaptureGroup } from "@aglens/contract";
import { serversText } from "@aglens/ag-model/grouping";
import { formatShortDay } from "@aglens/ag-model/words";
import { groupedFiles } from "@aglens/engine/files";
import type { CaptureRecord } from "../../store/catalog.ts";

const MOST_DATABASES = 2;

/**
 * Name of the group for lists: its own name, else its servers as in the name of a capture, without ids. Several groups
 * may have the same name.
 */
export function groupNameOf(files: CaptureRecord["files"]): string | null {
  const [first] = groupedFiles(files).groups;
  if (first === undefined) return null;
  const servers = first.servers.map(({ name, nameFrom }) => ({ name, from: nameFrom }));
  return first.group ?? serversText(servers, first.withoutFile.length);
}

/**
 * Identifies captures of one group: by the group's own name, else by databases and servers; null where no file shows a
 * server.
 */
export function groupOf(files: CaptureRecord["files"]): string | null {
  const [first] = groupedFiles(files).groups;
  return first === undefined ? null : (first.group ?? groupLabel(first));
}

/**
 * The common parts of all captures of one availability group, regardless of the primary: its databases and its servers.
 * Events do not have the group's own name.
 */
function groupLabel({ servers, databases }: Pick<CaptureGroup, "servers" | "databases">): string {
  const names = servers.map(({ name }) => name).toSorted();
  const shown = databases.length <= MOST_DATABASES ? databases : [`${databases.length} databases`];
  return [shown.toSorted().join(", "), names.join(", ")].filter((part) => part !== "").join(" - ");
}

/** A start of an id in the place of a name. */
const CUT_ID = /\b[0-9a-f]{8}\b/u;

/** `groupNameOf`, from what `groupOf` made of the files of an expired capture. */
export function nameOfGroup(group: string): string {
  if (!CUT_ID.test(group)) return group;
  const servers = group.split(" - ").at(-1)?.split(", ") ?? [];
  return serversText(
    servers.map((name) => ({ name, from: CUT_ID.test(name) ? "id" : "given" })),
    0,
  );
}

/** A capture by its group. */
interface Grouped {
  /** As `groupOf` makes it. */
  readonly group: string | null;
  readonly groupName: string | null;
  /** Time of its first event, UTC, ISO 8601. */
  readonly from: string | null;
}

/** Names that count replicas. */
const COUNTED = /^\d+ replicas?$/u;

/**
 * Names of groups where each has to be another one, by `groupOf`: `SALES-AG`; where several are called the same, or servers have no
 * names, with the day of the newest capture: `2 replicas, 3 Mar 2016`.
 */
export function groupNames(captures: readonly Grouped[]): ReadonlyMap<string, string> {
  const newest = new Map<string, Grouped>();
  for (const each of captures) {
    if (each.group === null) continue;
    const before = newest.get(each.group);
    if (before === undefined || (each.from ?? "") > (before.from ?? "")) newest.set(each.group, each);
  }
  const nameOf = (group: string): string => newest.get(group)?.groupName ?? nameOfGroup(group);
  const groups = [...newest.keys()];
  const counts = Map.groupBy(groups, nameOf);
  const dated = Map.groupBy(groups, (group) => {
    const name = nameOf(group);
    const { from = null } = newest.get(group) ?? {};
    const isClear = counts.get(name)?.length === 1 && !COUNTED.test(name);
    return isClear || from === null
      ? name
      : `${name}, ${formatShortDay(from.slice(0, 10))} ${from.slice(0, 4)}`;
  });
  return new Map(
    [...dated].flatMap(([name, same]) =>
      same.map((group, i) => [group, i === 0 ? name : `${name} (${i + 1})`] as const),
    ),
  );
}
