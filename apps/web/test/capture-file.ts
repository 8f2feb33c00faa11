import type { CaptureFile } from "@aglens/contract";

/** A valid .xel file of the primary, except for the given changes. */
export function captureFile(change: Partial<CaptureFile> = {}): CaptureFile {
  return {
    id: "f",
    name: "a.xel",
    folder: null,
    path: "",
    sha256: "",
    dropped: { values: 0, bytes: 0 },
    size: 1,
    kind: "xel",
    message: null,
    gaps: [],
    events: 10,
    from: null,
    to: null,
    detectedRole: "primary",
    evidence: "",
    replicaId: null,
    partnerIds: [],
    replicaNames: {},
    databaseNames: {},
    groupNames: [],
    identity: null,
    given: {},
    role: "primary",
    replica: "SQL1",
    ...change,
  };
}
