import type { CaptureFile } from "@aglens/contract";
import { capturesTexts } from "../../messages/captures.ts";
import { formatBytes, formatCount } from "../../ui/words.ts";

/**
 * Text on whether the server dropped sensitive columns when it received the files; null where there was nothing to
 * drop.
 */
export function droppedText(files: readonly CaptureFile[]): string | null {
  if (files.some(({ dropped }) => dropped === null))
    return capturesTexts.withTheirUploaderKeeps(capturesTexts.statementTextsHost);
  if (files.some(({ dropped }) => dropped === undefined))
    return capturesTexts.receivedByAnEarlier(capturesTexts.statementTextsHost);
  const values = files.reduce((sum, { dropped }) => sum + (dropped?.values ?? 0), 0);
  const bytes = files.reduce((sum, { dropped }) => sum + (dropped?.bytes ?? 0), 0);
  const what = [
    ...(values === 0 ? [] : [capturesTexts.values(formatCount(values), capturesTexts.statementTextsHost)]),
    ...(bytes === 0 ? [] : [capturesTexts.thatHoldNoReadable(formatBytes(bytes))]),
  ];
  return what.length === 0 ? null : capturesTexts.droppedOnReceipt(what.join(" and "));
}

/** Event names beyond these are counted. */
const MOST_NAMED = 3;

/**
 * Warning that a file has payload bytes which no column claims, so that its values can be wrong; null where it has no
 * such bytes.
 */
export function unclaimedText({ unclaimed = [] }: Pick<CaptureFile, "unclaimed">): string | null {
  if (unclaimed.length === 0) return null;
  const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0);
  const bytes = capturesTexts.byte(sum(unclaimed.map((one) => one.bytes)));
  const events = capturesTexts.event(sum(unclaimed.map((one) => one.events)));
  const names = unclaimed.slice(0, MOST_NAMED).map(({ event }) => event);
  const more = unclaimed.length - names.length;
  const named = `${names.join(", ")}${more > 0 ? capturesTexts.andMore(more) : ""}`;
  return capturesTexts.noColumnClaims(bytes, events, named);
}
