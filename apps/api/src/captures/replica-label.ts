import type { CaptureFile } from "@aglens/contract";

/**
 * The file with the word that groups it with the other files of its replica. Files that name the same replica share a word;
 * a file that names none shares that of its folder, if the folder has files of one replica only. A secondary not seen
 * before gets "Secondary", "Secondary 2" and so on.
 * @param others files of the capture that have their word already, perhaps corrected by the user
 */
export function withReplicaLabel(file: CaptureFile, others: readonly CaptureFile[]): CaptureFile {
  if (file.role !== "secondary") return file;
  const secondaries = others.filter(({ role }) => role === "secondary");
  const same = secondaries.find(({ replicaId }) => replicaId !== null && replicaId === file.replicaId);
  const label = same?.replica ?? labelOfFolder(file, secondaries);
  if (label !== undefined) return { ...file, replica: label };
  if (file.replicaId === null) return file;
  return { ...file, replica: nextLabel(secondaries.map(({ replica }) => replica)) };
}

/** The word of the files in the same folder, when that and the file's own replica do not contradict each other. */
function labelOfFolder(file: CaptureFile, secondaries: readonly CaptureFile[]): string | undefined {
  if (file.folder === null) return undefined;
  const together = secondaries.filter(({ folder }) => folder === file.folder);
  const replicas = new Set([file, ...together].flatMap(({ replicaId }) => replicaId ?? []));
  const labels = new Set(together.map(({ replica }) => replica));
  if (replicas.size > 1 || labels.size > 1) return undefined;
  return together[0]?.replica;
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
