/** The copy of a capture's record beside its files (`record-copies.ts`): its key among the capture's blobs. */
export const RECORD_COPY_FILE = "capture.json";
