import type { CaptureFile } from "@aglens/contract";

/** Result of recognizing a file. */
export type Recognized = Pick<
  CaptureFile,
  | "kind"
  | "message"
  | "gaps"
  | "events"
  | "from"
  | "to"
  | "detectedRole"
  | "evidence"
  | "replicaId"
  | "partnerIds"
  | "replicaNames"
  | "databaseNames"
  | "groupNames"
  | "identity"
  | "unclaimed"
  | "evidenceFile"
> & {
  /** Bytes of the file that replaces an uploaded text, or has the facts of another file. */
  readonly size?: number;
  /** Data that such facts lack; absent for any other file. */
  readonly dropped?: CaptureFile["dropped"];
};

/** Every kind of file starts from this. */
export const NOTHING = {
  message: null,
  gaps: [],
  events: 0,
  from: null,
  to: null,
  detectedRole: "unknown",
  evidence: "",
  replicaId: null,
  partnerIds: [],
  replicaNames: {},
  databaseNames: {},
  groupNames: [],
  identity: null,
} satisfies Omit<Recognized, "kind">;

/** An unused file, with a sentence that states the reason. */
export function unreadable(message: string): Recognized {
  return { ...NOTHING, kind: "unreadable", message };
}
