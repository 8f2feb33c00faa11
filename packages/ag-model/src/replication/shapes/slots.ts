import type { CaptureModel } from "./tables.ts";

/**
 * Maps the hops of a block to replicas. Hops are slots, one fewer than replicas, because a block's primary sends to
 * every replica but itself, and the primary differs by phase and availability group. Replica 0 takes the slot of the
 * block's own primary; every other replica keeps slot `replica - 1`. So while replica 0 is the primary, slot s leads to
 * replica s + 1, and after a failover between two replicas slot 0 leads back to the first.
 */

/** Index in `CaptureModel.replicas` of the replica that slot `slot` of a block leads to. @param primary of that block */
export const replicaOfSlot = (primary: number, slot: number): number => (slot + 1 === primary ? 0 : slot + 1);

/** Slot of the hop that leads to `replica`, which is not `primary`. @param primary of the block */
export const slotOfReplica = (primary: number, replica: number): number =>
  (replica === 0 ? primary : replica) - 1;

/** Columns that are needed to find the primary of a block. */
type WithPhases = Pick<CaptureModel, "phases"> & { readonly blocks: Pick<CaptureModel["blocks"], "phase"> };

/** Index of the replica that was the primary of the block in a row. */
export const primaryOfBlock = ({ blocks, phases }: WithPhases, row: number): number =>
  phases[blocks.phase[row]].primary;

/** Index of the replica that a slot of the block in a row leads to. */
export const replicaOfHop = (model: WithPhases, row: number, slot: number): number =>
  replicaOfSlot(primaryOfBlock(model, row), slot);
