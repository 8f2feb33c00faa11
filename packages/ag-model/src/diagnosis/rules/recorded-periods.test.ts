import { expect, test } from "vitest";
import { modelOf } from "../../../test/model.ts";
import type { CaptureModel, SourceFile } from "../../replication/shapes/tables.ts";
import { diagnose } from "../diagnose.ts";
import { recordedPeriods } from "./recorded-periods.ts";

const HOUR = 3_600_000_000;
type Spans = readonly (readonly [from: number, to: number])[];

/** Files of two servers, each from one hour to another. */
function capture(...servers: readonly Spans[]): CaptureModel {
  const model = modelOf([{ at: 0 }, { at: 1_000_000 }]);
  const files = servers.flatMap((spans, replica) =>
    spans.map((_, i): SourceFile => ({ name: `${replica} ${i}.xel`, size: 1, events: 1, gaps: [], replica })),
  );
  const spans = servers.flat().map(([from, to]) => ({ from: from * HOUR, to: to * HOUR }));
  return { ...model, files, events: { length: 0, runs: [], spans: { files: spans, silences: [[], []] } } };
}

const told = (model: CaptureModel) => recordedPeriods(model)?.sentence.replaceAll("\u00A0", " ") ?? null;

test("files of two nights are said to be so, with the files to choose instead", () => {
  const nights = capture(
    [
      [0, 0.5],
      [24, 24.5],
    ],
    [
      [0.1, 0.4],
      [23.9, 24.6],
    ],
  );
  expect(told(nights)).toBe(
    "The files contain 2 periods, 23 h 24 min apart, and figures mix them. Analyze the files of each period separately.",
  );
  expect(recordedPeriods(nights)?.checkNext.map((text) => text.replaceAll("\u00A0", " "))).toEqual([
    "Choose files up to 6 May 02:46:55, or files from 7 May 02:10:55 on",
  ]);
  const verdict = diagnose(nights);
  expect(verdict.sentence).toMatch(/^The files contain 2 periods/u);
  expect(verdict.findings[0]).toMatchObject({ rule: "D13", cause: "data_quality", severity: "notice" });
});

test("three periods have two times between them", () => {
  expect(
    told(
      capture(
        [
          [0, 1],
          [3, 4],
          [9, 10],
        ],
        [
          [0, 1],
          [3, 4],
          [9, 10],
        ],
      ),
    ),
  ).toBe(
    "The files contain 3 periods, up to 5 h 00 min apart, and figures mix them. Analyze the files of each period separately.",
  );
});

test("rollover files, a time of less than an hour, and one that another server recorded are one period", () => {
  expect(
    told(
      capture(
        [
          [0, 1],
          [1, 2],
        ],
        [[0, 2]],
      ),
    ),
  ).toBeNull();
  expect(
    told(
      capture(
        [
          [0, 1],
          [1.99, 3],
        ],
        [
          [0, 1],
          [1.99, 3],
        ],
      ),
    ),
  ).toBeNull();
  expect(
    told(
      capture(
        [
          [0, 1],
          [2, 3],
        ],
        [
          [0, 1],
          [2, 3],
        ],
      ),
    ),
  ).not.toBeNull();
  expect(
    told(
      capture(
        [
          [0, 1],
          [5, 6],
        ],
        [[0, 6]],
      ),
    ),
  ).toBeNull();
  // Each server has its own gap, and the gaps do not overlap.
  expect(
    told(
      capture(
        [
          [0, 1],
          [3, 6],
        ],
        [
          [0, 3.5],
          [6, 7],
        ],
      ),
    ),
  ).toBeNull();
});
