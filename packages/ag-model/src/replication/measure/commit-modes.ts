/** Finds the replicas that the commits of each phase wait for (docs/contribute/model/stages.md 4.5). */
import { countModeEvidence, modeOf, type ModeEvidence } from "../join/commits.ts";
import type { Joined } from "../join/join.ts";
import { replicaOfSlot, slotOfReplica } from "../shapes/slots.ts";
import type { CommitMode } from "../shapes/tables.ts";
import type { Topology } from "../shapes/topology.ts";

/**
 * Per phase and slot: the mode in the topology, else the mode that the commits of the group show; null where the
 * primary sent no block to that replica.
 */
export function commitModesOf(joined: Joined, topology: Topology | undefined): (CommitMode | null)[][] {
  const { phases, phaseOf, hops, local, commits, groups, replicas } = joined;
  const evidence = evidenceByPhase(joined);
  const isChanged = (group: number, slot: number, primary: number): boolean =>
    phases.some(
      (phase) =>
        phase.group === group &&
        phase.primary !== replicaOfSlot(primary, slot) &&
        (phase.eras?.[slotOfReplica(phase.primary, replicaOfSlot(primary, slot))] ?? 0) > 0,
    );
  for (const each of commits)
    countModeEvidence(each, local, hops, (row, slot) => evidence[phaseOf[row]][slot]);
  const isSent = departures(joined);
  return phases.map(({ primary, group }, phase) =>
    hops.map((_, slot) => {
      if (!isSent[phase][slot]) return null;
      const ids = replicas[replicaOfSlot(primary, slot)].ids.filter((id) => groups.members[group].has(id));
      const listed = ids.map((id) => topology?.replicas.get(id)?.commitMode).find((mode) => mode);
      // A topology has one mode, that of the time at which it was written.
      const shown = modeOf(evidence[phase][slot]);
      if (!isChanged(group, slot, primary)) return listed ?? shown;
      return shown === "async" ? "async" : "sync";
    }),
  );
}

/** Per phase and slot: the counts there; phases of one group share them for each replica until its mode changes. */
function evidenceByPhase({ phases, hops }: Joined): ModeEvidence[][] {
  const evidence = new Map<string, ModeEvidence>();
  return phases.map(({ primary, group, eras }) =>
    hops.map((_, slot) => {
      const key = `${group} ${replicaOfSlot(primary, slot)} ${eras?.[slot] ?? 0}`;
      const own = evidence.get(key) ?? { unsent: 0, known: 0, before: 0, last: 0 };
      evidence.set(key, own);
      return own;
    }),
  );
}

/** Per phase and slot: whether blocks left for that replica, or were seen there. */
function departures({ phases, phaseOf, hops }: Joined): boolean[][] {
  const found = phases.map(() => hops.map(() => false));
  for (const [slot, { obtained }] of hops.entries())
    for (let row = 0; row < obtained.length; row++) if (obtained[row] !== 0) found[phaseOf[row]][slot] = true;
  return found;
}
