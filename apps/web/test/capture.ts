import type { Capture } from "@aglens/contract";

/** A capture that receives files, except for the given changes. */
export function captureOf(more: Partial<Capture> = {}): Capture {
  return {
    id: "capture",
    name: "Friday evening",
    created: "2026-11-20T10:00:00.0000000Z",
    expires: null,
    state: "receiving",
    files: [],
    groups: [],
    unused: [],
    progress: null,
    problem: null,
    verdict: null,
    severity: null,
    place: null,
    ...more,
  };
}
