/** Lanes "What happened": states as bands and other events as ticks, from the answer about evidence files. */
import type { EvidenceAnswer, HappenedEvent } from "@aglens/contract";
import { happenedTexts as texts } from "../../messages/happened.ts";
import { durationText } from "../../ui/words.ts";

/** Kinds of lanes, in the order of the lanes; links name them. */
export const LANE_KINDS = [
  "role",
  "sync",
  "lease",
  "ddl",
  "connectivity",
  "suspend",
  "io",
  "health",
] as const;
export type LaneKind = (typeof LANE_KINDS)[number];

/** A state from one time to another. */
export interface Band {
  /** In µs from the capture's origin; infinite where no event ends it. */
  readonly from: number;
  readonly to: number;
  /** Texts for it, the longest first; empty for a state without a name. */
  readonly words: readonly string[];
  readonly tone: "primary" | "secondary" | "quiet" | "warning" | "error";
  /** Index of the event that shows the state. */
  readonly event: number;
}

/** An event at a single time, or at the end of a duration. */
export interface EventTick {
  /** Index into `EvidenceAnswer.events`. */
  readonly event: number;
  readonly at: number;
  /** Start of a duration that ended at `at`; null for a single time. */
  readonly from: number | null;
  readonly plusMinusUs: number;
  readonly text: string;
  /** It is the cause of a failover, or ends one. */
  readonly isMain: boolean;
}

export interface HappenedLane {
  readonly key: string;
  readonly kind: LaneKind;
  readonly name: string;
  /** By time; empty for a lane of ticks. */
  readonly bands: readonly Band[];
  /** By time; empty for a lane of bands. */
  readonly ticks: readonly EventTick[];
}

/** An event with its index. */
type Entry = readonly [event: HappenedEvent, index: number];

/** Short text of an event, with the number of its message, which DBAs search for. */
export function eventLabel(event: HappenedEvent): string {
  const { message, text, server, states } = event;
  const words =
    isRoleState(event) && server !== null && states !== null
      ? texts.isInRole(server, roleOf(states[1]).toLowerCase())
      : text.replace(/\.$/u, "");
  return message === null ? words : `${message}: ${words}`;
}

/** The lanes of all events, in their order; a lane without events is absent. */
export function happenedLanes(answer: Pick<EvidenceAnswer, "events" | "failovers">): HappenedLane[] {
  const entries = answer.events.map((event, index): Entry => [event, index]);
  const roles = entries.filter(([event]) => isRoleState(event));
  const withRole = new Set(roles.map(([{ server }]) => server));
  const bands = [...roleLanes(roles), ...syncLanes(entries), ...healthLanes(entries)];
  const main = mainEvents(answer);
  const ofKind = Map.groupBy(
    entries.flatMap(([event, index]) => {
      const kind = tickKind(event, withRole);
      return kind === null ? [] : [{ kind, tick: tickOf(event, index, main.has(index)) }];
    }),
    ({ kind }) => kind,
  );
  const ticks = [...ofKind].map(([kind, some]): HappenedLane => ({
    key: kind,
    kind,
    name: texts.laneNames[kind],
    bands: [],
    ticks: some.map(({ tick }) => tick).toSorted((a, b) => a.at - b.at),
  }));
  const place = ({ kind }: HappenedLane): number => LANE_KINDS.indexOf(kind);
  return [...bands, ...ticks].toSorted((a, b) => place(a) - place(b));
}

const tickOf = (event: HappenedEvent, index: number, isMain: boolean): EventTick => ({
  event: index,
  at: event.at,
  from: event.from,
  plusMinusUs: event.plusMinusUs,
  text: eventLabel(event),
  isMain,
});

/** Kinds of events whose lane has all of them. */
const TICK_KINDS = {
  lease: "lease",
  scheduler: "lease",
  memory: "lease",
  restart: "lease",
  ddl: "ddl",
  connectivity: "connectivity",
  suspension: "suspend",
  slowIo: "io",
} as const satisfies Partial<Record<HappenedEvent["kind"], LaneKind>>;

