import type { CaptureFile } from "@aglens/contract";
import { countedWords } from "../capture-view/figures.ts";
import { formatBytes, formatCount } from "../../ui/words.ts";

const SENSITIVE = "statement texts, host and login names";

/**
 * Text on whether the server dropped sensitive columns when it received the files; null where there was nothing to
 * drop.
 */
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

/** Event names beyond these are counted. */
const MOST_NAMED = 3;

/**
 * Warning that a file has payload bytes which no column claims, so that its values can be wrong; null where it has no
 * such bytes.
 */
export function unclaimedWords({ unclaimed = [] }: Pick<CaptureFile, "unclaimed">): string | null {
  if (unclaimed.length === 0) return null;
  const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0);
  const bytes = countedWords(sum(unclaimed.map((one) => one.bytes)), "byte");
  const events = countedWords(sum(unclaimed.map((one) => one.events)), "event");
  const names = unclaimed.slice(0, MOST_NAMED).map(({ event }) => event);
  const more = unclaimed.length - names.length;
  const named = `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return `No column claims ${bytes} in ${events} (${named}). Values of this file may be wrong.`;
}
