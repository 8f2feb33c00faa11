/** First questions of a capture's overview, their addresses, and the answers that a server keeps in advance. */
import { MINIMAP_BINS } from "@aglens/ag-model/minimap";
import { tickStep } from "d3-array";
import type { Summary } from "./shapes/summary.ts";
import { firstView } from "./first-view.ts";

/** A range with more log blocks or commits gets no verdict of its own: it would take too long for a quick look. */
export const MOST_JUDGED = 50_000;

/**
 * Largest number of commits or blocks that the browser draws one by one; above it bins of the server have the
 * percentiles.
 */
export const MOST_DOTS = 20_000;

/** Rows of the slowest blocks at first, and rows that each press of "Show more" adds. */
export const FIRST_ROWS = 25;

/** Base widths in view; 92 s in view then have a base of 1 s. */
const BASES_IN_VIEW = 120;

/** Narrowest bin for a view of `span` µs: 1 s for up to two minutes, shorter when zoomed, longer for long captures. */
export function baseWidth(span: number): number {
  return Math.max(1, tickStep(0, span, BASES_IN_VIEW));
}

/** Range in µs widened outwards to whole bins, so that a bin of the share chart is a round interval. */
export function fullBins({ from, to }: { readonly from: number; readonly to: number }): {
  readonly range: { readonly from: number; readonly to: number };
  readonly bins: number;
} {
  const base = baseWidth(to - from);
  const first = Math.floor(from / base);
  const last = Math.max(first + 1, Math.ceil(to / base));
  return { range: { from: first * base, to: last * base }, bins: last - first };
}

type Parameter = string | number | boolean;

/** The address of a question below its capture's; a list is a parameter that is repeated. */
export function questionAddress(
  path: string,
  values: Readonly<Record<string, Parameter | readonly Parameter[]>> = {},
): string {
  const pairs = Object.entries(values).flatMap(([key, value]) =>
    [value].flat().map((one) => [key, String(one)]),
  );
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs).toString()}`;
}

/**
 * The secondary whose acknowledgment released most commits, which is the default of a view; the first one where none
 * did.
 */
export function releasingSecondary({ replicas, commits }: Pick<Summary, "commits" | "replicas">): number {
  const released = replicas.slice(1).map((_, secondary) => commits.gates[secondary + 1] ?? 0);
  return Math.max(0, released.indexOf(Math.max(0, ...released)));
}

/**
 * Whether another server became the primary: a name of a place is then one of several servers, one after the other; never
 * within one phase.
 */
export const primaryMoved = ({ phases }: Pick<Summary, "phases">, phase: number | null = null): boolean =>
  phase === null && phases.some(({ primary }) => primary !== phases[0]?.primary);

/** Whether no server that was the primary at some time has a file. */
export function hasNoPrimaryFile({ replicas, phases }: Pick<Summary, "replicas" | "phases">): boolean {
  const primaries = phases.length === 0 ? [0] : phases.map(({ primary }) => primary);
  return primaries.every((replica) => replicas[replica]?.hasCapture === false);
}

/** Whether the overview has a row per replica: two secondaries or more, and one primary. */
export const hasReplicaMatrix = (summary: Pick<Summary, "replicas" | "phases">): boolean =>
  summary.replicas.length > 2 && !primaryMoved(summary);

/** Bars of releases over time, and columns of delays: about one per pixel of the narrowest plot. */
export const REPLICA_ROW_BINS = { bins: 60, columns: 540 } as const;

/** Parts of a summary that the first questions depend on. */
export type FirstSummary = Pick<Summary, "durationUs" | "commits" | "replicas" | "phases">;

/**
 * Addresses of the overview's questions about the first time range that it shows, and of the minimap's question about
 * the entire capture, for the view of a bare address, in the order in which the answers are needed; empty for a capture
 * without a length.
 */
export function firstAddresses(summary: FirstSummary): readonly string[] {
  const { durationUs } = summary;
  if (!(durationUs >= 1)) return [];
  const [from, to] = firstView(summary);
  const shown = { from, to };
  const aligned = fullBins(shown);
  // Without the primary's file no remote harden is known: blocks are sorted by the secondary's log write.
  const sort = hasNoPrimaryFile(summary) ? "secondaryFlush" : "remoteHarden";
  const secondary = releasingSecondary(summary);
  const page = { secondary, limit: FIRST_ROWS, offset: 0 };
  const rows = hasReplicaMatrix(summary)
    ? [
        questionAddress("slow-commits", { ...shown, order: "waited", ...page }),
        questionAddress("replicas", { ...shown, ...REPLICA_ROW_BINS }),
      ]
    : [questionAddress("slowest", { ...shown, sort, descending: true, ...page })];
  return [
    questionAddress("overview", { ...aligned.range, bins: aligned.bins, secondary }),
    questionAddress("commits", { ...shown, limit: MOST_DOTS }),
    questionAddress("window", { from: 0, to: durationUs, limit: MOST_DOTS, bins: MINIMAP_BINS }),
    questionAddress("statistics", shown),
    ...rows,
  ];
}

/**
 * Addresses of the answers that a server keeps: the first ones of the overview, and those about the entire capture that
 * take a second and more for a few million log blocks (waiting and the list of all predictions).
 */
export function keptAddresses(summary: FirstSummary): readonly string[] {
  const first = firstAddresses(summary);
  return first.length === 0 ? first : [...first, questionAddress("waiting"), questionAddress("what-if")];
}

/** Parts of a view that do not change the questions of the overview. */
const HARMLESS: ReadonlySet<string> = new Set(["v", "theme", "time", "clock"]);

/**
 * The first addresses of an overview that is opened; empty in a view of a part of the capture.
 * @param view query string of the page
 */
export function addressesAtOnce(summary: FirstSummary, view: string): readonly string[] {
  const isComplete = [...new URLSearchParams(view).keys()].every((key) => HARMLESS.has(key));
  return isComplete ? firstAddresses(summary) : [];
}
