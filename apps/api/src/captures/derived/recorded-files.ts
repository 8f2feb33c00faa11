/** All files that a capture has by its record, for programs that check or copy them. */
import { storedFiles } from "../../store/capture-state.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import type { Checksum } from "../../store/checksum.ts";

export interface RecordedFile {
  readonly key: string;
  /** The name that people see: an uploaded file has its own, a derived file its key. */
  readonly name: string;
  readonly bytes: number;
  /** Null for a file that an earlier version received. */
  readonly checksum: Checksum | null;
  /** It can be made again from the files that were sent. */
  readonly isDerived: boolean;
}

/** Files that were sent, without those that are missing, then those that the analysis stored. */
export function recordedFiles(record: CaptureRecord): RecordedFile[] {
  const sent = record.files
    .filter(({ isMissing }) => isMissing !== true)
    .map(({ id, name, size, keptSha256 }): RecordedFile => ({
      key: id,
      name,
      bytes: size,
      checksum: keptSha256 === undefined ? null : { bytes: size, sha256: keptSha256 },
      isDerived: false,
    }));
  const stored = Object.entries(storedFiles(record)).map(([key, checksum]): RecordedFile => ({
    key,
    name: key,
    bytes: checksum.bytes,
    checksum,
    isDerived: true,
  }));
  return [...sent, ...stored];
}
