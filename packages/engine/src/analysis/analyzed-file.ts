import type { CaptureFile } from "@aglens/contract";

/** What the analysis needs to know of a file. */
export type AnalyzedFile = Pick<CaptureFile, "id" | "name" | "size" | "role" | "replica" | "from"> &
  Partial<Pick<CaptureFile, "replicaNames" | "databaseNames" | "groupNames">> & {
    /** What could not be read of the upload; where that was text, the .xel file in its place has no gaps of its own. */
    readonly gaps?: CaptureFile["gaps"];
    /** Where it is known before the file is read. */
    readonly to?: CaptureFile["to"];
  };
