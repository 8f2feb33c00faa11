import { unixMsOf, type XelEvent } from "xel-parser/format";
import { factsOfMessage } from "../messages/messages.ts";
import { ComponentSeries } from "../samples/component-series.ts";
import { readComponent } from "../samples/components.ts";
import type { EvidenceEvent, EvidenceSeries, GroupName, NotUnderstood, ReplicaName } from "../shapes.ts";
import { ComponentBands } from "./component-bands.ts";
import { factsOfClusterInfo } from "./cluster-info.ts";
import { ClusterEvent, ERROR_REPORTED, HealthEvent, SystemEvent } from "./event-names.ts";
import { isId, numberOf, textOf } from "./fields.ts";

/** A file of SQL Server's or the cluster's own sessions. */
export interface HealthFile {
  readonly name: string;
  /** Null where neither content nor name shows it; the replica's own events may name it later. */
  readonly server: string | null;
  /** Keeps statements, and texts of messages that may name logins. */
  readonly keepSensitive?: boolean;
}

/** The events of such a file, and the names of replicas that it has. */
export interface HealthReading {
  readonly events: readonly EvidenceEvent[];
  readonly names: readonly ReplicaName[];
  readonly groups: readonly GroupName[];
  /** Counts of the health check, such as requests over 15 s. */
  readonly series: readonly EvidenceSeries[];
  readonly notUnderstood: NotUnderstood;
  /** Whether there are more events than are kept. */
  readonly isCut: boolean;
  /** Statements and messages that aren't kept. */
  readonly dropped: number;
}

type Facts = Partial<Omit<EvidenceEvent, "text" | "kind">> &
  Pick<EvidenceEvent, "text" | "kind"> & {
    /** The message may name a login or a computer. */
    readonly isSensitive?: boolean;
  };
/** Undefined for an event that isn't understood, null for one that reports nothing that happened. */
type Reader = (event: XelEvent, of: HealthReader) => Facts | null | undefined;

/** More events than a folder can show; further ones are counted as not understood. */
const MOST_EVENTS = 50_000;
/** No folder has so many replicas and databases; a damaged file may seem to. */
const MOST_IDS = 10_000;
const MOST_SAMPLES = 5;
const MOST_SOURCE_TEXT = 2_000;
const MS_US = 1_000;
/** Longer waits than this are recorded for most wait types. In ms. */
const LONG_WAIT = 15_000;
/** Waits for a file: reads of pages and writes of the log. */
const IO_WAIT =
  /^(?:PAGEIOLATCH_|WRITELOG|IO_COMPLETION|ASYNC_IO_COMPLETION|LOGBUFFER|BACKUPIO|WRITE_COMPLETION)/u;

/**
 * Reads the events of AlwaysOn_health, system_health and the cluster's diagnostics, streaming. An event that no rule
 * knows is counted by its name.
 */
export async function readHealth(
  file: HealthFile,
  events: AsyncIterable<XelEvent> | Iterable<XelEvent>,
): Promise<HealthReading> {
  const reader = new HealthReader(file);
  for await (const event of events) reader.take(event);
  return reader.end();
}

class HealthReader {
  readonly file: HealthFile;
  /** State of a database by replica and database, before the next event about it. */
  readonly syncStates = new Map<string, string>();
  readonly #names = new Map<string, ReplicaName>();
  readonly #groups = new Map<string, GroupName>();
  readonly #servers = new Set<string>();
  readonly #events: EvidenceEvent[] = [];
  readonly #bands = new ComponentBands();
  readonly #components = new ComponentSeries();
  readonly #unknown = new Map<string, number>();
  #place = 0;
  #isCut = false;
  dropped = 0;

  constructor(file: HealthFile) {
    this.file = file;
  }

  get on(): string {
    return this.file.server === null ? "" : ` on ${this.file.server}`;
  }