/** The lane of ticks that an event is in; null where a band shows it. */
function tickKind(event: HappenedEvent, withRole: ReadonlySet<string | null>): TickKind | null {
  const { kind, states, database, server } = event;
  if (kind === "health") return isHealthState(event) ? null : "lease";
  // A query that blocks redo has no state.
  if (kind === "synchronization") return states === null ? "suspend" : null;
  if (kind !== "role") return TICK_KINDS[kind];
  if (isRoleState(event)) return isGain(event) ? "ddl" : null;
  // The databases follow their replica.
  return database !== null && withRole.has(server) ? null : "ddl";
}

type TickKind = Exclude<LaneKind, "role" | "sync" | "health">;

/** A replica changed its role. */
const isRoleState = ({ kind, states, database, server }: HappenedEvent): boolean =>
  kind === "role" && states !== null && states[0] !== null && database === null && server !== null;

const isGain = ({ states }: HappenedEvent): boolean => states !== null && roleOf(states[1]) === "PRIMARY";

/** The cause of each failover, and the event that ended it. */
export function mainEvents({
  events,
  failovers,
}: Pick<EvidenceAnswer, "events" | "failovers">): ReadonlySet<number> {
  return new Set(
    failovers.flatMap((failover) => {
      const own = failover.events.flatMap((index): Entry[] => {
        const event = events[index];
        return event === undefined ? [] : [[event, index]];
      });
      const kinds = CAUSE_KINDS[failover.kind];
      const causes = own.filter(([{ kind }]) => kinds.includes(kind));
      const cause = causes.find(([{ from }]) => from !== null) ?? causes[0];
      const gain = own.find(
        ([event]) => event.kind === "role" && isGain(event) && event.at === failover.until,
      );
      return [cause, gain].flatMap((entry) => (entry === undefined ? [] : [entry[1]]));
    }),
  );
}

const CAUSE_KINDS: Readonly<
  Record<EvidenceAnswer["failovers"][number]["kind"], readonly HappenedEvent["kind"][]>
> = {
  leaseTimeout: ["lease"],
  healthTimeout: ["health"],
  ddlByUser: ["ddl"],
  ddlByCluster: ["ddl", "role"],
  network: ["connectivity"],
  serviceStop: ["restart"],
  notShown: ["role"],
};

/** `PRIMARY_NORMAL` is a role; a replica whose role is pending is resolving. */
function roleOf(state: string): string {
  const [role = state, rest] = state.toUpperCase().split("_");
  return rest === undefined || rest === "NORMAL" ? role : "RESOLVING";
}

const roleTone = (role: string): Band["tone"] =>
  role === "PRIMARY" ? "primary" : role === "SECONDARY" ? "secondary" : "quiet";

/** A state that begins at a time. */
interface State extends Omit<Band, "from" | "to"> {
  readonly from: number;
}

/** Bands of states that follow each other; equal ones are one band. */
function bandsOf(states: readonly State[]): Band[] {
  const changed = states.filter(
    (state, i) => i === 0 || states[i - 1].words.at(-1) !== state.words.at(-1) || state.words.length === 0,
  );
  return changed.map((state, i) => ({ ...state, to: changed[i + 1]?.from ?? Infinity }));
}

function roleLanes(entries: readonly Entry[]): HappenedLane[] {
  const groups = new Set(entries.map(([{ group }]) => group));
  const byServer = Map.groupBy(entries, ([{ server, group }]) =>
    groups.size > 1 ? `${server}, ${group ?? ""}` : String(server),
  );
  return [...byServer]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, own]): HappenedLane => {
      const state = (role: string, from: number, event: number): State => ({
        from,
        event,
        words: [role],
        tone: roleTone(role),
      });
      const [first] = own;
      const before = first === undefined ? [] : [state(roleOf(first[0].states![0]!), -Infinity, first[1])];
      const after = own.map(([{ states, at }, index]) => state(roleOf(states![1]), at, index));
      return {
        key: `role ${name}`,
        kind: "role",
        name: texts.roleOf(name),
        bands: bandsOf([...before, ...after]),
        ticks: [],
      };
    });
}

