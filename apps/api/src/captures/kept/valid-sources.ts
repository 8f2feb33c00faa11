/** Verifies that stored files have not changed since they were stored. */
import { problem, ProblemError } from "@aglens/engine/problems";
import { damageOfFile } from "../../store/checksum.ts";
import type { Checksum } from "../../store/checksum.ts";
import { AnalysisError } from "@aglens/engine/analysis";

/** A file that was sent, as it should be. */
export interface SourceToCheck {
  readonly name: string;
  readonly path: string;
  readonly checksum: Checksum;
}

/** Name of the place with the received files, and the device to check when one is damaged; both for sentences. */
interface FileKeeper {
  readonly name: string;
  readonly checked: string;
}

const OWN_DISK: FileKeeper = { name: "the API's data directory", checked: "that disk" };
/** Keeper of files that were fetched from the bucket just now. */
export const BUCKET: FileKeeper = { name: "the bucket of AG Lens's files", checked: "that bucket" };

/** @throws AnalysisError for the first file that is not as it was received */
export async function expectValidSources(
  sources: readonly SourceToCheck[],
  keeper: FileKeeper = OWN_DISK,
): Promise<void> {
  for (const { name, path, checksum } of sources) {
    const damage = await damageOfFile(path, checksum);
    if (damage === null) continue;
    throw new AnalysisError(
      "damaged-source",
      `${name} ${damage}: it was damaged in ${keeper.name} after it was received. Add the file again, and have ${keeper.checked} checked.`,
    );
  }
}

/** The error for a client. @param damage for a sentence that begins with the file's name */
export function tablesDamaged(name: string, damage: string): ProblemError {
  return problem(
    "capture-damaged",
    `The stored analysis of this capture is damaged: ${name} ${damage}. It is analyzed again from its files; wait for its end.`,
  );
}

/** Whether the files of an analysis on the disk differ from the stored ones. */
export function isDamage(error: unknown): error is ProblemError {
  return error instanceof ProblemError && error.problem.code === "capture-damaged";
}
