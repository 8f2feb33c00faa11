/**
 * View <-> query string. Versioned (`v=1`), only what differs from the default is written, and reading never fails:
 * a value that makes no sense falls back to its default, so that an old or hand-made link still opens.
 */
import {
  CaptureRange,
  blockFilterText,
  CommitOrder,
  DistributionStage,
  Expectation,
  MOST_SQL,
  parseBlockFilter,
  SlowestSort,
  z,
} from "@aglens/contract";
import { parseRulers, rulersText } from "@aglens/contract";
import { DEFAULT_VIEW, type LinkedView, type NamedBlock, type View } from "./view.ts";

const VERSION = 1;

/** UPGRADES[n] turns the parameters of version n into those of version n + 1. Version 1 is the first. */
const UPGRADES: readonly ((params: URLSearchParams) => URLSearchParams)[] = [(params) => params];

/** A key of a lane as the timeline names it: `commit`, `hop0.networkOut`. */
const LANE_KEY = /^[A-Za-z][A-Za-z0-9.:-]{0,63}$/u;

/** Highest index of a replica. */
const LAST_REPLICA = 15;

const EVENT_NAME = /^\w{1,128}$/u;

/** Letters of an LSN in a link. */
const LSN_LETTERS = 17;

/** Beside the block at hand: four stand beside each other. */
const MOST_KEPT = 3;

const row = z.coerce.number().int().min(0).max(0xffff_fffe);
/** `Sales1:0000017b:00000031`; of a capture of one database the LSN alone. Names may have colons. */
const namedBlock = z
  .string()
  .max(300)
  .regex(/^(?:.+:)?[0-9a-f]{8}:[0-9a-f]{8}$/iu)
  .transform((text): NamedBlock => ({
    database: text.length > LSN_LETTERS ? text.slice(0, -LSN_LETTERS - 1) : null,
    lsn: text.slice(-LSN_LETTERS).toLowerCase(),
  }));
const range = CaptureRange.nullable().catch(null);
const ViewSchema = z.object({
  range,
  selected: range,
  block: z.union([row, namedBlock]).nullable().catch(null),
  kept: z.array(row).max(MOST_KEPT).catch([]),
  secondary: z.coerce.number().int().min(0).max(LAST_REPLICA).nullable().catch(null),
  sort: SlowestSort.catch(DEFAULT_VIEW.sort),
  descending: z.boolean().catch(DEFAULT_VIEW.descending),
  list: z.enum(["blocks", "commits"]).nullable().catch(null),
  lanes: z.record(z.string(), z.boolean()).catch({}),
  open: z.array(z.number().int().min(0).max(LAST_REPLICA)).nullable().catch(null),
  gates: z.boolean(),
  metric: z.enum(["commit", "harden"]).catch(DEFAULT_VIEW.metric),
  clock: z.enum(["aligned", "raw"]).catch(DEFAULT_VIEW.clock),
  time: z.enum(["offset", "utc"]).catch(DEFAULT_VIEW.time),
  change: z.string().min(1).max(2_000).nullable().catch(null),
  stage: DistributionStage.catch(DEFAULT_VIEW.stage),
  axis: z.enum(["log", "linear"]).catch(DEFAULT_VIEW.axis),
  other: range,
  sideA: range,
  sideB: range,
  versus: z
    .string()
    .regex(/^[\w-]{1,40}$/u)
    .nullable()
    .catch(null),
  percentile: z.enum(["p50", "p95", "p99"]).catch(DEFAULT_VIEW.percentile),
  database: z.string().min(1).max(200).nullable().catch(null),
  phase: z.coerce.number().int().min(1).max(65_536).nullable().catch(null),
  isolated: z.array(z.string().regex(LANE_KEY)).max(40).catch([]),
  pinned: z.array(z.string().regex(LANE_KEY)).max(40).catch([]),
  others: z.enum(["dim", "hide"]).catch(DEFAULT_VIEW.others),
  hitOrder: z.enum(["slowest", "time", "commit"]).catch(DEFAULT_VIEW.hitOrder),
  rows: z.enum(["events", "blocks", "commits"]).catch(DEFAULT_VIEW.rows),
  commitOrder: CommitOrder.catch(DEFAULT_VIEW.commitOrder),
  eventNames: z.array(z.string().regex(EVENT_NAME)).catch([]),
  eventReplicas: z.array(z.coerce.number().int().min(0).max(LAST_REPLICA)).catch([]),
  eventText: z.string().max(200).catch(""),
  event: z
    .tuple([z.coerce.number().int().min(0), z.coerce.number().int().min(0)])
    .transform(([file, offset]) => ({ file, offset }))
    .nullable()
    .catch(null),
  sql: z.string().min(1).max(MOST_SQL).nullable().catch(null),
  sqlShow: z.enum(["both", "table", "chart"]).catch(DEFAULT_VIEW.sqlShow),
  sqlPicture: z
    .object({
      x: z.string().max(200),
      y: z.array(z.string().max(200)).min(1).max(12),
      panel: z.string().max(200).nullable(),
    })
    .nullable()
    .catch(null),
  sqlRow: row.nullable().catch(null),
  expectation: Expectation.shape.id.nullable().catch(null),
  scale: z.enum(["time", "even"]).catch(DEFAULT_VIEW.scale),
  theme: z.enum(["system", "light", "dark"]).catch(DEFAULT_VIEW.theme),
});

