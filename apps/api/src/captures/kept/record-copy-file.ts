/** Key of the copy of a capture's record, which is stored next to its files (`record-copies.ts`). */
export const RECORD_COPY_FILE = "capture.json";
