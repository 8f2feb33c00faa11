import { perModel } from "../columns/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";

/** The way of log blocks to one replica and back. */
export interface Path {
  /** Index into the model's replicas. */
  readonly replica: number;
  /** Index into the model's hops. */
  readonly secondary: number;
  /** False for an asynchronous replica: no commit waits for it. */
  readonly isWaitedFor: boolean;
}

/** Every path of a capture with one phase; a replica that the primary sent no block has no path. */
export const pathsOf = perModel((model: CaptureModel): readonly Path[] =>
  model.phases[0].commitModes.flatMap((mode, secondary) =>
    mode === null ? [] : [{ replica: secondary + 1, secondary, isWaitedFor: mode !== "async" }],
  ),
);

/** Paths whose acknowledgment commits may wait for. */
export const pathsWaitedFor = (model: CaptureModel): readonly Path[] =>
  pathsOf(model).filter(({ isWaitedFor }) => isWaitedFor);

export const replicaName = (model: CaptureModel, replica: number): string =>
  model.replicas[replica]?.name ?? `Replica ${replica}`;