/** Times are kept to a tenth of a µs: finer than any event is. */
function tenth(us: number): string {
  return String(Math.round(us * 10) / 10);
}

/** The query string of a view, without `?`; empty when everything is at its default. */
export function encodeView(view: LinkedView): string {
  const params = new URLSearchParams();
  const put = (key: string, value: string, standard: string): void => {
    if (value !== standard) params.set(key, value);
  };
  if (view.range !== null) params.set("range", rangeText(view.range));
  if (view.selected !== null) params.set("sel", rangeText(view.selected));
  put("ruler", rulersText(view.rulers), "");
  if (view.block !== null) params.set("block", blockText(view.block));
  put("kept", view.kept.join("_"), "");
  if (view.secondary !== null) params.set("secondary", String(view.secondary));
  put("sort", view.sort, DEFAULT_VIEW.sort);
  if (!view.descending) params.set("order", "up");
  if (view.list !== null) params.set("list", view.list);
  put("lanes", encodeLanes(view.lanes), "");
  put("pin", view.pinned.join("*"), "");
  if (view.open !== null) params.set("open", encodeOpen(view.open));
  if (view.gates) params.set("gate", "1");
  put("metric", view.metric, DEFAULT_VIEW.metric);
  put("clock", view.clock, DEFAULT_VIEW.clock);
  put("time", view.time, DEFAULT_VIEW.time);
  if (view.change !== null) params.set("change", view.change);
  put("stage", view.stage, DEFAULT_VIEW.stage);
  put("axis", view.axis, DEFAULT_VIEW.axis);
  if (view.other !== null) params.set("other", rangeText(view.other));
  if (view.sideA !== null) params.set("a", rangeText(view.sideA));
  if (view.sideB !== null) params.set("b", rangeText(view.sideB));
  if (view.versus !== null) params.set("versus", view.versus);
  put("percentile", view.percentile, DEFAULT_VIEW.percentile);
  if (view.database !== null) params.set("db", view.database);
  if (view.phase !== null) params.set("phase", String(view.phase + 1));
  if (view.where !== null) params.set("where", blockFilterText(view.where));
  put("iso", view.isolated.join("*"), "");
  put("others", view.others, DEFAULT_VIEW.others);
  put("hits", view.hitOrder, DEFAULT_VIEW.hitOrder);
  put("rows", view.rows, DEFAULT_VIEW.rows);
  put("by", view.commitOrder, DEFAULT_VIEW.commitOrder);
  put("names", view.eventNames.join("*"), "");
  put("replicas", view.eventReplicas.join("_"), "");
  put("q", view.eventText, "");
  if (view.event !== null) params.set("event", `${view.event.file}_${view.event.offset}`);
  if (view.sql !== null) params.set("sql", view.sql);
  put("show", view.sqlShow, DEFAULT_VIEW.sqlShow);
  if (view.sqlPicture !== null) {
    params.set("px", view.sqlPicture.x);
    for (const name of view.sqlPicture.y) params.append("py", name);
    if (view.sqlPicture.panel !== null) params.set("panel", view.sqlPicture.panel);
  }
  if (view.sqlRow !== null) params.set("row", String(view.sqlRow));
  // The console's rows are numbers, expectations have names: each reads its own.
  if (view.expectation !== null) params.append("row", view.expectation);
  put("scale", view.scale, DEFAULT_VIEW.scale);
  put("theme", view.theme, DEFAULT_VIEW.theme);
  // A query may hold colons as they are, and an LSN is read by people.
  const rest = params.toString().replaceAll("%3A", ":");
  return rest === "" ? "" : `v=${VERSION}&${rest}`;
}

const blockText = (block: number | NamedBlock): string =>
  typeof block === "number"
    ? String(block)
    : `${block.database === null ? "" : `${block.database}:`}${block.lsn}`;

