import { expect, test } from "vitest";
import { captureFile } from "../../../test/capture-file.ts";
import { uselessWords } from "./rest-row.tsx";

const gap = {
  code: "truncated",
  offset: 400,
  bytes: 112,
  message: "The file ends inside its header.",
  before: null,
  after: null,
} as const;

test("a file that was cut inside its header says so, and what helps", () => {
  expect(uselessWords(captureFile({ events: 0, gaps: [gap], detectedRole: "unknown" }))).toBe(
    "holds no event that can be read (the file ends inside its header). It was cut, or copied while the server wrote it: stop the session and copy it again.",
  );
});

test("a session without events of an availability group is named as such", () => {
  const words = uselessWords(captureFile({ events: 1_250, gaps: [], detectedRole: "unknown" }));
  expect(words).toMatch(/^holds 1,250 events, none of them of an availability group/u);
});

test("a file without events says that nothing was recorded", () => {
  expect(uselessWords(captureFile({ events: 0, gaps: [], detectedRole: "unknown" }))).toMatch(
    /^holds no events/u,
  );
});

test("a file with a role may be used, whatever it lost", () => {
  expect(uselessWords(captureFile({ events: 12, gaps: [gap], detectedRole: "primary" }))).toBeNull();
});
