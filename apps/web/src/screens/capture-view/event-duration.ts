/** Texts for the duration of a raw event, in lists and in full. */
import { meaningOfEvent } from "@aglens/ag-model/events";
import type { RawEvent } from "@aglens/contract";
import { durationText, formatCount } from "../../ui/words.ts";

const THIN = "\u2009";

type Timed = Pick<RawEvent, "name" | "mode" | "duration" | "durationUnit">;

/** The duration in the event's own unit: `438 ms`, `6,912 µs`. */
export const eventDurationText = ({
  duration,
  durationUnit,
}: Pick<RawEvent, "duration" | "durationUnit">): string =>
  duration === null ? "" : `${formatCount(duration)}${THIN}${durationUnit ?? "µs"}`;

/** For a list, where figures are compared: from a thousand on in the next unit, `80.7 ms`. */
export function eventDurationFigure({ duration, durationUnit }: Timed): string {
  if (duration === null) return "";
  if (durationUnit !== "ms") return durationText(duration);
  // An event that counts milliseconds has no fractions of them.
  return duration < 1_000 ? `${duration}${THIN}ms` : durationText(duration * 1e3);
}

/** The exact value, and what the event means: not every duration is a delay. */
export const durationTitle = (event: Timed): string | undefined =>
  event.duration === null
    ? undefined
    : `${eventDurationText(event)}. ${meaningOfEvent(event.name, event.mode) ?? ""}`.trim();
