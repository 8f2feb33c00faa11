/** Who was the primary when: names and replicas of a capture in which roles changed or groups run side by side. */
import { replicaOfSlot } from "@aglens/ag-model/replication";
import type { Sequence, Summary } from "@aglens/contract";

export { primaryMoved } from "@aglens/contract";

type WithPhases = Pick<Summary, "replicas" | "phases">;

const joined = (names: readonly (string | undefined)[]): string | null => {
  const known = names.filter((name, i) => name !== undefined && name !== names[i - 1]);
  return known.length > 0 ? known.join(" \u203A ") : null;
};

/** The primary and each slot's secondary, one after the other where they changed: "SQL1 › SQL2". @param phase null for all */
export function namesOfSlots({ replicas, phases: all }: WithPhases, phase: number | null = null): string[] {
  const phases = phase === null ? all : all.slice(phase, phase + 1);
  const primary = joined(phases.map((phase) => replicas[phase.primary]?.name));
  return replicas.map((replica, index) => {
    if (index === 0) return primary ?? replica.name;
    const slot = index - 1;
    const used = phases.filter((phase) => (phase.commitModes[slot] ?? null) !== null);
    return joined(used.map((phase) => replicas[replicaOfSlot(phase.primary, slot)]?.name)) ?? replica.name;
  });
}

/**
 * Indices of the replicas that had a role, in the order in which they first had it.
 * @param role 0 the primary, s + 1 the replica behind slot s
 */
export function replicasOfRole({ replicas, phases }: WithPhases, role: number): number[] {
  const found = phases.flatMap(({ primary, commitModes }) => {
    if (role === 0) return [primary];
    return (commitModes[role - 1] ?? null) === null ? [] : [replicaOfSlot(primary, role - 1)];
  });
  return found.length > 0 ? [...new Set(found)] : role < replicas.length ? [role] : [];
}

/** The stretch that a view narrows to; null where the capture has none of that number, or only one. */
export const phaseIndex = ({ phases }: Pick<Summary, "phases">, phase: number | null): number | null =>
  phase !== null && phases.length > 1 && phase < phases.length ? phase : null;

/** Index of the phase in which a block of a database began. @param time µs */
export const phaseAt = ({ phases }: Pick<Summary, "phases">, database: number, time: number): number =>
  Math.max(
    0,
    phases.findLastIndex(({ databases, from }) => databases.includes(database) && from <= time),
  );

/** The words of a replica's roles, in the order in which it had them. */
export function rolesOf({ phases }: Pick<Summary, "phases">, replica: number): ("primary" | "secondary")[] {
  const roles = phases.flatMap((phase) => {
    if (phase.primary === replica) return ["primary" as const];
    const isIn = phase.commitModes.some(
      (mode, slot) => mode !== null && replicaOfSlot(phase.primary, slot) === replica,
    );
    return isIn ? ["secondary" as const] : [];
  });
  return roles.filter((role, i) => role !== roles[i - 1]);
}

/**
 * A block's sequence and its capture as the block's own phase has them: replicas[0] is its primary, and slot s leads to
 * replicas[s + 1]. A clock may then be the primary's, against a secondary's: its `secondary` is -1.
 */
export function inItsPhase(
  summary: Summary,
  sequence: Sequence,
): { readonly summary: Summary; readonly sequence: Sequence } {
  const phase = summary.phases[sequence.phase];
  if (phase === undefined || summary.phases.length < 2) return { summary, sequence };
  const order = [phase.primary, ...phase.commitModes.map((_, slot) => replicaOfSlot(phase.primary, slot))];
  const replicas = order.flatMap((index, place) => {
    const replica = summary.replicas[index];
    if (replica === undefined) return [];
    const role = place === 0 ? ("primary" as const) : ("secondary" as const);
    return [{ ...replica, role, commitMode: phase.commitModes[place - 1] ?? replica.commitMode }];
  });
  const clocks = summary.clocks.map((clock) => ({
    ...clock,
    secondary: order.indexOf(clock.secondary + 1) - 1,
    against: order.indexOf(clock.against),
  }));
  return {
    summary: { ...summary, replicas, clocks, phases: [{ ...phase, primary: 0 }] },
    sequence: {
      ...sequence,
      phase: 0,
      events: sequence.events.map((event) => ({ ...event, replica: order.indexOf(event.replica) })),
    },
  };
}
