/** What the availability group of a capture is called. */
import type { CaptureGroup } from "@aglens/contract";
import { groupedFiles } from "@aglens/engine/files";
import type { CaptureRecord } from "../../store/catalogue.ts";

const MOST_DATABASES = 2;

/** Its own name where the topology has it, else its databases and servers; null where no file shows a server. */
export function groupOf(files: CaptureRecord["files"]): string | null {
  const [first] = groupedFiles(files).groups;
  return first === undefined ? null : (first.group ?? groupLabel(first));
}

/**
 * What all captures of one availability group have in common, whoever was its primary: its databases and its servers. Events
 * do not have the group's own name.
 */
function groupLabel({ servers, databases }: Pick<CaptureGroup, "servers" | "databases">): string {
  const names = servers.map(({ name }) => name).toSorted();
  const shown = databases.length <= MOST_DATABASES ? databases : [`${databases.length} databases`];
  return [shown.toSorted().join(", "), names.join(", ")].filter((part) => part !== "").join(" - ");
}
