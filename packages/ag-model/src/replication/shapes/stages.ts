import { EventName } from "../../events/index.ts";
import type { HopAnchor, LocalAnchor } from "./tables.ts";

/** Where a stage happens and its kind; hue and strength in charts follow from these. */
export type Place = "primary" | "networkOut" | "networkBack" | "secondary";
export type Kind = "disk" | "handling" | "network" | "total";

interface AnyStage {
  readonly id: string;
  /** Name on screens, without its replica: `stageName` adds that (docs/contribute/design.md 2). */
  readonly label: string;
  readonly place: Place;
  readonly kind: Kind;
  readonly from: LocalAnchor | HopAnchor | null;
  readonly to: LocalAnchor | HopAnchor | null;
  /** Clock of the stage's time: "aligned" carries the clock's uncertainty, "exact" is a sum free of it. */
  readonly clock: "primary" | "secondary" | "aligned" | "exact";
  /** Part of the remote path: these add up to remoteHarden (I1, I2). */
  readonly onRemotePath: boolean;
  /** Limit in µs over which the stage gets a mark (docs/contribute/design.md 8); NaN without a limit. */
  readonly limitUs: number;
  /** Definition of the stage's time for a DBA, in one sentence. */
  readonly definition: string;
  /** Events, or the field of an event, that its time is taken from. */
  readonly source: string;
}

/**
 * Every stage of a block's path, in its order. The ids are the same everywhere: CLI, API, URL, screens. A stage that
 * needs a secondary is declared once and measured per secondary (docs/contribute/model/stages.md 4.2).
 */
export const STAGES = [
  {
    id: "commitQueue",
    label: "Commit queue",
    place: "primary",
    kind: "handling",
    from: "commitStart",
    to: "localFlushStart",
    clock: "primary",
    onRemotePath: false,
    limitUs: 10_000,
    definition:
      "A commit waits until SQL Server groups it into a log block and starts to write that (group commit).",
    source: `commit start to ${EventName.flushStart}`,
  },
  {
    id: "localFlush",
    label: "Log write",
    place: "primary",
    kind: "disk",
    from: "localFlushStart",
    to: "localFlushEnd",
    clock: "primary",
    onRemotePath: false,
    limitUs: 10_000,
    definition: "The primary writes the log block to its log disk.",
    source: `${EventName.flushStart} to ${EventName.flushComplete} on the primary`,
  },
  {
    id: "captureLag",
    label: "Capture lag",
    place: "primary",
    kind: "handling",
    from: "pushedToLogPool",
    to: "sendStart",
    clock: "primary",
    onRemotePath: false,
    limitUs: 200,
    definition:
      "The log block waits in the log pool until log capture reads it for a secondary. It is negative when log capture runs first (SQL Server 2016 and later).",
    source: `${EventName.pushedToLogPool} to the start of log capture`,
  },
  {
    id: "compression",
    label: "Compression",
    place: "primary",
    kind: "handling",
    from: null,
    to: null,
    clock: "primary",
    onRemotePath: false,
    limitUs: 1_000,
    definition: "The primary compresses the log block for the network. This is part of capture and send.",
    source: `processing_time of ${EventName.compression}`,
  },
  {
    id: "send",
    label: "Capture and send",
    place: "primary",
    kind: "handling",
    from: "sendStart",
    to: "sendEnd",
    clock: "primary",
    onRemotePath: true,
    limitUs: 1_000,
    definition: "The primary reads the log block from the log pool and hands it to the transport.",
    source: `total_processing_time of ${EventName.sendComplete}`,
  },
  {
    id: "wireOut",
    label: "Network out",
    place: "networkOut",
    kind: "network",
    from: "sendEnd",
    to: "received",
    clock: "aligned",
    onRemotePath: true,
    limitUs: 1_000,
    definition:
      "The log block is on its way to the secondary: transport queue, network, and the secondary's receive queue.",
    source: `${EventName.sendComplete} to ${EventName.transportReceive} mode 2`,
  },
  {
    id: "secondaryAppend",
    label: "Receive and append",
    place: "secondary",
    kind: "handling",
    from: "received",
    to: "secondaryFlushStart",
    clock: "secondary",
    onRemotePath: true,
    limitUs: 500,
    definition:
      "The secondary decompresses the log block and appends it to its log, before the log write begins.",
    source: `${EventName.transportReceive} to ${EventName.flushStart} on the secondary`,
  },
  {
    id: "decompression",
    label: "Decompression",
    place: "secondary",
    kind: "handling",
    from: null,
    to: null,
    clock: "secondary",
    onRemotePath: false,
    limitUs: 1_000,
    definition: "The secondary decompresses the log block. This is part of receive and append.",
    source: `sum of processing_time of ${EventName.decompression}`,
  },
  {
    id: "secondaryFlush",
    label: "Log write",
    place: "secondary",
    kind: "disk",
    from: "secondaryFlushStart",
    to: "secondaryFlushEnd",
    clock: "secondary",
    onRemotePath: true,
    limitUs: 10_000,
    definition: "The secondary writes the log block to its log disk.",
    source: `${EventName.flushStart} to ${EventName.flushComplete} on the secondary`,
  },
  {
    id: "ackBuild",
    label: "Ack build",
    place: "secondary",
    kind: "handling",
    from: "secondaryFlushEnd",
    to: "ackDeparted",
    clock: "secondary",
    onRemotePath: true,
    limitUs: 1_000,
    definition: "The secondary builds the acknowledgment that the log block is hardened.",
    source: `${EventName.flushComplete} to ${EventName.sendHarden} mode 3`,
  },
  {
    id: "ackSend",
    label: "Ack send",
    place: "secondary",
    kind: "handling",
    from: "ackDeparted",
    to: "ackSent",
    clock: "secondary",
    onRemotePath: true,
    limitUs: 1_000,
    definition: "The secondary hands the acknowledgment to the transport.",
    source: `${EventName.sendHarden} mode 3 to ${EventName.ackSendComplete}`,
  },
  {
    id: "secondaryTotal",
    label: "All stages",
    place: "secondary",
    kind: "total",
    from: "received",
    to: "ackSent",
    clock: "secondary",
    onRemotePath: false,
    limitUs: Number.NaN,
    definition: "The log block is on the secondary: from its arrival until the acknowledgment leaves.",
    source: `total_processing_time of ${EventName.ackSendComplete}`,
  },
  {
    id: "wireBack",
    label: "Network back",
    place: "networkBack",
    kind: "network",
    from: "ackSent",
    to: "ackReceived",
    clock: "aligned",
    onRemotePath: true,
    limitUs: 1_000,
    definition: "The acknowledgment is on its way to the primary: transport queue and network.",
    source: `${EventName.ackSendComplete} to ${EventName.receiveHarden} mode 2`,
  },
  {
    id: "ackReceive",
    label: "Ack receive",
    place: "primary",
    kind: "handling",
    from: "ackReceived",
    to: "ackProcessed",
    clock: "primary",
    onRemotePath: true,
    limitUs: 1_000,
    definition: "The primary processes the acknowledgment.",
    source: `processing_time of ${EventName.receiveHarden} mode 2`,
  },
  {
    id: "commitWakeUp",
    label: "Commit wake-up",
    place: "primary",
    kind: "handling",
    from: null,
    to: "commitEnd",
    clock: "primary",
    onRemotePath: false,
    limitUs: 1_000,
    definition:
      "The commit's thread waits to run again after the log write and every synchronous acknowledgment.",
    source: `the later of ${EventName.flushComplete} and the last acknowledgment, to commit end`,
  },
  {
    id: "remoteHarden",
    label: "Remote harden",
    place: "primary",
    kind: "total",
    from: "sendStart",
    to: "ackProcessed",
    clock: "primary",
    onRemotePath: false,
    limitUs: Number.NaN,
    definition:
      "The log block is hardened on the secondary, as the primary sees it: from the start of log capture until the acknowledgment is processed.",
    source: `start of log capture to the end of ${EventName.receiveHarden}`,
  },
  {
    id: "networkRoundTrip",
    label: "Network round trip",
    place: "networkOut",
    kind: "network",
    from: null,
    to: null,
    clock: "exact",
    onRemotePath: false,
    limitUs: 2_000,
    definition: "Network out plus network back. Neither server's clock affects it.",
    source: "sum of network out and network back",
  },
] as const satisfies readonly AnyStage[];

