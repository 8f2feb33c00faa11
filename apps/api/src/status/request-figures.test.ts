import { expect, test } from "vitest";
import { MINUTES, RequestFigures } from "./request-figures.ts";

const MINUTE_MS = 60_000;

function figures() {
  let now = 1_000 * 3_600_000;
  const kept = new RequestFigures(() => now);
  const answer = (ms: number, change: object = {}, isStream = false): void =>
    kept.answered(
      { method: "GET", route: "/api/v1/captures", status: 200, bytes: 100, ms, ...change },
      isStream,
    );
  return { kept, answer, pass: (ms: number) => (now += ms) };
}

test("p95 is of the last five minutes, and each minute has its own", () => {
  const { kept, answer, pass } = figures();
  expect(kept.answerMs().p95).toBeNull();
  for (let i = 1; i <= 100; i++) answer(i);
  // The value of rank 95 of 1 to 100 ms, to the histogram's three digits.
  expect(kept.answerMs().p95).toBeCloseTo(95, 0);
  pass(4 * MINUTE_MS);
  answer(500);
  expect(kept.answerMs().p95).toBeCloseTo(96, 0);
  pass(MINUTE_MS);
  expect(kept.answerMs().p95).toBeCloseTo(500, 0);
  const { minutes } = kept.answerMs();
  expect(minutes).toHaveLength(MINUTES);
  expect(minutes.at(-1)).toBeNull();
  expect(minutes.at(-6)).toBeCloseTo(95, 0);
});

test("streams, uploads and pages are no answer times; refusals of all of the API are counted", () => {
  const { kept, answer } = figures();
  answer(9_000, {}, true);
  answer(9_000, { method: "POST", status: 403 });
  answer(9_000, { route: "/*", status: 404 });
  expect(kept.answerMs().p95).toBeNull();
  expect(kept.refusals()).toEqual({ refused: 1, requests: 2, hours: 0 });
});

test("requests are counted for 24 hours", () => {
  const { kept, answer, pass } = figures();
  answer(1, { status: 500 });
  pass(23 * 60 * MINUTE_MS);
  answer(1);
  expect(kept.refusals()).toEqual({ refused: 1, requests: 2, hours: 23 });
  pass(60 * MINUTE_MS);
  expect(kept.refusals()).toEqual({ refused: 0, requests: 1, hours: 24 });
});
