/** Sentences that apply to every capture: they appear once, and never among the findings. */
import { describe, expect, it } from "vitest";
import { modelOf } from "../../../test/model.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { diagnose, diagnosePhase } from "../index.ts";

const plain = (texts: readonly string[] | undefined): string[] | undefined =>
  texts?.map((text) => text.replaceAll("\u00A0", " "));
const measuredOf = (model: CaptureModel) => plain(diagnose(model).measured);

const REDO =
  "Commits wait for hardening, not for redo. These events do not show redo: see redo_queue_size and redo_rate.";
const blocks = (n: number) => Array.from({ length: n }, (_, i) => ({ at: i * 10_000 }));

describe("how a capture was measured", () => {
  it("is no finding", () => {
    const verdict = diagnose(modelOf([{ at: 0, vlfStart: true }, ...blocks(40).slice(1)]));
    expect(verdict.findings.map(({ rule }) => rule)).toEqual(["D0"]);
    expect(verdict.measured).toHaveLength(2);
  });

  it("has redo wherever there is a secondary", () => {
    expect(measuredOf(modelOf(blocks(40)))).toEqual([REDO]);
    expect(measuredOf(modelOf(blocks(40), { secondaries: 0 }))).toEqual([]);
    expect(plain(diagnosePhase(modelOf(blocks(40)), 0, modelOf(blocks(40))).measured)).toEqual([REDO]);
  });

  it("has the first blocks of VLFs with the longest such write", () => {
    const model = modelOf([
      { at: 0, vlfStart: true, localFlush: 4_000 },
      { at: 10_000, vlfStart: true, localFlush: 7_000 },
      { at: 20_000, localFlush: 9_000 },
    ]);
    expect(measuredOf(model)?.[0]).toBe(
      "2 log blocks start a VLF: its header is one more log write. The longest such write took 7.00 ms.",
    );
    expect(measuredOf(modelOf([{ at: 0, vlfStart: true }]))?.[0]).toBe(
      "1 log block starts a VLF: its header is one more log write. The longest such write took 2.00 ms.",
    );
  });

  /** Round trips take 600 µs. @param bounds µs, of each secondary */
  const withUncertainty = (...bounds: readonly number[]): CaptureModel => {
    const model = modelOf(blocks(40), { secondaries: bounds.length });
    return {
      ...model,
      clocks: model.clocks.map((clock, i) => ({
        ...clock,
        windows: [{ ...clock.windows[0], uncertaintyUs: bounds[i] }],
      })),
    };
  };

  it("has how the round trip splits where that is uncertain by over a quarter of it, once for all replicas", () => {
    expect(measuredOf(withUncertainty(150))).toEqual([REDO]);
    expect(measuredOf(withUncertainty(151))?.[0]).toBe(
      "Round trips are exact. How each splits into out and back is uncertain by ±0.15 ms (SQL2).",
    );
    const coarse = withUncertainty(900);
    const replicas = coarse.replicas.map((replica) => ({ ...replica, hasCounter: false }));
    expect(measuredOf({ ...coarse, replicas })).toEqual([REDO]);
    expect(measuredOf(withUncertainty(210, 100, 330))?.[0]).toBe(
      "Round trips are exact. How each splits into out and back is uncertain by ±0.21 ms (SQL2), ±0.33 ms (SQL4).",
    );
  });
});
