import { expect, test } from "vitest";
import type { Progress } from "@aglens/contract";
import type { AnalyzedFile } from "./analyzed-file.ts";
import { progressOf } from "./progress.ts";

const file = (id: string, size: number): AnalyzedFile => ({ id, size }) as AnalyzedFile;

test("a file that is read a second time, because its databases showed late, takes nothing back", () => {
  const reports: Progress[] = [];
  const progress = progressOf([file("a", 100), file("b", 50)], (report) => void reports.push(report));
  progress.file("a", 100, 8, "2026-03-01T00:00:09Z");
  progress.file("b", 50, 4, null);
  // From the beginning again.
  progress.file("a", 10, 1, "2026-03-01T00:00:01Z");
  progress.phase("decode");
  expect(reports.at(-1)).toMatchObject({
    bytesDone: 150,
    bytesTotal: 150,
    events: 12,
    files: [
      { id: "a", bytesDone: 100, events: 8, at: "2026-03-01T00:00:09Z" },
      { id: "b", bytesDone: 50, events: 4, at: null },
    ],
  });
  for (const [i, { bytesDone }] of reports.entries())
    expect(bytesDone).toBeGreaterThanOrEqual(reports[i - 1]?.bytesDone ?? 0);
});

test("the number of blocks belongs to the phase that counts them", () => {
  const reports: Progress[] = [];
  const progress = progressOf([file("a", 100)], (report) => void reports.push(report));
  progress.phase("join", 40);
  progress.phase("roles");
  expect(reports.map(({ phase, blocks }) => [phase, blocks])).toEqual([
    ["join", 40],
    ["roles", 0],
  ]);
});