/** Synchronization states of each database on each replica, with the times in which its data movement was suspended. */
function syncLanes(entries: readonly Entry[]): HappenedLane[] {
  const own = entries.filter(
    ([{ kind, states, database }]) =>
      database !== null && states !== null && (kind === "synchronization" || kind === "suspension"),
  );
  const byDatabase = Map.groupBy(own, ([event]) => `${event.database} ${ownerOf(event)}`);
  return [...byDatabase]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([key, some]): HappenedLane => {
      const [event] = some[0];
      const known = event.kind === "synchronization" ? event.states![0] : null;
      const before = known === null ? [] : [syncState(known, -Infinity, some[0][1])];
      const states = some.map(([{ kind, states, at }, index]): State => {
        const after = states?.[1] ?? "";
        if (kind === "synchronization") return syncState(after, at, index);
        const isSuspended = after === "SUSPENDED";
        const words = isSuspended ? [texts.suspended] : [];
        return { from: at, event: index, words, tone: isSuspended ? "warning" : "quiet" };
      });
      return {
        key: `sync ${key}`,
        kind: "sync",
        name: texts.databaseOn(event.database ?? "", ownerOf(event)),
        bands: bandsOf([...before, ...states]).map(withDuration),
        ticks: [],
      };
    });
}

/** The replica whose copy of the database a state is about. */
const ownerOf = ({ replica, server, kind }: HappenedEvent): string =>
  (kind === "synchronization" ? (replica ?? server) : server) ?? "";

const syncState = (state: string, from: number, event: number): State => ({
  from,
  event,
  words: [state],
  tone: state.startsWith("NOT") ? "warning" : "quiet",
});

/** A suspension that ended has its duration. */
const withDuration = (band: Band): Band =>
  band.words[0] === texts.suspended && Number.isFinite(band.to)
    ? { ...band, words: [`${texts.suspended} ${durationText(band.to - band.from)}`, texts.suspended] }
    : band;

/** A state of a component in the server's health check. */
const isHealthState = ({ kind, states, from }: HappenedEvent): boolean =>
  kind === "health" && states !== null && from !== null;

const SEVERITY = ["CLEAN", "UNKNOWN", "WARNING", "ERROR"];
const severityOf = ({ states }: HappenedEvent): number => SEVERITY.indexOf(states?.[1] ?? "");

/** Results of the health check by server: at each time the worst state of its components. */
function healthLanes(entries: readonly Entry[]): HappenedLane[] {
  const own = entries.filter(([event]) => isHealthState(event));
  return [...Map.groupBy(own, ([{ server }]) => server ?? "")]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([server, some]): HappenedLane => ({
      key: `health ${server}`.trim(),
      kind: "health",
      name: texts.healthCheckOf(server),
      bands: worstBands(some),
      ticks: [],
    }));
}

/** At each time the worst of the states that are valid then; times without a state have no band. */
function worstBands(entries: readonly Entry[]): Band[] {
  const edges = entries
    .flatMap((entry) => [
      { at: entry[0].from ?? entry[0].at, entry, begins: true },
      { at: entry[0].at, entry, begins: false },
    ])
    .toSorted((a, b) => a.at - b.at);
  const valid = new Set<Entry>();
  const bands: Band[] = [];
  for (const [i, { at, entry, begins }] of edges.entries()) {
    if (begins) valid.add(entry);
    else valid.delete(entry);
    const to = edges[i + 1]?.at ?? at;
    if (to <= at || valid.size === 0) continue;
    const worst = [...valid].reduce((a, b) => (severityOf(b[0]) > severityOf(a[0]) ? b : a));
    const next = healthBand(worst, at, to);
    const last = bands.at(-1);
    if (last?.to === at && last.words.at(-1) === next.words.at(-1)) bands[bands.length - 1] = { ...last, to };
    else bands.push(next);
  }
  return bands;
}

function healthBand([event, index]: Entry, from: number, to: number): Band {
  const state = (event.states?.[1] ?? "").toLowerCase();
  const tone = state === "error" ? "error" : state === "warning" ? "warning" : "quiet";
  return { from, to, event: index, tone, words: tone === "quiet" ? [state] : [eventLabel(event), state] };
}