  take(event: XelEvent): void {
    const place = ++this.#place;
    const { atUs, plusMinusUs } = timeOf(event);
    this.#takeNames(event);
    if (event.name === SystemEvent.component || event.name === ClusterEvent.componentHealth) {
      const report = readComponent(textOf(event, "component"), textOf(event, "data"));
      if (report !== null) this.#components.add(atUs, report);
      const source = { file: this.file.name, place, text: null, plusMinusUs };
      return this.#bands.take(event, report, atUs, source);
    }
    const read = READERS[event.name];
    const facts = read?.(event, this);
    if (facts === null) return;
    const isFull = this.#events.length >= MOST_EVENTS;
    if (isFull && facts !== undefined) this.#isCut = true;
    if (facts === undefined || isFull) return this.#addUnknown(event);
    const { isSensitive = false, ...shown } = facts;
    const isDropped = isSensitive && this.file.keepSensitive !== true;
    if (isDropped) this.dropped++;
    const message = isDropped ? "" : messageOf(event);
    this.#events.push({
      fromUs: null,
      server: this.file.server,
      group: null,
      database: null,
      replica: null,
      message: null,
      states: null,
      count: 1,
      lsn: null,
      ...shown,
      atUs,
      sources: [
        {
          file: this.file.name,
          place,
          text: message === "" ? null : message.slice(0, MOST_SOURCE_TEXT),
          plusMinusUs,
        },
      ],
    });
  }

  end(): HealthReading {
    const unknown = [...this.#unknown];
    return {
      events: [...this.#events, ...this.#bands.end(this.file.server)].map((event) => this.#withServer(event)),
      names: [...this.#names.values()],
      groups: [...this.#groups.values()],
      series: this.#components.end(this.file.name, this.#ownServer),
      notUnderstood: {
        file: this.file.name,
        count: unknown.reduce((sum, [, count]) => sum + count, 0),
        first: unknown.slice(0, MOST_SAMPLES).map(([name, count]) => `${name}: ${count}`),
      },
      isCut: this.#isCut,
      dropped: this.dropped,
    };
  }

  /** A replica reports its own state, so that the file is of that server. */
  #takeNames(event: XelEvent): void {
    if (event.name !== HealthEvent.replicaState || this.#names.size >= MOST_IDS) return;
    const group = textOf(event, "availability_group_name");
    const groupId = textOf(event, "availability_group_id");
    if (group !== "" && isId(groupId) && this.#groups.size < MOST_IDS)
      this.#groups.set(groupId, { groupId, name: group, file: this.file.name });
    const name = textOf(event, "availability_replica_name");
    const id = textOf(event, "availability_replica_id");
    if (name === "") return;
    this.#servers.add(name);
    if (isId(id)) this.#names.set(id, { replicaId: id, server: name, file: this.file.name });
  }

  get #ownServer(): string | null {
    const [server] = this.#servers;
    return this.file.server ?? (this.#servers.size === 1 ? server! : null);
  }

  #withServer(event: EvidenceEvent): EvidenceEvent {
    return event.server !== null ? event : { ...event, server: this.#ownServer };
  }

  #addUnknown({ name }: XelEvent): void {
    this.#unknown.set(name, (this.#unknown.get(name) ?? 0) + 1);
  }
}

/** Events in whole milliseconds were rounded by a tool; others are exact to a tick. */
function timeOf({ ticks }: XelEvent): { atUs: number; plusMinusUs: number } {
  const isRounded = ticks % 10_000n === 0n;
  return { atUs: Math.round(unixMsOf(ticks) * 1000), plusMinusUs: isRounded ? MS_US : 1 };
}

const groupOf = (event: XelEvent): string | null =>
  textOf(event, "availability_group_name") || textOf(event, "availability_group_id") || null;

/** The block as SQL Server writes it, a decimal number; null for none. */
function blockOf(event: XelEvent): bigint | null {
  const block = event.fields["sync_log_block"];
  if (typeof block === "bigint") return block === 0n ? null : block;
  return typeof block === "number" && block > 0 ? BigInt(block) : null;
}

/** A wait that ended. The session records those of at least 15 s (locks: 30 s, some: 5 s). */
function longWait(event: XelEvent, { on }: HealthReader): Facts | null {
  const type = textOf(event, "wait_type");
  const duration = numberOf(event, "duration");
  if (duration === null || duration < LONG_WAIT || type === "") return null;
  const { atUs } = timeOf(event);
  return {
    kind: IO_WAIT.test(type) ? "slowIo" : "health",
    fromUs: atUs - duration * MS_US,
    text: `A session waited ${Math.round(duration / 1000)} s for ${type}${on}.`,
  };
}

const messageOf = (event: XelEvent): string =>
  textOf(event, "message") || textOf(event, "info") || textOf(event, "data");

const READERS: Readonly<Record<string, Reader | undefined>> = {
  [HealthEvent.replicaState](event, { on }) {
    const before = textOf(event, "previous_state");
    const after = textOf(event, "current_state");
    const group = groupOf(event);
    const server = textOf(event, "availability_replica_name") || null;
    const where = server === null ? on : ` on ${server}`;
    return {
      kind: "role",
      message: 19406,
      group,
      ...(server === null ? {} : { server }),
      states: [before, after],
      text: `The replica${where} changed from ${before} to ${after} in ${group ?? "its group"}.`,
    };
  },
  [HealthEvent.managerState](event, { on }) {
    const after = textOf(event, "current_state");
    return {
      kind: /PENDING/iu.test(after) ? "connectivity" : "health",
      states: [null, after],
      text: `The availability replica manager${on} changed to ${after}.`,
    };
  },
  [HealthEvent.leaseExpired](event, { on }) {
    const group = groupOf(event);
    // For so long it wasn't renewed.
    const interval = numberOf(event, "lease_interval");
    return {
      kind: "lease",
      message: 19407,
      group,
      ...(interval === null || interval <= 0 ? {} : { fromUs: timeOf(event).atUs - interval * MS_US }),
      text: `The lease of ${group ?? "the group"} expired${on}.`,
    };
  },
  [HealthEvent.ddl](event, reader) {
    const { on, file } = reader;
    const action = (textOf(event, "ddl_action") || "DDL").toUpperCase();
    const phase = textOf(event, "ddl_phase").toLowerCase();
    const statement = textOf(event, "statement");
    const group = groupOf(event);
    const isFailover = /\bFAILOVER\b|FORCE_FAILOVER/iu.test(statement) && !/^\s*CREATE\b/iu.test(statement);
    const what = isFailover ? "FAILOVER" : action;
    if (statement !== "" && file.keepSensitive !== true) reader.dropped++;
    const kept = file.keepSensitive === true && statement !== "" ? ` ${statement.slice(0, 200)}` : "";
    return {
      kind: "ddl",
      group,
      states: [null, `${what}${phase === "" ? "" : ` ${phase}`}`],
      text: `${what} of ${group ?? "a group"}${phase === "" ? "" : ` (${phase})`}${on}.${kept}`,
    };
  },
  [HealthEvent.synchronization](event, { on, syncStates }) {
    const after = textOf(event, "sync_state");
    const database = textOf(event, "ag_database_id") || textOf(event, "database_id") || null;
    const replica = textOf(event, "replica_id") || null;
    const key = `${replica} ${database}`;
    const before = syncStates.get(key) ?? null;
    if (syncStates.size < MOST_IDS) syncStates.set(key, after);
    return {
      kind: "synchronization",
      group: textOf(event, "group_id") || null,
      database,
      replica,
      states: [before, after],
      lsn: blockOf(event),
      text: `A database${on} is ${after} with a replica.`,
    };
  },
  [HealthEvent.failoverCheck](event, { on }) {
    const group = groupOf(event);
    const refused =
      /^(?:true|1)$/iu.test(textOf(event, "forced_quorum")) ||
      /^(?:false|0)$/iu.test(textOf(event, "joined_and_synchronized"));
    return {
      kind: "role",
      group,
      text: `The replica${on} was ${refused ? "not ready" : "checked"} for automatic failover of ${group ?? "its group"}.`,
    };
  },
  [HealthEvent.redoBlocked]: (event, { on }) => ({
    kind: "synchronization",
    database: textOf(event, "database_name") || textOf(event, "database_id") || null,
    text: `A query blocked redo of a database${on}.`,
  }),
  [ERROR_REPORTED](event, { file }) {
    const number = numberOf(event, "error_number");
    const facts = factsOfMessage(number, textOf(event, "message"), file.server);
    if (facts === undefined) return undefined;
    const { durationUs, ...rest } = facts;
    const { atUs } = timeOf(event);
    return { ...rest, fromUs: durationUs === null ? null : atUs - durationUs };
  },
  [ClusterEvent.groupState](event) {
    const after = textOf(event, "target_state");
    const group = groupOf(event);
    return {
      kind: "role",
      group,
      states: [null, after.toUpperCase()],
      text: `The cluster set ${group ?? "the group"} to ${after}.`,
    };
  },
  [ClusterEvent.isAliveFailure](event, { on }) {
    const group = groupOf(event);
    return { kind: "health", group, text: `${group ?? "The group"} failed the cluster's check${on}.` };
  },
  [ClusterEvent.info]: (event, { on }) => factsOfClusterInfo(messageOf(event), on),
  [SystemEvent.nonYielding]: (event, { on }) => ({
    kind: "scheduler",
    message: 17883,
    text: `A worker didn't yield on scheduler ${textOf(event, "scheduler_id") || "unknown"}${on}.`,
  }),
  [SystemEvent.connectivity](event, { on }) {
    // Closed connections and slow logins of clients are frequent and show no fault of the server.
    if (!/error/iu.test(textOf(event, "type"))) return null;
    const number = numberOf(event, "sni_consumer_error") ?? numberOf(event, "os_error");
    return {
      kind: "connectivity",
      message: number,
      text: `A client's connection failed${on}${number === null ? "" : ` (error ${number})`}.`,
    };
  },
  [SystemEvent.wait]: longWait,
  [SystemEvent.waitExternal]: longWait,
  [SystemEvent.systemHealth]: () => null,
  [SystemEvent.memoryBroker]: () => null,
};
