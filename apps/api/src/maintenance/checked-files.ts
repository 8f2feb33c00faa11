/** Place of captures' files for a check. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CAPTURES_FOLDER } from "../store/blobs.ts";
import { damageOfFile, damageOfSize } from "../store/checksum.ts";
import type { Checksum } from "../store/checksum.ts";

/** A file as its capture's record has it; null as the checksum of one that an earlier version stored. */
export interface FileToCheck {
  readonly key: string;
  readonly bytes: number;
  readonly checksum: Checksum | null;
}

export interface CheckedFiles {
  /** Damage of a file, for a sentence that begins with its name; null when it is valid. */
  damage(captureId: string, file: FileToCheck): Promise<string | null>;
  keys(captureId: string): Promise<string[]>;
  /** Ids of captures that have files. */
  captures(): Promise<string[]>;
}

/** @param directory the data directory */
export function filesInDirectory(directory: string): CheckedFiles {
  const captures = join(directory, CAPTURES_FOLDER);
  return {
    damage: (captureId, { key, bytes, checksum }) => {
      const path = join(captures, captureId, key);
      return checksum === null ? damageOfSize(path, bytes) : damageOfFile(path, checksum);
    },
    keys: (captureId) => readdir(join(captures, captureId)).catch(() => []),
    captures: () => readdir(captures).catch(() => []),
  };
}
