/**
 * The single changes with which a capture can be replayed, and their short form in addresses and on the command line.
 */
import type { CaptureModel } from "../replication/index.ts";

/** Duration of a changed log write. */
export type WriteFigure =
  /** No write slower than this percentile of its own. */
  | { readonly percentile: number }
  /** As those of another replica at the same time, an index into `CaptureModel.replicas`. */
  | { readonly replica: number }
  /** Always this long, µs. */
  | { readonly us: number }
  /** A distribution: pairs of percent (ascending, 0 to 100) and µs, such as a Diskspd result. */
  | { readonly points: readonly (readonly [percent: number, us: number])[] };

/** One change of one replica, an index into `CaptureModel.replicas`. */
export type Change =
  | { readonly kind: "async"; readonly replica: number }
  | { readonly kind: "sync"; readonly replica: number }
  | { readonly kind: "write"; readonly replica: number; readonly figure: WriteFigure }
  | { readonly kind: "network"; readonly replica: number; readonly roundTripUs: number }
  | { readonly kind: "compression"; readonly replica: number; readonly us: number };

/** The text is not a change that this capture allows; the message names the allowed ones. */
export class ChangeError extends Error {
  readonly code: "change.syntax" | "change.replica" | "change.notPossible";
  constructor(code: ChangeError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

export const CHANGE_FORMS =
  "async:NAME, sync:NAME, write:NAME:p50, write:NAME:as:OTHER, write:NAME:5ms, write:NAME:p50=2ms,p95=6ms, network:NAME:0.2ms, compression:NAME:0us";

/**
 * Reads a change, such as `async:SQL3` or `write:SQL3:5ms`.
 * @throws ChangeError when the text has none of the forms, or names a replica that the capture does not have
 */
export function parseChange(model: CaptureModel, text: string): Change {
  const [kind, name, ...rest] = text.split(":");
  const detail = rest.join(":");
  const syntaxError = () =>
    new ChangeError("change.syntax", `"${text}" is not a change. Changes are ${CHANGE_FORMS}.`);
  if (name === undefined) throw syntaxError();
  const replica = replicaNamed(model, name);
  if ((kind === "async" || kind === "sync") && detail === "") return { kind, replica };
  if (kind === "write") return { kind, replica, figure: parseFigure(model, detail) };
  const us = parseDuration(detail);
  if (kind === "network" && us !== null) return { kind, replica, roundTripUs: us };
  if (kind === "compression" && us !== null) return { kind, replica, us };
  throw syntaxError();
}

/** The short form of a change; `parseChange` reads it. */
export function formatChange(model: CaptureModel, change: Change): string {
  const head = `${change.kind}:${nameOf(model, change.replica)}`;
  switch (change.kind) {
    case "async":
    case "sync":
      return head;
    case "network":
      return `${head}:${formatUs(change.roundTripUs)}`;
    case "compression":
      return `${head}:${formatUs(change.us)}`;
    case "write":
      return `${head}:${formatFigure(model, change.figure)}`;
  }
}

function formatFigure(model: CaptureModel, figure: WriteFigure): string {
  if ("percentile" in figure) return `p${figure.percentile}`;
  if ("replica" in figure) return `as:${nameOf(model, figure.replica)}`;
  if ("us" in figure) return formatUs(figure.us);
  return figure.points.map(([percent, us]) => `p${percent}=${formatUs(us)}`).join(",");
}

const formatUs = (us: number): string => `${us}us`;

/** The server's name, or its id where two replicas have the same name. */
function nameOf({ replicas }: CaptureModel, replica: number): string {
  const { name, id } = replicas[replica];
  return replicas.filter((other) => other.name === name).length > 1 && id !== "" ? id : name;
}

function replicaNamed({ replicas }: CaptureModel, name: string): number {
  const wanted = name.toLowerCase();
  const found = replicas.findIndex((r) => r.name.toLowerCase() === wanted || r.id.toLowerCase() === wanted);
  if (found >= 0 && wanted !== "") return found;
  throw new ChangeError(
    "change.replica",
    `The capture has no replica "${name}". Its replicas are ${replicas.map((r) => r.name).join(", ")}.`,
  );
}

function parseFigure(model: CaptureModel, text: string): WriteFigure {
  if (text.startsWith("as:")) return { replica: replicaNamed(model, text.slice(3)) };
  const us = parseDuration(text);
  if (us !== null) return { us };
  const percentile = parsePercentile(text);
  if (percentile !== null) return { percentile };
  const points = text.split(",").map((pair): [number, number] => {
    const [percent, duration] = pair.split("=");
    return [parsePercentile(percent ?? "") ?? Number.NaN, parseDuration(duration ?? "") ?? Number.NaN];
  });
  if (points.length > 1 && isDistribution(points)) return { points };
  throw new ChangeError(
    "change.syntax",
    `"${text}" is not a duration of a log write. Write a duration (5ms), a percentile (p50), as:REPLICA, or percentiles (p50=2ms,p95=6ms).`,
  );
}

/** True when percents ascend strictly within 0 to 100 and durations do not descend. */
export const isDistribution = (points: readonly (readonly [number, number])[]): boolean =>
  points.every(([percent, us], i) => {
    if (!(percent >= 0 && percent <= 100 && us >= 0)) return false;
    const before = points[i - 1];
    return before === undefined || (percent > before[0] && us >= before[1]);
  });

function parsePercentile(text: string): number | null {
  const found = /^p(\d{1,3}(?:\.\d+)?)$/.exec(text)?.[1];
  return found !== undefined && Number(found) <= 100 ? Number(found) : null;
}

const UNITS: Readonly<Record<string, number>> = { us: 1, µs: 1, ms: 1_000, s: 1_000_000 };
const LONGEST_US = 60_000_000;

/** A duration with its unit, such as `5ms`, in µs; null when the text is no duration or longer than a minute. */
export function parseDuration(text: string): number | null {
  const found = /^(\d+(?:\.\d+)?)\s?(us|µs|ms|s)$/.exec(text.trim());
  if (found === null) return null;
  const us = Number(found[1]) * UNITS[found[2]];
  return us <= LONGEST_US ? us : null;
}
