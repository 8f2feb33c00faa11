import type { CaptureFile } from "@aglens/contract";

/** Fields of a file that the analysis uses. */
export type AnalyzedFile = Pick<CaptureFile, "id" | "name" | "size" | "role" | "replica" | "from"> &
  Partial<Pick<CaptureFile, "replicaNames" | "databaseNames" | "groupNames">> & {
    /** Unreadable parts of the upload; where that was text, the .xel file in its place has no gaps of its own. */
    readonly gaps?: CaptureFile["gaps"];
    /** Time of the last event, if it is known before the file is read. */
    readonly to?: CaptureFile["to"];
  };