const rangeText = ([from, to]: readonly [number, number]): string => `${tenth(from)}_${tenth(to)}`;

/** Tall lanes by their key, thin ones with a minus before it. */
function encodeLanes(lanes: View["lanes"]): string {
  return Object.keys(lanes)
    .filter((key) => LANE_KEY.test(key))
    .sort()
    .map((key) => (lanes[key] ? key : `-${key}`))
    .join("*");
}

function decodeLanes(text: string | null): Record<string, boolean> {
  const entries = split(text, "*").map((part): [string, boolean] =>
    part.startsWith("-") ? [part.slice(1), false] : [part, true],
  );
  return Object.fromEntries(entries.filter(([key]) => LANE_KEY.test(key)));
}

/** Numbers of open groups as their keys count them: 1 is the primary. `0` where none is open. */
const encodeOpen = (open: readonly number[]): string =>
  open.length === 0 ? "0" : open.map((replica) => replica + 1).join("_");

/** Links of before name the folded groups, by index. */
function decodeOpen(params: URLSearchParams): number[] | null {
  if (params.has("open"))
    return split(params.get("open"), "_")
      .map((number) => Number(number) - 1)
      .filter((replica) => replica >= 0);
  if (!params.has("collapsed")) return null;
  const folded = split(params.get("collapsed"), "_").map(Number);
  return Array.from({ length: LAST_REPLICA + 1 }, (_, replica) => replica).filter(
    (replica) => !folded.includes(replica),
  );
}

/** The first `row` that is a number, or the first that is a name. */
const rowParameter = (params: URLSearchParams, isNumber: boolean): string | null =>
  params.getAll("row").find((value) => /^\d+$/u.test(value) === isNumber) ?? null;

function split(text: string | null, separator: string): string[] {
  return text === null || text === "" ? [] : text.split(separator);
}

/** The view of a query string (with or without `?`); never fails. */
export function decodeView(search: string): LinkedView {
  const params = upgrade(new URLSearchParams(search));
  const parsed = ViewSchema.parse({
    range: params.has("range") ? split(params.get("range"), "_") : null,
    selected: params.has("sel") ? split(params.get("sel"), "_") : null,
    block: params.get("block"),
    kept: split(params.get("kept"), "_"),
    secondary: params.get("secondary"),
    sort: params.get("sort") ?? undefined,
    descending: params.get("order") !== "up",
    list: params.get("list"),
    lanes: decodeLanes(params.get("lanes")),
    open: decodeOpen(params),
    gates: params.get("gate") === "1",
    metric: params.get("metric"),
    clock: params.get("clock"),
    time: params.get("time"),
    change: params.get("change"),
    stage: params.get("stage"),
    axis: params.get("axis"),
    other: params.has("other") ? split(params.get("other"), "_") : null,
    sideA: params.has("a") ? split(params.get("a"), "_") : null,
    sideB: params.has("b") ? split(params.get("b"), "_") : null,
    versus: params.get("versus"),
    percentile: params.get("percentile"),
    database: params.get("db"),
    phase: params.get("phase"),
    isolated: split(params.get("iso"), "*"),
    pinned: split(params.get("pin"), "*"),
    others: params.get("others"),
    hitOrder: params.get("hits"),
    rows: params.get("rows"),
    commitOrder: params.get("by"),
    eventNames: split(params.get("names"), "*"),
    eventReplicas: split(params.get("replicas"), "_"),
    eventText: params.get("q") ?? "",
    event: params.has("event") ? split(params.get("event"), "_") : null,
    sql: params.get("sql"),
    sqlShow: params.get("show"),
    sqlPicture: params.has("px")
      ? { x: params.get("px"), y: params.getAll("py"), panel: params.get("panel") }
      : null,
    sqlRow: rowParameter(params, true),
    expectation: rowParameter(params, false),
    scale: params.get("scale"),
    theme: params.get("theme"),
  });
  return {
    ...parsed,
    phase: parsed.phase === null ? null : parsed.phase - 1,
    rulers: parseRulers(params.get("ruler") ?? ""),
    where: parseBlockFilter(params.get("where") ?? ""),
  };
}

/** Parameters as the current version writes them. A version from the future is read as well as it can be. */
function upgrade(params: URLSearchParams): URLSearchParams {
  const version = Number(params.get("v") ?? VERSION);
  let current = params;
  for (let from = Math.max(1, Math.trunc(version) || VERSION); from < VERSION; from += 1) {
    current = UPGRADES[from - 1]?.(current) ?? current;
  }
  return current;
}
