import { oncePerModel, stageColumn } from "../columns/index.ts";
import { statisticsOf, type Statistics } from "../numbers/index.ts";
import { replicaOfSlot } from "../replication/slots.ts";
import type { StageId } from "../replication/stages.ts";
import type { CaptureModel } from "../replication/tables.ts";

/** The blocks of the phases in which one server is the primary. */
export interface PrimaryRole {
  /** Index into the model's replicas. */
  readonly replica: number;
  /** Indexes into the model's phases. */
  readonly phases: ReadonlySet<number>;
}

/** The way of log blocks from one server to another and back, in the phases in which it exists. */
export interface Path extends PrimaryRole {
  /** The secondary: index into the model's replicas. */
  readonly replica: number;
  readonly primary: PrimaryRole;
  /** Index into the model's hops: the slot of the secondary in blocks of this primary. */
  readonly secondary: number;
  /** False for an asynchronous replica: no commit waits for it. */
  readonly isWaitedFor: boolean;
}

/** Every server that is the primary in some phase, in order of the phases. */
export const primariesOf = (model: CaptureModel): readonly PrimaryRole[] =>
  oncePerModel(model, "diagnosis/primaries", () =>
    [...new Set(model.phases.map(({ primary }) => primary))].map((replica) => ({
      replica,
      phases: new Set([...model.phases.keys()].filter((phase) => model.phases[phase].primary === replica)),
    })),
  );

/** Every path of a capture. A replica that a primary sent nothing in a phase is no path of it there. */
export const pathsOf = (model: CaptureModel): readonly Path[] =>
  oncePerModel(model, "diagnosis/paths", () =>
    primariesOf(model).flatMap((primary) =>
      model.hops.flatMap((_, secondary): Path[] => {
        const phases = [...primary.phases].filter(
          (phase) => (model.phases[phase].commitModes[secondary] ?? null) !== null,
        );
        if (phases.length === 0) return [];
        return [
          {
            replica: replicaOfSlot(primary.replica, secondary),
            primary,
            secondary,
            phases: new Set(phases),
            isWaitedFor: phases.some((phase) => model.phases[phase].commitModes[secondary] !== "async"),
          },
        ];
      }),
    ),
  );

/** Paths whose acknowledgement commits may wait for. */
export const pathsWaitedFor = (model: CaptureModel): readonly Path[] =>
  pathsOf(model).filter(({ isWaitedFor }) => isWaitedFor);

export const replicaName = (model: CaptureModel, replica: number): string =>
  model.replicas[replica]?.name ?? `Replica ${replica}`;

/** Key of a path or a primary in what is computed once per model. */
export const keyOf = (role: PrimaryRole | Path): string =>
  "primary" in role ? `${role.primary.replica}>${role.replica}` : `${role.replica}`;

/** Durations of a stage in the phases of a path or a primary, µs, one per block row; NaN in any other row. */
export const stageOf = (model: CaptureModel, role: PrimaryRole | Path, id: StageId): Float64Array => {
  const whole = stageColumn(model, "secondary" in role ? role.secondary : 0, id);
  if (role.phases.size === model.phases.length) return whole;
  return oncePerModel(model, `diagnosis/stage/${keyOf(role)}/${id}`, () =>
    whole.map((us, row) => (role.phases.has(model.blocks.phase[row]) ? us : Number.NaN)),
  );
};

/** Statistics of `stageOf`. */
export const statisticsOfStage = (model: CaptureModel, role: PrimaryRole | Path, id: StageId): Statistics =>
  oncePerModel(model, `diagnosis/statistics/${keyOf(role)}/${id}`, () =>
    statisticsOf(stageOf(model, role, id)),
  );

/** Whether a row is of the phases of a path or a primary. */
export const isRowOf = (model: CaptureModel, { phases }: PrimaryRole, row: number): boolean =>
  phases.has(model.blocks.phase[row]);
