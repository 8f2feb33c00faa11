/** D16: a server without events although a message waited for it. */
import { describe, expect, it } from "vitest";
import { eventsAt, modelOf, withPauses, type BlockSpec } from "../../../test/model.ts";
import { serverPauses } from "../../replication/prepare/pauses.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { diagnose } from "../diagnose.ts";

/** Blocks each 50 ms; `changed` may delay one. Events of both servers are at the anchors of their blocks. */
function capture(changed: (second: number) => Partial<BlockSpec>): CaptureModel {
  const specs = Array.from({ length: 400 }, (_, i): BlockSpec => ({ at: i * 50_000, ...changed(i / 20) }));
  return withEvents(modelOf(specs));
}

/** @param isSilent period, µs, in which the secondary's file has no event */
function withEvents(model: CaptureModel, isSilent = (_us: number): boolean => false): CaptureModel {
  const [hop] = model.hops;
  const fires = [
    ...[model.blocks.localFlushStart, model.blocks.localFlushEnd, hop.ackProcessed].map(
      (at) => [0, at] as const,
    ),
    ...[hop.received, hop.secondaryFlushEnd, hop.ackSent].map((at) => [1, at] as const),
  ].flatMap(([replica, at]) => [...at].map((fire) => ({ replica, fire })));
  return {
    ...model,
    files: [model.files[0], { ...model.files[0], name: "secondary.xel", replica: 1 }],
    events: eventsAt(fires.filter(({ replica, fire }) => replica === 0 || !isSilent(fire))),
  };
}

/**
 * SQL2 does nothing from 10 s to 13 s; blocks that were sent in this time arrive at its end. @param slowUs network
 * before, for 2 s
 */
function waitingBehindAPause(slowUs = 0): CaptureModel {
  const specs = Array.from({ length: 400 }, (_, i): BlockSpec => {
    const at = i * 50_000;
    const wait = at > 10_000_000 && at < 13_000_000 ? 13_000_000 - at : 0;
    const slow = slowUs > 0 && at > 4_000_000 && at < 6_000_000 ? slowUs : 0;
    return { at, hops: [{ wireOut: 300 + wait + slow }] };
  });
  return withEvents(modelOf(specs), (us) => us > 10_000_000 && us < 13_000_000);
}

/** The markers of pauses as the model has them. */
const withFoundPauses = (model: CaptureModel): CaptureModel =>
  withPauses(
    model,
    serverPauses(model).map(({ replica, from, to }) => [replica, from, to]),
  );

const pausesOf = (model: CaptureModel) =>
  diagnose(withFoundPauses(model)).findings.filter(({ cause }) => cause === "server_pause");

/** Nothing begins between 10 s and 10 s + `us`, but a block sent just before is answered after it. */
const paused = (us: number, inFlight: Partial<BlockSpec>): CaptureModel => {
  const specs = Array.from({ length: 400 }, (_, i): BlockSpec => {
    const at = i * 50_000;
    if (i === 200) return { at, ...inFlight };
    return { at: i > 200 ? at + us : at };
  });
  return withEvents(modelOf(specs));
};

