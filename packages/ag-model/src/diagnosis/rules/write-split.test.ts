import { expect, test } from "vitest";
import { modelOf } from "../../../test/model.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { diagnose } from "../diagnose.ts";
import type { Verdict } from "../verdict.ts";

/** 40 log writes of 40 ms on the secondary, the first `split` of them with these parts, µs. */
function verdictWith(queue: number, completion: number, split = 40): Verdict {
  const model = modelOf(
    Array.from({ length: 40 }, (_, i) => ({ at: i * 100_000, hops: [{ flush: 40_000 }] })),
  );
  return diagnose(withParts(model, queue, completion, split));
}

const withParts = (model: CaptureModel, queue: number, completion: number, split: number): CaptureModel => ({
  ...model,
  hops: model.hops.map((hop) => ({
    ...hop,
    writeQueue: hop.writeQueue.map((_, row) => (row < split ? queue : Number.NaN)),
    writeCompletion: hop.writeCompletion.map((_, row) => (row < split ? completion : Number.NaN)),
  })),
});

const plain = (text: string): string => text.replaceAll("\u00A0", " ");
const sentencesOf = ({ sentence, findings }: Verdict): string =>
  plain([sentence, ...findings.map((finding) => finding.sentence)].join(" "));

test("the device is named where it takes most of slow log writes", () => {
  // 40 ms less 3 ms in the queue and 1 ms of completion: 36 of 40.
  const verdict = verdictWith(3_000, 1_000);
  expect(plain(verdict.sentence)).toContain("The device takes 90 % of the time of slow log writes on SQL2.");
  const finding = verdict.findings.find(({ rule }) => rule === "D2");
  expect(plain(finding!.sentence)).toContain("The device takes 90 %");
  expect(
    verdict.evidence.map((figure) => plain(`${figure.before} ${figure.value} ${figure.after}`)),
  ).toContain("device 90 % of the time of slow log writes");
  expect(verdict.checkNext.join(" ")).not.toContain("sys.dm_os_schedulers");
});

test("SQL Server's queue is named where it takes most, with its check first", () => {
  const verdict = verdictWith(30_000, 1_000);
  expect(plain(verdict.sentence)).toContain(
    "SQL Server's queue takes 75 % of the time of slow log writes on SQL2.",
  );
  expect(verdict.checkNext[0]).toContain("sys.dm_os_schedulers");
});

test("no part is named where none takes half", () => {
  expect(sentencesOf(verdictWith(19_000, 2_100))).not.toMatch(/takes \d+ % of the time/u);
});

test("no part is named where the parts of most slow log writes are unknown", () => {
  expect(sentencesOf(verdictWith(3_000, 1_000, 20))).toContain("The device takes 90 %");
  expect(sentencesOf(verdictWith(3_000, 1_000, 19))).not.toContain("The device");
});

test("without file writes the verdict says nothing of parts", () => {
  expect(sentencesOf(verdictWith(0, 0, 0))).not.toMatch(/device|queue takes/u);
});
