/**
 * A replica whose availability mode changes while the capture runs: the sentences about it, and about the time before
 * and after.
 */
import { describe, expect, it } from "vitest";
import { modelOf, type BlockSpec } from "../../../test/model.ts";
import type { CaptureModel, CommitMode } from "../../replication/shapes/tables.ts";
import { diagnose, diagnosePhase } from "../diagnose.ts";

const BLOCKS = 40;
const plain = (text: string): string => text.replaceAll("\u00A0", " ");

/** SQL2 has each mode for 4 s; blocks 100 ms apart. */
function changing(
  modes: readonly CommitMode[],
  ofMode: (mode: CommitMode) => Omit<BlockSpec, "at">,
): CaptureModel {
  const model = modelOf(
    modes.flatMap((mode, phase) =>
      Array.from({ length: BLOCKS }, (_, i) => ({ ...ofMode(mode), at: (phase * BLOCKS + i) * 100_000 })),
    ),
  );
  model.blocks.phase.set(Array.from({ length: model.blocks.length }, (_, row) => Math.floor(row / BLOCKS)));
  return {
    ...model,
    phases: modes.map((mode, phase) => ({
      databases: [0],
      primary: 0,
      from: phase * BLOCKS * 100_000,
      to: ((phase + 1) * BLOCKS - 1) * 100_000 + 5_000,
      commitModes: [mode],
    })),
  };
}

const said = (model: CaptureModel) => diagnose(model).findings.filter(({ rule }) => rule === "D20");

describe("D20, an availability mode that changed", () => {
  const toAsync = changing(["sync", "async"], () => ({}));

  it("is said with the time, the replica, and what commits do from then on", () => {
    expect(said(toAsync)).toMatchObject([
      {
        cause: "mode_change",
        severity: "notice",
        replica: 1,
        database: 0,
        window: { from: 4_000_000, to: 4_000_000 },
        sentence: "SQL2 became asynchronous-commit at 02:16:59. Commits no longer wait for it.",
      },
    ]);
    expect(said(changing(["async", "sync"], () => ({})))[0].sentence).toBe(
      "SQL2 became synchronous-commit at 02:16:59. Commits wait for it from then on.",
    );
  });

  it("is no change of roles", () => {
    const verdict = diagnose(toAsync);
    expect(verdict.findings.map(({ rule }) => rule)).not.toContain("D18");
    expect(verdict).toMatchObject({ cause: "mode_change", severity: "notice", replica: 1 });
  });

  it("is said for each change, there and back", () => {
    expect(said(changing(["sync", "async", "sync"], () => ({}))).map(({ window }) => window?.from)).toEqual([
      4_000_000, 8_000_000,
    ]);
  });

  it("parts what is slow: a network counts while commits wait for it, and only then", () => {
    const model = changing(["sync", "async"], (mode) =>
      mode === "sync"
        ? { hops: [{ wireOut: 30_000, wireBack: 30_000 }] }
        : { hops: [{ wireOut: 60_000, ackSend: 9_000 }] },
    );
    const verdict = diagnose(model);
    expect(verdict.findings.filter(({ severity }) => severity !== "none").map(({ rule }) => rule)).toEqual([
      "D3",
      "D20",
    ]);
    const network = verdict.findings.find(({ rule }) => rule === "D3")!;
    expect(network.window!.to).toBeLessThanOrEqual(model.phases[0].to);
    expect(plain(verdict.sentence)).toContain("Commits no longer wait for it. Before that: ");
  });

  it("says of which time a sentence without a time of its own is", () => {
    const sentences = diagnose(toAsync)
      .findings.filter(({ cause }) => cause === "async_replica")
      .map(({ sentence }) => sentence);
    expect(sentences).toHaveLength(1);
    expect(sentences[0]).toMatch(/^Since 02:16:59: SQL2 is asynchronous/u);
    const middle = diagnose(changing(["sync", "async", "sync"], () => ({}))).findings.find(
      ({ cause }) => cause === "async_replica",
    );
    expect(middle?.sentence).toMatch(/^From 02:16:59 to 02:17:03: SQL2 is asynchronous/u);
  });

  it("is among the findings of a verdict on one phase alone", () => {
    const { findings } = diagnosePhase(toAsync, 1, toAsync);
    expect(findings.filter(({ rule }) => rule === "D20")).toHaveLength(1);
  });
});
