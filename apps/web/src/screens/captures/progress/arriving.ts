/** Data of a file while it arrives: its events over its own time, and how much of that time is still missing. */
import { scaleLinear } from "d3-scale";
import { type RateStep, rateSteps, type ReadPoint } from "../../../charts/reading/read-rates.ts";
import { progressTexts as texts } from "../../../messages/progress.ts";
import { durationText, formatCount } from "../../../ui/words.ts";
import { unixMs } from "../replica-files.ts";
import type { UploadRow } from "../sending/upload-text.ts";

export interface Arriving {
  /** Start of the picture's time, Unix ms: that of the file. The file's end is estimated while it arrives. */
  readonly from: number;
  readonly to: number;
  readonly steps: readonly RateStep[];
  /** End of the part that has been read, Unix ms; null for a complete file. */
  readonly readTo: number | null;
  /** Number of events up to there. */
  readonly events: number;
}

type Row = Pick<UploadRow, "file" | "size" | "reading">;

/** Null before there is a period to draw. */
export function arrivingOf({ file, size, reading }: Row): Arriving | null {
  const points = pointsOf(reading);
  if (file !== null) {
    const [from, to] = [unixMs(file.from), unixMs(file.to)];
    if (from === null || to === null || to <= from) return null;
    const inside = points.filter(({ at, events }) => at < to && events <= file.events);
    const { events } = file;
    const steps = rateSteps([...inside, { at: to, events }], { at: from, events: 0 });
    return { from, to, steps, readTo: null, events };
  }
  // The first point shows where the file begins, but not since when its own events were counted.
  const [begin, ...others] = points;
  const last = others.at(-1);
  if (begin === undefined || last === undefined) return null;
  const from = begin.at;
  // The file's end is estimated from its bytes. The time that the bytes before the first point took is unknown, so only
  // later bytes count.
  const expectedEvents = last.events * (size / Math.max(1, reading?.read?.bytes ?? size));
  const expectedMs =
    (last.at - from) * ((expectedEvents - begin.events) / Math.max(1, last.events - begin.events));
  return {
    from,
    to: from + roundedUp(expectedMs),
    steps: rateSteps(others, begin),
    readTo: last.at,
    events: last.events,
  };
}

const pointsOf = (reading: Row["reading"]): ReadPoint[] =>
  (reading?.read?.points ?? []).map(({ at, events }) => ({ at: Date.parse(at), events }));

/** Units in which a duration is a round number, ms. */
const UNITS_MS = [1, 1_000, 60_000, 3_600_000];
/** Approximate number of parts of an axis. */
const PARTS = 10;

/** The next round duration, ms, so that the axis stays while the estimate moves a little. */
export function roundedUp(ms: number): number {
  const unit = UNITS_MS.findLast((each) => ms >= each) ?? 1;
  const [, end = ms] = scaleLinear([0, ms / unit], [0, 1])
    .nice(PARTS)
    .domain();
  return end * unit;
}

/** Text under the picture. */
export function arrivingText({ file, reading }: Row, arriving: Arriving | null): string {
  const rest = file === null && reading?.isLater === true;
  if (arriving === null) {
    if (file !== null) return "";
    return rest ? texts.serverReadsThisFile : texts.noEventsReadSo;
  }
  const { from, to, steps, readTo, events } = arriving;
  const most = formatCount(Math.round(Math.max(0, ...steps.map(({ perSecond }) => perSecond))));
  const length = durationText(((readTo ?? to) - from) * 1_000);
  const figures = texts.eventsIn(formatCount(events), length);
  if (readTo === null) return texts.atMostS(figures, most);
  const expected = texts.axisOfEstimated(durationText((to - from) * 1_000));
  return texts.soFarAtMost(figures, most, rest, expected);
}
