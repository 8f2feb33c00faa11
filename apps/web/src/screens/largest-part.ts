import type { SlowBlock, SlowCommit, Summary } from "@aglens/contract";
import { REMOTE_STAGE_IDS } from "@aglens/ag-model/replication";
import { barPieces } from "../charts/block-pieces.ts";
import { type ReplicaNames, type StageToken, stageToken, stageWords } from "../lanes/palette.ts";

type Servers = Pick<Summary, "replicas">;

/** A stage of a block, as tables name it. */
export interface Part {
  readonly label: string;
  readonly token: StageToken;
  readonly us: number | null;
}

/**
 * Largest stage of the remote path; without the secondary's file its part and the network's are one, and what a server stood still
 * for is no stage's.
 */
export function largestPart(block: SlowBlock, names: ReplicaNames, summary: Servers): Part | null {
  const { stages, largest } = block;
  const paused = pausedPart(block, summary);
  if (paused !== null) return paused;
  const hidden = barPieces(stages).find(({ token }) => token === "--wait");
  if (hidden && hidden.duration > (largest === null ? 0 : (stages[largest] ?? 0)))
    return { label: `Network and ${names.secondary}`, token: hidden.token, us: hidden.duration };
  if (largest === null) return null;
  return { label: stageWords(largest, names), token: stageToken(largest), us: stages[largest] ?? null };
}

/** The server that stood still for more of a path than any other stage of it took; null for none. */
export function pausedPart(
  { stages, paused }: Pick<SlowBlock, "stages" | "paused"> | SlowCommit["paths"][number],
  { replicas }: Servers,
): (Part & { readonly server: string }) | null {
  if (paused === null) return null;
  const us = Object.values(paused.stages).reduce((sum, each) => sum + each, 0);
  const others = REMOTE_STAGE_IDS.filter((id) => paused.stages[id] === undefined);
  if (us <= Math.max(0, ...others.map((id) => stages[id] ?? 0))) return null;
  const server = replicas[paused.replica]?.name ?? "A server";
  return { label: `${server} stood still`, token: "--wait", us, server };
}