describe("D16, a server that stood still", () => {
  it("is one without events for half a second, while a block waited for it", () => {
    const [found] = pausesOf(paused(800_000, { hops: [{ wireOut: 800_000 }] }));
    expect(found).toMatchObject({ rule: "D16", replica: 1, severity: "slow" });
    expect(found.sentence.replaceAll("\u00A0", " ")).toMatch(
      /^SQL2 was unresponsive for 8\d\d ms between 02:17:05 and 02:17:06 while log blocks waited for it\.$/u,
    );
    expect(pausesOf(paused(400_000, { hops: [{ wireOut: 400_000 }] }))).toEqual([]);
  });

  it("is the headline, since it explains what was slow meanwhile", () => {
    expect(diagnose(withFoundPauses(paused(3_000_000, { hops: [{ wireOut: 3_000_000 }] }))).cause).toBe(
      "server_pause",
    );
  });

  it("has what commits took meanwhile", () => {
    const [{ effect }] = pausesOf(paused(3_000_000, { hops: [{ wireOut: 3_000_000 }] }));
    expect(effect!.p95Inside).toBeGreaterThan(3_000_000);
    expect(effect!.p95Outside).toBeLessThan(10_000);
  });

  it("is what the picture marks, and no slow network is found beside it", () => {
    const { episodes, findings } = diagnose(withFoundPauses(waitingBehindAPause()));
    expect(episodes.map(({ label, cause }) => [label, cause])).toEqual([
      ["SQL2 unresponsive", "server_pause"],
    ]);
    expect(findings.map(({ cause }) => cause)).not.toContain("network");
  });

  it("leaves a slow network its own name at another time", () => {
    const { episodes, findings } = diagnose(withFoundPauses(waitingBehindAPause(20_000)));
    expect(episodes.map(({ label }) => label)).toEqual(["Slow network", "SQL2 unresponsive"]);
    expect(findings.map(({ cause }) => cause)).toContain("network");
  });

  it("is not an idle server: nothing waited", () => {
    expect(pausesOf(paused(800_000, {}))).toEqual([]);
  });

  it("is not a loss of events: answers went on arriving", () => {
    const model = capture(() => ({}));
    expect(pausesOf(withEvents(model, (us) => us > 5_000_000 && us < 9_000_000))).toEqual([]);
  });

  it("has no severity where no commit waits for that server, whatever other replicas there are", () => {
    const waiting = paused(800_000, { hops: [{ wireOut: 800_000 }] });
    const severityOf = (mode: "sync" | "async", other: "sync" | "async") => {
      const [replica, second] = [
        waiting.replicas[1],
        { ...waiting.replicas[1], name: "SQL3", hasCapture: false },
      ];
      const idle = Object.fromEntries(
        Object.entries(waiting.hops[0]).map(([name, column]) => [
          name,
          column instanceof Float64Array ? column.map(() => Number.NaN) : new Uint32Array(column.length),
        ]),
      ) as unknown as CaptureModel["hops"][number];
      const phases = [{ ...waiting.phases[0], commitModes: [mode, other] }];
      const model = {
        ...waiting,
        replicas: [waiting.replicas[0], replica, second],
        hops: [waiting.hops[0], idle],
        phases,
      };
      return pausesOf(model).map(({ replica: named, severity }) => [named, severity]);
    };
    expect(severityOf("sync", "async")).toEqual([[1, "slow"]]);
    expect(severityOf("async", "sync")).toEqual([[1, "none"]]);
  });

  it("is silent for just under half a second, and named from there on", () => {
    // Its last event before is the acknowledgment of the block of 9.95 s, sent at 9,953,850 µs.
    const silent = (us: number) => {
      const at = 10_000_550 + us;
      return pausesOf(paused(us, { hops: [{ wireOut: us }] })).map(({ window }) => window?.from ?? at);
    };
    // The next is the late block's receive, at 10,000,250 + `us`.
    expect(silent(500_000 - 46_400 - 1)).toEqual([]);
    expect(silent(500_000 - 46_400)).toEqual([9_953_850]);
  });

  it.each([
    ["the second", 800_000, 2_000_000],
    ["the first", 2_000_000, 800_000],
  ])("says how many stretches there were, and the longest of them: %s", (_, first, second) => {
    const specs = Array.from({ length: 400 }, (_spec, i): BlockSpec => {
      const late = i === 100 ? first : i === 200 ? second : 0;
      return {
        at: i * 50_000 + (i > 100 ? first : 0) + (i > 200 ? second : 0),
        hops: [{ wireOut: 300 + late }],
      };
    });
    const [found] = pausesOf(withEvents(modelOf(specs)));
    expect(found.sentence.replaceAll("\u00A0", " ")).toMatch(
      /^SQL2 was unresponsive for 2\.0\d s between .* \(2 such periods\)\.$/u,
    );
    expect(found.window).toMatchObject({ from: 4_953_850 });
  });
});
