import { readdirSync, readFileSync } from "node:fs";
import { describeReference } from "@aglens/reference-data";
import { describe, expect, it } from "vitest";
import { analyzeFiles } from "../../../bin/analyzed-captures.ts";
import { report } from "../../../bin/report.ts";
import { stageDuration } from "../../columns/index.ts";
import type { StageId } from "../shapes/stages.ts";

const NAMES = ["2016-one-secondary", "2017-two-secondaries"];

const WIRE_PARTS = ["wireOut", "wireBack"];

type Figures = Record<string, number>;
interface Expected {
  [key: string]: unknown;
  clock: Record<string, { driftPpmFeasible: [number, number] } & Figures>;
  stagesUs: Record<string, Record<string, Figures>>;
  commits: { count: number; latencyUs: Figures; wakeUpUs: Figures; gates: Figures };
  shareOfMeanRemoteHardenPercent: Figures;
  tolerance: {
    sameClockStagesUs: number;
    wirePartsUs: number;
    oneWayUncertaintyPercent: number;
    utcAheadUs: number;
  };
}

function near(found: unknown, expected: number, tolerance: number, what: string): void {
  expect(
    Math.abs((found as number) - expected),
    `${what}: ${String(found)}, expected ${expected}`,
  ).toBeLessThanOrEqual(tolerance);
}

describeReference(
  {
    folder: "captures",
    tests: 18,
    prove:
      "blocks, stages, clocks and commits of exported rows of real captures are as they were found by other code",
  },
  (captures) => {
    describe.each(NAMES)("analysis of %s", async (name) => {
      const filesOf = (side: string): string[] =>
        readdirSync(`${captures}/${name}/${side}`).map((file) => `${captures}/${name}/${side}/${file}`);
      const primary = (): string[] => ["--primary", ...filesOf("primary")];
      const secondary = (): string[] => ["--secondary", ...filesOf("secondary")];
      const expected = JSON.parse(readFileSync(`${captures}/${name}/expected.json`, "utf8")) as Expected;
      const {
        captures: [{ model }],
      } = await analyzeFiles([...primary(), ...secondary()]);
      const found = report(model);
      const { tolerance } = expected;

      it("counts events, blocks, commits and gates exactly", () => {
        for (const key of [
          "events",
          "database",
          "primary",
          "secondaries",
          "blocks",
          "flushClasses",
          "info",
        ] as const) {
          expect(found[key], key).toEqual(expected[key]);
        }
        expect(found.commits.count).toBe(expected.commits.count);
        expect({ ...found.commits.gates }).toEqual(expected.commits.gates);
      });

      // The other code takes the nearest send for each secondary, so that two of these blocks use one send twice.
      const USED_TWICE = name === "2017-two-secondaries" ? ["captureLag max"] : [];

      it("agrees on every stage's figures", () => {
        for (const [replica, stages] of Object.entries(expected.stagesUs)) {
          for (const [id, figures] of Object.entries(stages)) {
            const here = found.stagesUs[replica][id as StageId] as Figures;
            expect(here.n, `${id} n`).toBe(figures.n);
            const within = WIRE_PARTS.includes(id) ? tolerance.wirePartsUs : tolerance.sameClockStagesUs;
            for (const key of ["p50", "p95", "p99", "max", "mean"])
              if (!USED_TWICE.includes(`${id} ${key}`)) near(here[key], figures[key], within, `${id} ${key}`);
          }
        }
      });

      it("agrees on commits and shares", () => {
        const { latencyUs, wakeUpUs } = expected.commits;
        for (const [key, value] of Object.entries(latencyUs))
          near(found.commits.latencyUs[key as "p50"], value, 2, `commit ${key}`);
        for (const [key, value] of Object.entries(wakeUpUs))
          near(found.commits.wakeUpUs[key as "p50"], value, 2, `wake-up ${key}`);
        for (const [key, value] of Object.entries(expected.shareOfMeanRemoteHardenPercent)) {
          near(found.shareOfMeanRemoteHardenPercent[key], value, 0.2, `share of ${key}`);
        }
      });

      it("agrees on the clock", () => {
        for (const [replica, clock] of Object.entries(expected.clock)) {
          const here = found.clock[replica] as typeof clock;
          expect(here.driftPpm).toBeGreaterThanOrEqual(clock.driftPpmFeasible[0]);
          expect(here.driftPpm).toBeLessThanOrEqual(clock.driftPpmFeasible[1]);
          const percent = (clock.oneWayUncertaintyUs * tolerance.oneWayUncertaintyPercent) / 100;
          near(here.oneWayUncertaintyUs, clock.oneWayUncertaintyUs, percent, "uncertainty");
          near(here.minNetworkRoundTripUs, clock.minNetworkRoundTripUs, 2, "round trip");
          near(here.utcAheadOfPrimaryUs, clock.utcAheadOfPrimaryUs, tolerance.utcAheadUs, "UTC ahead");
          expect(here.causalityViolationsAfter).toBe(clock.causalityViolationsAfter);
        }
      });

      it("has blocks in time order", () => {
        const { blocks } = model;
        for (let i = 1; i < blocks.length; i++)
          expect(blocks.time[i]).toBeGreaterThanOrEqual(blocks.time[i - 1]);
      });

      it("works with the files in any order", async () => {
        const [flag, ...files] = primary();
        const {
          captures: [{ model: reversed }],
        } = await analyzeFiles([flag, ...files.toReversed(), ...secondary()]);
        expect(reversed.counts).toEqual(model.counts);
        expect(reversed.commits.end).toEqual(model.commits.end);
      });

      it("does without the secondary's file", async () => {
        const {
          captures: [{ model: alone }],
        } = await analyzeFiles(primary());
        expect(alone.replicas.slice(1).map((r) => [r.id, r.hasCapture])).toEqual(
          (expected["secondaries"] as string[]).map((id) => [id, false]),
        );
        const far = expected.stagesUs[alone.replicas[1].id].remoteHarden;
        const known = alone.hops[0].ackProcessed.filter(
          (_, row) => !Number.isNaN(stageDuration(alone, 0, "remoteHarden", row)),
        );
        expect(known.length).toBe(far.n);
        expect(alone.hops[0].received.every(Number.isNaN)).toBe(true);
        expect(alone.warnings.join(" ")).toContain("no capture");
      });

      it("does without the primary's file", async () => {
        const {
          captures: [{ model: alone }],
        } = await analyzeFiles(secondary());
        expect(alone.counts.secondary).toBe((expected["blocks"] as Figures).secondary);
        expect(alone.replicas[0]).toMatchObject({ id: expected["primary"], hasCapture: false });
        expect(alone.commits.length).toBe(0);
        expect(alone.clocks[0].status).toBe("cannotAlign");
      });

      it("refuses files in the wrong role", async () => {
        await expect(analyzeFiles(["--primary", ...filesOf("secondary")])).rejects.toThrow(
          /those of a secondary/,
        );
      });
    });
  },
);
