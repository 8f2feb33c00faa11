import type { Evidence, EvidenceEvent } from "../shapes.ts";
import type { Agreement, CaptureFigures, LogWriteFigure } from "./figures.ts";
import { coveredUs, figureText, intervalsIn, isSameServer, mostIn } from "./window-figures.ts";

/** SQL Server reports a request that waits longer than this, in ms. */
const LONG_MS = 15_000;
const LONG_REQUEST_MESSAGE = 833;
/** SQL Server repeats the report of a file at most every five minutes, so it may come that much later. */
const LATEST_REPORT_US = 300e6;

type Found = Pick<Evidence, "events" | "files" | "series">;

/** Reports of requests over 15 s against the longest log write of the same server. */
export function longRequestRules(evidence: Found, figures: CaptureFigures): Agreement[] {
  return figures.logWrites.flatMap((write) => [
    ...messageRule(evidence, figures, write),
    ...componentRule(evidence, figures, write),
  ]);
}

const overlaps = ({ atUs, fromUs }: EvidenceEvent, from: number, until: number): boolean =>
  atUs >= from && (fromUs ?? atUs) <= until;

const isOnLog = ({ text, sources }: EvidenceEvent): boolean =>
  [text, ...sources.map((source) => source.text ?? "")].some((part) => /\.ldf\b/iu.test(part));

const countOf = (events: readonly EvidenceEvent[]): number =>
  events.reduce((total, { count }) => total + count, 0);

const requests = (count: number): string => `${count} ${count === 1 ? "request" : "requests"}`;

const sourcesOf = (events: readonly EvidenceEvent[]): Agreement["sources"] =>
  events.flatMap(({ sources }) => sources.map(({ file, place }) => ({ file, place: String(place) })));

/** Message 833, which names the file. */
function messageRule({ events, files }: Found, window: CaptureFigures, write: LogWriteFigure): Agreement[] {
  const all = events.filter(
    (event) =>
      event.kind === "slowIo" &&
      event.message === LONG_REQUEST_MESSAGE &&
      isSameServer(event.server, write.server),
  );
  const inside = all.filter((event) => overlaps(event, window.fromUs, window.untilUs));
  const onLog = inside.filter(isOnLog);
  const later = all.filter((event) => overlaps(event, window.fromUs, window.untilUs + LATEST_REPORT_US));
  const longest = { value: write.longestMs, plusMinus: write.plusMinusMs };
  const isLong = longest.value + longest.plusMinus >= LONG_MS;
  const measured = `In the events the longest log write took ${figureText(longest)}.`;
  const answer = (agrees: boolean | null, text: string, used: readonly EvidenceEvent[]): Agreement[] => [
    {
      rule: "longRequests",
      agrees,
      server: write.server,
      text: `${text} ${measured}`,
      sources: sourcesOf(used),
    },
  ];
  if (onLog.length > 0)
    return answer(
      isLong,
      `${write.server} reported ${requests(countOf(onLog))} over 15 s on its log.`,
      onLog,
    );
  if (inside.length > 0)
    return answer(
      isLong ? false : null,
      `${write.server} reported ${requests(countOf(inside))} over 15 s on other files, none on its log.`,
      inside,
    );
  const hasLog = files.some(
    ({ kind, state, server }) =>
      kind === "errorlog" && state === "used" && isSameServer(server, write.server),
  );
  if (!hasLog || later.length > 0) return [];
  return answer(!isLong, `${write.server} reported no request over 15 s.`, []);
}

/** Component io_subsystem of the health check, which counts such requests every few minutes. */
function componentRule({ series }: Found, window: CaptureFigures, write: LogWriteFigure): Agreement[] {
  // system_health and the cluster's diagnostics count the same requests.
  const counts = mostIn(
    series.filter(
      ({ metric, form, server }) =>
        metric === "requests over 15 s" && form === "delta" && isSameServer(server, write.server),
    ),
    (one) => coveredUs(one, window),
  );
  const intervals = counts === undefined ? [] : intervalsIn(counts, window);
  if (counts === undefined || intervals.length === 0) return [];
  const count = intervals.reduce((total, { delta }) => total + delta, 0);
  const longest = { value: write.longestMs, plusMinus: write.plusMinusMs };
  const isLong = longest.value + longest.plusMinus >= LONG_MS;
  const isCovered =
    intervals.some(({ fromUs }) => fromUs <= window.fromUs) &&
    intervals.some(({ untilUs }) => untilUs >= window.untilUs);
  // Its requests may have been on data files, and those before the first report or after the last one aren't counted.
  const agrees = count > 0 ? isLong || null : isCovered ? !isLong : null;
  const reported = count === 0 ? "no request" : requests(count);
  return [
    {
      rule: "ioSubsystem",
      agrees,
      server: write.server,
      text: `io_subsystem on ${write.server} counted ${reported} over 15 s on all files. In the events the longest log write took ${figureText(longest)}.`,
      sources: [{ file: counts.source.file, place: counts.source.column }],
    },
  ];
}
