import type { SlowBlock } from "@aglens/contract";
import { barPieces } from "../charts/block-pieces.ts";
import { type ReplicaNames, type StageToken, stageToken, stageWords } from "../lanes/palette.ts";

/** A stage of a block, as tables name it. */
interface Part {
  readonly label: string;
  readonly token: StageToken;
  readonly us: number | null;
}

/** Largest stage of the remote path; without the secondary's file its part and the network's are one. */
export function largestPart({ stages, largest }: SlowBlock, names: ReplicaNames): Part | null {
  const hidden = barPieces(stages).find(({ token }) => token === "--wait");
  if (hidden && hidden.duration > (largest === null ? 0 : (stages[largest] ?? 0)))
    return { label: `Network and ${names.secondary}`, token: hidden.token, us: hidden.duration };
  if (largest === null) return null;
  return { label: stageWords(largest, names), token: stageToken(largest), us: stages[largest] ?? null };
}
