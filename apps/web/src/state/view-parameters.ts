/**
 * Everything that a link restores, and nothing else: a table of the parameters of an address. Hover, drags and panel
 * sizes are not here.
 */
import {
  type BlockFilter,
  blockFilterText,
  CommitOrder,
  DistributionStage,
  Expectation,
  MOST_SQL,
  parseBlockFilter,
  parseRulers,
  type Ruler,
  rulersText,
  SlowestSort,
  z,
} from "@aglens/contract";
import { checked, list, optional, type Parameter, parameter, RANGE, split } from "./parameters.ts";
import { TIME_CHOICES } from "./time-choice.ts";

/** Columns of a result by their names. */
interface SqlPicture {
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

/** A key of a lane as the timeline names it: `commit`, `hop0.networkOut`. */
const LANE_KEY = /^[A-Za-z][A-Za-z0-9.:-]{0,63}$/u;
const LANE = z.string().regex(LANE_KEY);
const MOST_LANES = 40;

/** Highest index of a replica. */
const LAST_REPLICA = 15;
const REPLICA = z.coerce.number().int().min(0).max(LAST_REPLICA);

const ROW = z.coerce.number().int().min(0).max(0xffff_fffe);

/** Kept blocks in addition to the active one: four fit next to each other. */
const MOST_KEPT = 3;

/** Letters of an LSN in a link. */
const LSN_LETTERS = 17;

/** `Sales1:0000017b:00000031`; of a capture of one database the LSN alone. Names may have colons. */
const NAMED_BLOCK = z
  .string()
  .max(300)
  .regex(/^(?:.+:)?[0-9a-f]{8}:[0-9a-f]{8}$/iu)
  .transform((text): NamedBlock => ({
    database: text.length > LSN_LETTERS ? text.slice(0, -LSN_LETTERS - 1) : null,
    lsn: text.slice(-LSN_LETTERS).toLowerCase(),
  }));

const BLOCK = {
  read: (text: string) => z.union([ROW, NAMED_BLOCK]).safeParse(text).data,
  write: (block: number | NamedBlock): string =>
    typeof block === "number"
      ? String(block)
      : `${block.database === null ? "" : `${block.database}:`}${block.lsn}`,
};

/** Tall lanes by their key, thin ones with a minus before it. */
const LANES = {
  read: (text: string): Readonly<Record<string, boolean>> => {
    const entries = split(text, "*").map((part): [string, boolean] =>
      part.startsWith("-") ? [part.slice(1), false] : [part, true],
    );
    return Object.fromEntries(entries.filter(([key]) => LANE_KEY.test(key)));
  },
  write: (lanes: Readonly<Record<string, boolean>>): string =>
    Object.keys(lanes)
      .filter((key) => LANE_KEY.test(key))
      .sort()
      .map((key) => (lanes[key] ? key : `-${key}`))
      .join("*"),
};

/** Numbers of open groups as their keys count them: 1 is the primary. `0` where none is open. */
const OPEN_GROUPS = optional<readonly number[]>("open", {
  read: (text) => {
    const open = split(text, "_").map((number) => Number(number) - 1);
    return z.array(REPLICA).safeParse(open.filter((replica) => replica >= 0)).data;
  },
  write: (open) => (open.length === 0 ? "0" : open.map((replica) => replica + 1).join("_")),
});

const OPEN: typeof OPEN_GROUPS = {
  ...OPEN_GROUPS,
  /** Earlier links name the folded groups, by index. */
  read: (params) => {
    const collapsed = params.get("collapsed");
    if (params.has("open") || collapsed === null) return OPEN_GROUPS.read(params);
    const folded = split(collapsed, "_").map(Number);
    return Array.from({ length: LAST_REPLICA + 1 }, (_, replica) => replica).filter(
      (replica) => !folded.includes(replica),
    );
  },
};

const DESCENDING = {
  read: (text: string): boolean => text !== "up",
  write: (descending: boolean): string => (descending ? "down" : "up"),
};
const GATES = {
  read: (text: string): boolean => text === "1",
  write: (gates: boolean): string => (gates ? "1" : ""),
};

/** Counted from 1, as people read it. */
const PHASE = {
  read: (text: string): number | null => {
    const { data } = z.coerce.number().int().min(1).max(65_536).safeParse(text);
    return data === undefined ? null : data - 1;
  },
  write: (phase: number): string => String(phase + 1),
};

const PLACE = z.coerce.number().int().min(0);
const EVENT = {
  read: (text: string): { readonly file: number; readonly offset: number } | null => {
    const { data } = z.tuple([PLACE, PLACE]).safeParse(split(text, "_"));
    return data === undefined ? null : { file: data[0], offset: data[1] };
  },
  write: ({ file, offset }: { readonly file: number; readonly offset: number }): string =>
    `${file}_${offset}`,
};

const RAW_EVENT: Parameter<ReturnType<typeof EVENT.read>> = {
  read: (params) =>
    params
      .getAll("event")
      .map(EVENT.read)
      .find((event) => event !== null) ?? null,
  write: (event, params) => {
    if (event !== null) params.append("event", EVENT.write(event));
  },
};

const COLUMN = z.string().max(200);
const COLUMNS = z.object({ x: COLUMN, y: z.array(COLUMN).min(1).max(12), panel: COLUMN.nullable() });
const PICTURE: Parameter<SqlPicture | null> = {
  read: (params) =>
    COLUMNS.safeParse({ x: params.get("px"), y: params.getAll("py"), panel: params.get("panel") }).data ??
    null,
  write: (picture, params) => {
    if (picture === null) return;
    params.set("px", picture.x);
    for (const name of picture.y) params.append("py", name);
    if (picture.panel !== null) params.set("panel", picture.panel);
  },
};

/** The console's rows are numbers, expectations have names: each parameter reads the first `row` of its own kind. */
const rowParameter = <T extends string | number>(
  schema: z.ZodType<T>,
  isNumber: boolean,
): Parameter<T | null> => ({
  read: (params) =>
    schema.safeParse(params.getAll("row").find((value) => /^\d+$/u.test(value) === isNumber)).data ?? null,
  write: (value, params) => {
    if (value !== null) params.append("row", String(value));
  },
});

const NO_EVIDENCE = "none";

/** Keys of lanes and metrics of evidence files, `none` for no lanes; metrics have names of counters, so that nearly any text is one. */
const EVIDENCE_LANE = z.string().min(1).max(200);
const EVIDENCE = {
  read: (text: string): readonly string[] | undefined => {
    if (text === NO_EVIDENCE) return [];
    const lanes = split(text, ",").filter((key) => EVIDENCE_LANE.safeParse(key).success);
    return lanes.length === 0 ? undefined : lanes.slice(0, MOST_LANES);
  },
  write: (lanes: readonly string[]): string => (lanes.length === 0 ? NO_EVIDENCE : lanes.join(",")),
};

/** An event of evidence files: its kind, and its time in µs from the capture's origin, which a new analysis nearly keeps. */
export interface NamedEvent {
  readonly kind: string;
  readonly at: number;
  /** From 1: which of the events of this kind at this time. */
  readonly nth: number;
}

const NAMED_EVENT = /^([A-Za-z]{1,40})_(-?\d{1,15})(?:_([1-9]\d{0,4}))?$/u;

/** Raw events are two numbers, events of evidence files begin with their kind: each parameter reads the first `event` of its own kind. */
const HAPPENED: Parameter<NamedEvent | null> = {
  read: (params) => {
    for (const text of params.getAll("event")) {
      const [, kind, at, nth = "1"] = NAMED_EVENT.exec(text) ?? [];
      if (kind !== undefined) return { kind, at: Number(at), nth: Number(nth) };
    }
    return null;
  },
  write: (event, params) => {
    if (event === null) return;
    const { kind, at, nth } = event;
    params.append("event", [kind, Math.round(at), ...(nth === 1 ? [] : [nth])].join("_"));
  },
};

/** The order of commits and the rows of Waiting have values of their own: each reads the first `by` of its kind. */
const byParameter = <T extends string, Standard extends T | null>(
  words: Readonly<Record<string, T>>,
  standard: Standard,
): Parameter<T | Standard> => ({
  read: (params) => {
    const word = params.getAll("by").find((each) => Object.hasOwn(words, each));
    return (word === undefined ? undefined : words[word]) ?? standard;
  },
  write: (value, params) => {
    const word = Object.keys(words).find((each) => words[each] === value);
    if (value !== standard && word !== undefined) params.append("by", word);
  },
});

const COMMIT_ORDER_WORDS = Object.fromEntries(CommitOrder.options.map((order) => [order, order]));
/** Rows of Waiting: log writers and networks, or clients of commits. */
const WAITING_WORDS = {
  queue: "queues",
  session: "session",
  app: "application",
  statement: "statement",
} as const;

/**
 * The parameters in the order of the address: each with its name, its standard value, for which it is skipped, and its
 * spelling.
 */
const PARAMETERS = {
  /** Time in view, µs from the capture's origin; null = the entire capture. */
  range: optional("range", RANGE),
  /** Selected range on the timeline, µs from the capture's origin, or null. */
  selected: optional("sel", RANGE),
  /** Distances that were measured on the timeline. */
  rulers: parameter<readonly Ruler[]>("ruler", [], { read: parseRulers, write: rulersText }),
  /** Selected block: its row, or as links name it. */
  block: optional("block", BLOCK),
  /** Rows of blocks that were selected before the active one and stay selected. */
  kept: parameter("kept", [], list("_", ROW, MOST_KEPT)),
  /** Secondary that single-secondary figures are about; null where an address leaves it open. */
  secondary: optional("secondary", checked(REPLICA)),
  /** Order of the slowest blocks. */
  sort: parameter("sort", "remoteHarden", checked(SlowestSort)),
  descending: parameter("order", true, DESCENDING),
  /** Slowest items that the overview lists; null for those that suit the capture. */
  list: optional("list", checked(z.enum(["blocks", "commits"]))),
  /** Lanes the user made tall (true) or thin (false), by lane key. */
  lanes: parameter("lanes", {}, LANES),
  /** Lanes above the others, by their keys, in this order. */
  pinned: parameter("pin", [], list("*", LANE, MOST_LANES)),
  /** Replicas whose lanes are open on the timeline, by index; null for those that suit the capture. */
  open: OPEN,
  /** Whether commits of the timeline are colored by their releaser. */
  gates: parameter("gate", false, GATES),
  /** Latencies of the overview: commits, or remote harden of log blocks. */
  metric: parameter("metric", "commit", checked(z.enum(["commit", "harden"]))),
  clock: parameter("clock", "aligned", checked(z.enum(["aligned", "raw"]))),
  /** How times are shown; null for the reader's last choice. */
  time: optional("time", checked(z.enum(TIME_CHOICES))),
  /** Change under which the capture is replayed, such as `async:SQL3`; null for the one with the largest effect. */
  change: optional("change", checked(z.string().min(1).max(2_000))),
  /** Stage of the distribution screen. */
  stage: parameter("stage", "commit", checked(DistributionStage)),
  /** Whether log writes are split into SQL Server's queue, the device and the completion; null for no split. */
  split: optional("split", checked(z.literal("log"))),
  /** Scale of durations in histograms. */
  axis: parameter("axis", "log", checked(z.enum(["log", "linear"]))),
  /** Second range of histograms, over the first, µs; null without one. */
  other: optional("other", RANGE),
  /** Both sides of a comparison, µs; null for the sides that the capture suggests. */
  sideA: optional("a", RANGE),
  sideB: optional("b", RANGE),
  /** Capture of side B, by its id; null for this one. */
  versus: optional("versus", checked(z.string().regex(/^[\w-]{1,40}$/u))),
  /** Percentile that is compared. */
  percentile: parameter("percentile", "p95", checked(z.enum(["p50", "p95", "p99"]))),
  /** Database that everything is about, by its name or, where names repeat, its id; null for all. */
  database: optional("db", checked(z.string().min(1).max(200))),
  /** Index of the period between changes of roles that all screens are limited to; null for all. */
  phase: optional("phase", PHASE),
  /** Conditions on blocks: a block that meets all of them is a hit; null without conditions. */
  where: optional<BlockFilter>("where", { read: parseBlockFilter, write: blockFilterText }),
  /** Isolated lanes, by their keys: the others are thin and set back. */
  isolated: parameter("iso", [], list("*", LANE, MOST_LANES)),
  /** How the timeline shows blocks that are no hits. */
  others: parameter("others", "dim", checked(z.enum(["dim", "hide"]))),
  /** Order of the list of hits. */
  hitOrder: parameter("hits", "slowest", checked(z.enum(["slowest", "time", "commit"]))),
  /** Kind of row that the raw events screen lists. */
  rows: parameter("rows", "events", checked(z.enum(["events", "blocks", "commits"]))),
  /** Order of its slowest commits. */
  commitOrder: byParameter<CommitOrder, CommitOrder>(COMMIT_ORDER_WORDS, "waited"),
  /** Rows of Waiting; null for those that suit the capture. */
  waitingBy: byParameter<(typeof WAITING_WORDS)[keyof typeof WAITING_WORDS], null>(WAITING_WORDS, null),
  /** Raw events: names and replicas that are listed, all where none is chosen, and a text that the events contain. */
  eventNames: parameter("names", [], list("*", z.string().regex(/^\w{1,128}$/u))),
  eventReplicas: parameter("replicas", [], list("_", REPLICA)),
  eventText: parameter("q", "", checked(z.string().max(200))),
  /** Raw event that is open: index of its file and byte offset. */
  event: RAW_EVENT,
  /** Lanes of evidence files by their kinds and metrics, none where it is empty; null for those that suit the capture. */
  evidence: optional("evidence", EVIDENCE),
  /** Event of evidence files that is selected on the timeline. */
  happened: HAPPENED,
  /** Query in SQL that is run; null without one. */
  sql: optional("sql", checked(z.string().min(1).max(MOST_SQL))),
  /** Which of its result is shown. */
  sqlShow: parameter("show", "both", checked(z.enum(["both", "table", "chart"]))),
  /** Columns of its picture; null for those that suit the result. */
  sqlPicture: PICTURE,
  /** Row of the result that is selected. */
  sqlRow: rowParameter(ROW, true),
  /** Expectation that is selected on the page "How this was read"; null for the worst one. */
  expectation: rowParameter(Expectation.shape.id, false),
  /** Sequence drawn to scale, or in even steps. */
  scale: parameter("scale", "time", checked(z.enum(["time", "even"]))),
  /** Step of the tour of the sample, from 1 on; null outside of the tour. */
  tour: optional("tour", checked(z.coerce.number().int().min(1).max(6))),
  /** "system" follows the browser. */
  theme: parameter("theme", "system", checked(z.enum(["system", "light", "dark"]))),
};

type Values<T> = { readonly [K in keyof T]: T[K] extends Parameter<infer V> ? V : never };

/**
 * A view in the form of its address: it may leave the secondary of single-secondary figures open, and name the block
 * instead of its row.
 */
export interface LinkedView extends Values<typeof PARAMETERS> {}

/**
 * The values of parameters; the standard for each that is absent or invalid.
 * @param before equal parts keep its objects, so that code that depends on one of them does not run again
 */
export const readParameters = (params: URLSearchParams, before: Partial<LinkedView> = {}): LinkedView =>
  valuesOf(PARAMETERS, params, before);

type Readers = Readonly<Record<string, Pick<Parameter<unknown>, "read">>>;

function valuesOf<T extends Readers>(
  table: T,
  params: URLSearchParams,
  before: Partial<Values<T>>,
): Values<T>;
function valuesOf(
  table: Readers,
  params: URLSearchParams,
  before: Readonly<Record<string, unknown>>,
): object {
  const values = Object.entries(table).map(([key, { read }]) => {
    const value = read(params);
    return [key, JSON.stringify(value) === JSON.stringify(before[key]) ? before[key] : value];
  });
  return Object.fromEntries(values);
}

/** The parameters of a view, without those at their standard. */
export function writeParameters(view: LinkedView): URLSearchParams {
  const table: { readonly [K in keyof LinkedView]: Parameter<LinkedView[K]> } = PARAMETERS;
  const params = new URLSearchParams();
  const put = <K extends keyof LinkedView>(key: K, value: LinkedView[K]): void =>
    table[key].write(value, params);
  const isKey = (key: string): key is keyof LinkedView => key in table;
  for (const key of Object.keys(table).filter(isKey)) put(key, view[key]);
  return params;
}
