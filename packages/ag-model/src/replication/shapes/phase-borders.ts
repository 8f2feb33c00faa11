/**
 * Differences between one phase of a database and the next: the primary, or only the replicas that commits wait for.
 */
import { replicaOfSlot } from "./slots.ts";
import type { CommitMode, Phase } from "./tables.ts";

/** A replica that commits wait for from a border on, or no longer. */
export interface ChangedMode {
  /** Index into `CaptureModel.replicas`. */
  readonly replica: number;
  readonly mode: CommitMode;
}

/** Two phases that follow each other; indices into `CaptureModel.phases`. */
export type PhaseBorder = { readonly before: number; readonly after: number } & (
  | { readonly kind: "roleChange" }
  | { readonly kind: "modeChange"; readonly changed: readonly ChangedMode[] }
);

/** The borders between phases of the same databases, in the order in which the later phase begins; none between groups side by side. */
export function phaseBorders(
  phases: readonly Pick<Phase, "databases" | "primary" | "commitModes">[],
): PhaseBorder[] {
  return phases.flatMap((next, after): PhaseBorder[] => {
    const before = phases.findLastIndex(
      ({ databases }, k) => k < after && databases.some((d) => next.databases.includes(d)),
    );
    if (before < 0) return [];
    const last = phases[before];
    if (last.primary !== next.primary) return [{ kind: "roleChange", before, after }];
    const changed = next.commitModes.flatMap((mode, slot) =>
      mode === null || isWaitedFor(mode) === isWaitedFor(last.commitModes[slot])
        ? []
        : [{ replica: replicaOfSlot(next.primary, slot), mode }],
    );
    return changed.length === 0 ? [] : [{ kind: "modeChange", before, after, changed }];
  });
}

const isWaitedFor = (mode: CommitMode | null): boolean => mode !== "async";
