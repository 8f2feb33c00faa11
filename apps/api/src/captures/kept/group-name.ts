/** Names the availability group of a capture. */
import type { CaptureGroup } from "@aglens/contract";
import { serversText } from "@aglens/ag-model/grouping";
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
