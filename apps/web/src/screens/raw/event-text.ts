/** Texts of a raw event's cells. */
import type { RawEvent, RawEvents, Summary } from "@aglens/contract";
import { rawTexts as texts } from "../../messages/raw.ts";
import {
  type CaptureTime,
  durationText,
  formatCount,
  formatOffset,
  formatUncertainty,
  formatTime,
  showsOffsets,
  utcTip,
} from "../../ui/words.ts";

/** When it fired, to the microsecond. */
export const firedText = (us: number | null, capture: CaptureTime): string =>
  us === null ? "–" : showsOffsets(capture) ? formatOffset(capture, us, 1) : formatTime(capture, us, 6);

/** When it fired in UTC, where it is shown in another zone. */
export const firedTip = (us: number | null, capture: CaptureTime): string | undefined =>
  us === null ? undefined : utcTip(capture, us, 6);

/** Time since the event of the row before: `+32 µs`; "" where that is not known. */
export function gapText(event: RawEvent, before: RawEvent | undefined): string {
  if (before === undefined || event.fire === null || before.fire === null) return "";
  return `+${durationText(event.fire - before.fire)}`;
}

/** A gap that catches the eye, µs. */
const LONG_GAP_US = 100_000;

export const isLongGap = (event: RawEvent, before: RawEvent | undefined): boolean =>
  event.fire !== null &&
  before !== undefined &&
  before.fire !== null &&
  event.fire - before.fire > LONG_GAP_US;

/** A value of a field or an action. */
export const fieldText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** Events that no list contains, as a sentence; null where every event is listed. */
export function unlistedSentence(
  { ofNoBlock, withoutInstant }: RawEvents["unlisted"],
  { replicas }: Pick<Summary, "replicas">,
): string | null {
  const parts = ofNoBlock.flatMap((count, i) =>
    count > 0 ? [`${replicas[i]?.name ?? ""} ${formatCount(count)}`] : [],
  );
  const sentences = [
    parts.length > 0 ? texts.notListedOfNo(parts.join(", ")) : "",
    withoutInstant > 0 ? texts.withoutAKnownInstant(formatCount(withoutInstant)) : "",
  ].filter((sentence) => sentence !== "");
  return sentences.length > 0 ? sentences.join(" ") : null;
}

/** How certain the order of events of two replicas is. */
export function orderSentence({ clocks }: Pick<Summary, "clocks">): string {
  if (clocks.length === 0) return texts.orderOfOneReplicas;
  const bounds = clocks.map(({ status, strictUncertaintyUs }) =>
    status === "aligned" ? strictUncertaintyUs : null,
  );
  const known = bounds.filter((us) => us !== null);
  if (known.length < bounds.length) return texts.orderBetweenReplicas;
  return texts.orderBetweenReplicasIs(formatUncertainty(Math.max(...known)));
}
