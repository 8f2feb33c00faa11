/** D1 and D2 where single log writes hung, and D16's note for a silence in which commits were expected. */
import { describe, expect, it } from "vitest";
import { modelOf, withCommitMode, withPauses, type BlockSpec, type HopSpec } from "../../../test/model.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { diagnose } from "../diagnose.ts";

/** 400 blocks in 20 s; the way of the one at 10 s to each secondary differs. */
const capture = (
  changed: Partial<BlockSpec>,
  hops: readonly Partial<HopSpec>[] = [{}],
  secondaries = 1,
): CaptureModel =>
  modelOf(
    Array.from({ length: 400 }, (_, i): BlockSpec => ({
      at: i * 50_000,
      ...(i === 200 && { ...changed, hops }),
    })),
    { secondaries },
  );

const plain = (text: string): string => text.replaceAll("\u00A0", " ");
const found = (model: CaptureModel) =>
  diagnose(model).findings.filter(({ threshold }) => plain(threshold) === "a log write over 500 ms");

describe("a log write that hung", () => {
  it("is named on the primary from half a second on", () => {
    expect(found(capture({ localFlush: 499_999 }))).toEqual([]);
    expect(found(capture({ localFlush: 30_000_000 }))).toMatchObject([
      {
        rule: "D1",
        cause: "primary_disk",
        severity: "slow",
        replica: 0,
        window: { from: 10_000_050, to: 40_000_050 },
      },
    ]);
    expect(plain(found(capture({ localFlush: 30_000_000 }))[0].sentence)).toBe(
      "A log write on SQL1 took 30.0 s between 02:17:05 and 02:17:35.",
    );
  });

  it("is named on the secondary whose write it is, of two", () => {
    const model = capture({}, [{}, { flush: 2_000_000 }], 2);
    expect(found(model)).toMatchObject([
      { rule: "D2", cause: "secondary_disk", severity: "slow", replica: 2 },
    ]);
    expect(plain(found(model)[0].sentence)).toContain("A log write on SQL3 took 2.00 s");
    expect(diagnose(model)).toMatchObject({ cause: "secondary_disk", replica: 2 });
  });

  it("has no severity where no commit waits for that replica", () => {
    const model = withCommitMode(capture({}, [{}, { flush: 2_000_000 }], 2), 2, "async");
    expect(found(model)).toMatchObject([{ replica: 2, severity: "none" }]);
  });

  it("is counted with others, and has the database where it is one of two", () => {
    const model = modelOf(
      Array.from({ length: 400 }, (_, i): BlockSpec => ({
        at: i * 50_000,
        localFlush: i === 100 ? 600_000 : i === 200 ? 900_000 : 2_000,
      })),
    );
    expect(plain(found(model)[0].sentence)).toMatch(
      /^2 log writes on SQL1 took over 500 ms: the longest took 900 ms between /u,
    );
    model.blocks.database.fill(1, 100, 201);
    const both = { ...model, databases: [model.databases[0], { ...model.databases[0], id: "db2" }] };
    expect(found(both)).toMatchObject([{ database: 1 }]);
    // The window contains blocks of both databases, so neither is named.
    both.blocks.database.fill(0, 100, 101);
    expect(found({ ...both })).toMatchObject([{ database: null }]);
  });

  it("is none where the server stood still, or its counter stepped", () => {
    const model = capture({}, [{ flush: 2_000_000 }]);
    expect(found(withPauses(model, [[1, 10_000_000, 12_100_000]]))).toEqual([]);
    const [clock] = model.clocks;
    const [window] = clock.windows;
    const windows = [
      { ...window, to: 11_000_000 },
      { ...window, from: 11_000_000, offsetUs: window.offsetUs + 1_900_000 },
    ];
    expect(found({ ...model, clocks: [{ ...clock, windows }] })).toEqual([]);
  });
});

describe("D16's note of a time without any event", () => {
  /** A commit each 20 ms, and none for a while from 10 s on. @param every how often such a time recurs, blocks */
  const silent = (us: number, every = 500, eachUs = 20_000): CaptureModel => {
    let at = 0;
    return modelOf(
      Array.from({ length: 1_000 }, (_, i): BlockSpec => {
        at += i > 0 && i % every === 0 ? us : eachUs;
        return { at };
      }),
    );
  };
  const notes = (model: CaptureModel): string[] =>
    diagnose(model)
      .findings.filter(({ rule }) => rule === "D16")
      .map(({ severity, sentence }) => `${severity}: ${plain(sentence)}`);

  it("names the time and how many commits there are around it, without a severity", () => {
    expect(notes(silent(2_500_000))).toEqual([
      "none: No server has an event for 2.50 s between 02:17:05 and 02:17:08, with 50 commits per second before and after.",
    ]);
  });

  it("is none of a time in which hardly a commit was to be expected, nor of an idle database, nor of how a load is", () => {
    expect(notes(silent(450_000))).toEqual([]);
    expect(notes(silent(2_500_000, 500, 300_000))).toEqual([]);
    expect(notes(silent(11_000_000))).toEqual([]);
    expect(notes(silent(2_500_000, 200))).toEqual([]);
  });
});
