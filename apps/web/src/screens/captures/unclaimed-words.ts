import type { CaptureFile } from "@aglens/contract";
import { countedWords } from "../capture-view/figures.ts";

/** Event names beyond these are counted. */
const MOST_NAMED = 3;

/** That a file has payload bytes which no column claims, so that its values can be wrong; null where it has none. */
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
