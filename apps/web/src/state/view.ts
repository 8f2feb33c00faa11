import type { BlockFilter, CommitOrder, DistributionStage, Expectation, SlowestSort } from "@aglens/contract";
import type { Ruler } from "@aglens/contract";

/**
 * Everything a link restores, and nothing else. `codec.ts` turns it into the query string and back;
 * `use-view.ts` gives it to screens. Hover, drags and panel sizes are not here.
 */
export interface View {
  /** Time in view, µs from the capture's origin; null = the whole capture. */
  readonly range: readonly [number, number] | null;
  /** Selected stretch of time on the timeline, µs from the capture's origin, or null. */
  readonly selected: readonly [number, number] | null;
  /** Distances that were measured on the timeline. */
  readonly rulers: readonly Ruler[];
  /** Selected block's row, or null. */
  readonly block: number | null;
  /** Rows of blocks that were selected before it and stay so beside it. */
  readonly kept: readonly number[];
  /** Secondary that single-secondary figures are about. */
  readonly secondary: number;
  /** Order of the slowest blocks. */
  readonly sort: SlowestSort;
  readonly descending: boolean;
  /** What the overview lists as slowest; null for what suits the capture. */
  readonly list: "blocks" | "commits" | null;
  /** Lanes the user made tall (true) or thin (false), by lane key. */
  readonly lanes: Readonly<Record<string, boolean>>;
  /** Lanes that stand above the others, by their keys, in this order. */
  readonly pinned: readonly string[];
  /** Replicas whose lanes are open on the timeline, by index; null for what suits the capture. */
  readonly open: readonly number[] | null;
  /** Commits of the timeline are coloured by what released them. */
  readonly gates: boolean;
  /** Latencies of the overview: commits, or remote harden of log blocks. */
  readonly metric: "commit" | "harden";
  readonly clock: "aligned" | "raw";
  readonly time: "offset" | "utc";
  /** Change under which the capture is replayed, such as `async:SQL3`; null for the one with the largest effect. */
  readonly change: string | null;
  /** Stage whose distribution is looked at. */
  readonly stage: DistributionStage;
  /** Scale of durations in histograms. */
  readonly axis: "log" | "linear";
  /** Second range that histograms lay over the first, µs; null for none. */
  readonly other: readonly [number, number] | null;
  /** Database that everything is about, by its name or, where names repeat, its id; null for all. */
  readonly database: string | null;
  /** Stretch between changes of roles that everything is about, by its index; null for all. */
  readonly phase: number | null;
  /** Conditions on blocks: what meets them all is a hit; null for none. */
  readonly where: BlockFilter | null;
  /** What the timeline does with blocks that are no hits. */
  readonly others: "dim" | "hide";
  /** Lanes that stand out, by their keys: the others are thin and set back. */
  readonly isolated: readonly string[];
  /** Order of the list of hits. */
  readonly hitOrder: "slowest" | "time" | "commit";
  /** What the raw events screen lists. */
  readonly rows: "events" | "blocks" | "commits";
  /** Order of its slowest commits. */
  readonly commitOrder: CommitOrder;
  /** Raw events: names and replicas that are listed, all where none is chosen, and a text that they hold. */
  readonly eventNames: readonly string[];
  readonly eventReplicas: readonly number[];
  readonly eventText: string;
  /** Raw event that is open: index of its file and byte offset. */
  readonly event: { readonly file: number; readonly offset: number } | null;
  /** Both sides of a comparison, µs; null for what the capture suggests. */
  readonly sideA: readonly [number, number] | null;
  readonly sideB: readonly [number, number] | null;
  /** Capture of side B, by its id; null for this one. */
  readonly versus: string | null;
  /** Percentile that is compared. */
  readonly percentile: "p50" | "p95" | "p99";
  /** Query in SQL that is run; null for none. */
  readonly sql: string | null;
  /** Which of its result is shown. */
  readonly sqlShow: "both" | "table" | "chart";
  /** Columns of its picture; null for what suits the result. */
  readonly sqlPicture: SqlPicture | null;
  /** Row of the result that is selected. */
  readonly sqlRow: number | null;
  /** Expectation that is selected on the page "How this was read"; null for the worst one. */
  readonly expectation: Expectation["id"] | null;
  /** Sequence drawn to scale, or in even steps. */
  readonly scale: "time" | "even";
  /** "system" follows the browser. */
  readonly theme: "system" | "light" | "dark";
}

/** Columns of a result by their names. */
export interface SqlPicture {
  readonly x: string;
  readonly y: readonly string[];
  /** A panel for each of its values; null for one panel. */
  readonly panel: string | null;
}

/** A block as people name it. */
export interface NamedBlock {
  /** Name of its database, or its id; null in a capture of one. */
  readonly database: string | null;
  /** `00000022:00000167` */
  readonly lsn: string;
}

/**
 * A view as its address has it: it may leave open which secondary single-secondary figures are about, and name the block instead of
 * giving its row.
 */
export type LinkedView = Omit<View, "secondary" | "block"> & {
  readonly secondary: number | null;
  readonly block: number | NamedBlock | null;
};

export const DEFAULT_VIEW: View = {
  range: null,
  selected: null,
  rulers: [],
  block: null,
  kept: [],
  secondary: 0,
  sort: "remoteHarden",
  descending: true,
  list: null,
  lanes: {},
  pinned: [],
  open: null,
  gates: false,
  metric: "commit",
  clock: "aligned",
  time: "offset",
  change: null,
  stage: "commit",
  axis: "log",
  other: null,
  database: null,
  phase: null,
  where: null,
  others: "dim",
  isolated: [],
  hitOrder: "slowest",
  rows: "events",
  commitOrder: "waited",
  eventNames: [],
  eventReplicas: [],
  eventText: "",
  event: null,
  sideA: null,
  sideB: null,
  versus: null,
  percentile: "p95",
  sql: null,
  sqlShow: "both",
  sqlPicture: null,
  sqlRow: null,
  expectation: null,
  scale: "time",
  theme: "system",
};

/** Without what is the console's own. */
const withoutQuery = (view: LinkedView): LinkedView => ({
  ...view,
  sql: null,
  sqlShow: DEFAULT_VIEW.sqlShow,
  sqlPicture: null,
  sqlRow: null,
});

/** A view for the screen at a path: a query and a selected expectation are no part of a link to another screen. */
export function viewAt(path: string, view: LinkedView): LinkedView {
  if (path.endsWith("/sql")) return { ...view, expectation: null };
  return path.endsWith("/how-read")
    ? withoutQuery(view)
    : { ...withoutQuery(view), expectation: DEFAULT_VIEW.expectation };
}
