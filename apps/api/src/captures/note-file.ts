/** The note beside a capture's files (`capture-notes.ts`): its key among the capture's blobs. */
export const NOTE_FILE = "capture.json";
