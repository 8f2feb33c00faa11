import type { CaptureFile } from "@aglens/contract";
import { formatBytes, formatCount } from "../../ui/words.ts";

const SENSITIVE = "statement texts, host and login names";

/** What was dropped of files when they were received, or that it was not; null where there was nothing to drop. */
export function droppedWords(files: readonly CaptureFile[]): string | null {
  if (files.some(({ dropped }) => dropped === null)) return `With ${SENSITIVE}: their uploader keeps them.`;
  if (files.some(({ dropped }) => dropped === undefined))
    return `Received by an earlier version, which dropped no ${SENSITIVE}.`;
  const values = files.reduce((sum, { dropped }) => sum + (dropped?.values ?? 0), 0);
  const bytes = files.reduce((sum, { dropped }) => sum + (dropped?.bytes ?? 0), 0);
  const what = [
    ...(values === 0 ? [] : [`${formatCount(values)} values (${SENSITIVE})`]),
    ...(bytes === 0 ? [] : [`${formatBytes(bytes)} that hold no readable event`]),
  ];
  return what.length === 0 ? null : `Dropped on receipt: ${what.join(" and ")}.`;
}
