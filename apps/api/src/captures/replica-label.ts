import type { CaptureFile } from "@aglens/contract";

/**
 * The file with the word that groups it with the other files of its replica: files that name the same replica share a
 * word, a secondary not seen before gets "Secondary", "Secondary 2" and so on. What names no replica keeps its word.
 * @param others files of the capture that have their word already, perhaps corrected by the user
 */
export function withReplicaLabel(file: CaptureFile, others: readonly CaptureFile[]): CaptureFile {
  if (file.role !== "secondary" || file.replicaId === null) return file;
  const secondaries = others.filter(({ role, replicaId }) => role === "secondary" && replicaId !== null);
  const known = secondaries.find(({ replicaId }) => replicaId === file.replicaId);
  return { ...file, replica: known?.replica ?? nextLabel(secondaries.map(({ replica }) => replica)) };
}

function nextLabel(taken: readonly string[]): string {
  let label = "Secondary";
  for (let count = 2; taken.includes(label); count += 1) label = `Secondary ${count}`;
  return label;
}

/** Whether a word is one that `withReplicaLabel` or the kind of file gave, so that a better name may be shown. */
export function isGivenLabel(label: string): boolean {
  return /^(?:primary|secondary(?: \d+)?)$/iu.test(label);
}
