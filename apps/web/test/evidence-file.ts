import type { CaptureFile, EvidenceOfFile } from "@aglens/contract";
import { captureFile } from "./capture-file.ts";

/** An evidence file of a server. */
export function evidence(
  name: string,
  kind: EvidenceOfFile["kind"],
  change: Partial<EvidenceOfFile> = {},
  more: Partial<CaptureFile> = {},
): CaptureFile {
  const state = kind === "counterLog" ? "convert" : kind === "clusterLog" ? "notUsed" : "used";
  return captureFile({
    id: `id of ${name}`,
    name,
    kind: "evidence",
    events: 0,
    role: "ignored",
    detectedRole: "unknown",
    size: 1_000,
    ...more,
    evidenceFile: {
      kind,
      server: "SQL1",
      serverFrom: "content",
      utcOffsetMinutes: null,
      state,
      isLocal: kind === "counters" || kind === "errorlog" || kind === "waits",
      use: `Sentence about ${kind}.`,
      events: 0,
      samples: 0,
      notUnderstood: { count: 0, first: [] },
      ...change,
    },
  });
}
