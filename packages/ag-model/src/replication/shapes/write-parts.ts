import { EventName } from "../../events/index.ts";

/**
 * Parts of a log write: SQL Server's queue, the device, the completion. They are no stages of the path: they add up to
 * the log write, which is one (docs/contribute/model/stages.md 4.7).
 */
export const WRITE_PART_IDS = [
  "localQueue",
  "localDevice",
  "localCompletion",
  "secondaryQueue",
  "secondaryDevice",
  "secondaryCompletion",
] as const;
export type WritePartId = (typeof WRITE_PART_IDS)[number];

/** The log writes that have parts. */
export type SplitStage = "localFlush" | "secondaryFlush";

export interface WritePart {
  /** The log write that it is a part of. */
  readonly of: SplitStage;
  readonly part: "queue" | "device" | "completion";
  /** Name on screens. */
  readonly label: string;
  /** Definition for a DBA, in one sentence. */
  readonly definition: string;
  /** Events that its time is taken from. */
  readonly source: string;
}

const { flushStart, fileWriteEnqueued, fileWriteCompleted, flushComplete } = EventName;

const PARTS = {
  queue: {
    part: "queue",
    label: "SQL Server's queue",
    definition:
      "SQL Server has begun the log write and has not handed it to the operating system. This is part of the log write.",
    source: `${flushStart} to the first ${fileWriteEnqueued}`,
  },
  device: {
    part: "device",
    label: "Device",
    definition: "The operating system and the log disk write the log block. This is part of the log write.",
    source: `the first ${fileWriteEnqueued} to the last ${fileWriteCompleted}`,
  },
  completion: {
    part: "completion",
    label: "Completion",
    definition: "The log block is written and SQL Server ends the log write. This is part of the log write.",
    source: `the last ${fileWriteCompleted} to ${flushComplete}`,
  },
} as const satisfies Record<string, Omit<WritePart, "of">>;

const WRITE_PARTS_BY_ID: Readonly<Record<WritePartId, WritePart>> = {
  localQueue: { of: "localFlush", ...PARTS.queue },
  localDevice: { of: "localFlush", ...PARTS.device },
  localCompletion: { of: "localFlush", ...PARTS.completion },
  secondaryQueue: { of: "secondaryFlush", ...PARTS.queue },
  secondaryDevice: { of: "secondaryFlush", ...PARTS.device },
  secondaryCompletion: { of: "secondaryFlush", ...PARTS.completion },
};

export const writePart = (id: WritePartId): WritePart => WRITE_PARTS_BY_ID[id];

/** True for a text that is the id of a part of a log write. */
export const isWritePart = (id: string): id is WritePartId => Object.hasOwn(WRITE_PARTS_BY_ID, id);

/** The parts of a log write, in their order. */
export const partsOf = (stage: SplitStage): readonly WritePartId[] =>
  WRITE_PART_IDS.filter((id) => WRITE_PARTS_BY_ID[id].of === stage);
