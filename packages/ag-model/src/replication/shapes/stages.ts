import { EventName } from "../../events/index.ts";
import type { HopAnchor, LocalAnchor } from "./tables.ts";

/** Where a stage happens and what it is; hue and strength in charts follow from these. */
export type Place = "primary" | "networkOut" | "networkBack" | "secondary";
export type Kind = "disk" | "handling" | "network" | "total";

interface AnyStage {
  readonly id: string;
  /** Words on screen (docs/design.md 2); {P} and {S} are replaced by the replicas' names. */
  readonly label: string;
  readonly place: Place;
  readonly kind: Kind;
  readonly from: LocalAnchor | HopAnchor | null;
  readonly to: LocalAnchor | HopAnchor | null;
  /** Which clock gives it: "aligned" carries the clock's uncertainty, "exact" is a sum free of it. */
  readonly clock: "primary" | "secondary" | "aligned" | "exact";
  /** Part of the remote path: these add up to remoteHarden (I1, I2). */
  readonly onRemotePath: boolean;
  /** Limit in µs over which the stage is worth a mark (docs/design.md 8); NaN when it has none. */
  readonly limitUs: number;
  readonly description: string;
}

/**
 * Every stage of a block's path, in its order. The ids are the same everywhere: CLI, API, URL, screens. What needs a
 * secondary is declared once and measured per secondary (docs/model.md 4.2).
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
    description: `Commit waits to be grouped into a log block: commit start to ${EventName.flushStart}.`,
  },
  {
    id: "localFlush",
    label: "Log write, {P}",
    place: "primary",
    kind: "disk",
    from: "localFlushStart",
    to: "localFlushEnd",
    clock: "primary",
    onRemotePath: false,
    limitUs: 10_000,
    description: `${EventName.flushStart} to ${EventName.flushComplete} on the primary.`,
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
    description: `${EventName.pushedToLogPool} to the start of capture; negative when capture runs first (2016 and later).`,
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
    description: `processing_time of ${EventName.compression}, part of capture and send.`,
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
    description: `total_processing_time of ${EventName.sendComplete}.`,
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
    description: `${EventName.sendComplete} to ${EventName.transportReceive} mode 2.`,
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
    description: `Receive to ${EventName.flushStart} on the secondary.`,
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
    description: `Sum of processing_time of ${EventName.decompression}, part of receive and append.`,
  },
  {
    id: "secondaryFlush",
    label: "Log write, {S}",
    place: "secondary",
    kind: "disk",
    from: "secondaryFlushStart",
    to: "secondaryFlushEnd",
    clock: "secondary",
    onRemotePath: true,
    limitUs: 10_000,
    description: `${EventName.flushStart} to ${EventName.flushComplete} on the secondary.`,
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
    description: `${EventName.flushComplete} to ${EventName.sendHarden} mode 3.`,
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
    description: `${EventName.sendHarden} mode 3 to ${EventName.ackSendComplete}.`,
  },
  {
    id: "secondaryTotal",
    label: "On {S}, all",
    place: "secondary",
    kind: "total",
    from: "received",
    to: "ackSent",
    clock: "secondary",
    onRemotePath: false,
    limitUs: Number.NaN,
    description: `total_processing_time of ${EventName.ackSendComplete}.`,
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
    description: `${EventName.ackSendComplete} to ${EventName.receiveHarden} mode 2.`,
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
    description: `processing_time of ${EventName.receiveHarden} mode 2.`,
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
    description:
      "Commit end after the later of the local log write and the last synchronous acknowledgement.",
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
    description: "Start of capture to the acknowledgement processed (H1 - K0).",
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
    description: "Network out plus back; free of the clocks.",
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

/** True for a text that is the id of a stage. */
export const isStageId = (id: string): id is StageId => BY_ID.has(id);

const LOCAL_STAGES: ReadonlySet<StageId> = new Set(["commitQueue", "localFlush", "commitWakeUp"]);

/** True when a stage is the same towards every secondary: commit queue, local log write, commit wake-up. */
export const isLocalStage = (id: StageId): boolean => LOCAL_STAGES.has(id);