export type StageId = (typeof STAGES)[number]["id"];

/** Stages that add up to remote harden. */
export type RemoteStageId = Extract<(typeof STAGES)[number], { readonly onRemotePath: true }>["id"];

export interface StageDefinition<Id extends StageId = StageId> extends AnyStage {
  readonly id: Id;
}

export const STAGE_IDS: readonly StageId[] = STAGES.map(({ id }) => id);

/** The stages that add up to remote harden, in order. */
export const REMOTE_PATH: readonly StageDefinition<RemoteStageId>[] = STAGES.filter(
  (stage) => stage.onRemotePath,
);

export const REMOTE_STAGE_IDS: readonly RemoteStageId[] = REMOTE_PATH.map(({ id }) => id);

/** Stages of the way to a secondary and back, and all of it. */
export const PATH_STAGES = [...REMOTE_STAGE_IDS, "remoteHarden"] as const;
export type PathStage = (typeof PATH_STAGES)[number];

const BY_ID = new Map<string, StageDefinition>(STAGES.map((stage) => [stage.id, stage]));

/** The definition of a stage. */
export const stageDefinition = (id: StageId): StageDefinition => BY_ID.get(id)!;

/** Names that appear in a stage's name. */
export interface StageReplicas {
  readonly primary: string;
  readonly secondary: string;
}

/**
 * Name of a stage with its replica: "SQL2 log write". Both directions of the network and complete paths have no
 * replica.
 */
export function stageName(id: StageId, replicas: StageReplicas): string {
  const { label, place, kind } = stageDefinition(id);
  if (place === "secondary") return `${replicas.secondary} ${lowerFirst(label)}`;
  return place === "primary" && kind !== "total" ? `${replicas.primary} ${lowerFirst(label)}` : label;
}

/** Name of a stage in a list of stages: with its replica only where another stage has the same label. */
export function stageLabel(id: StageId, replicas: StageReplicas): string {
  const { label } = stageDefinition(id);
  const isShared = STAGES.some((other) => other.id !== id && other.label === label);
  return isShared ? stageName(id, replicas) : label;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** True for a text that is the id of a stage. */
export const isStageId = (id: string): id is StageId => BY_ID.has(id);

const LOCAL_STAGES: ReadonlySet<StageId> = new Set(["commitQueue", "localFlush", "commitWakeUp"]);

/** True when a stage is the same for every secondary: commit queue, local log write, commit wake-up. */
export const isLocalStage = (id: StageId): boolean => LOCAL_STAGES.has(id);
