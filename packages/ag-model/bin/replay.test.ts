import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { waiting, whatIf } from "./replay.ts";

const FOLDER = join(import.meta.dirname, "../../../fixtures/captures/slow-network");
const filesOf = (role: string): string[] =>
  readdirSync(join(FOLDER, role)).map((name) => join(FOLDER, role, name));
const FILES = ["--primary", ...filesOf("primary"), "--secondary", ...filesOf("secondary")];

async function run(
  command: typeof whatIf,
  args: readonly string[],
): Promise<{ code: number; text: string; error: string }> {
  const lines: string[] = [];
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const code = await command(args, (text) => lines.push(text));
  const errors = error.mock.calls.flat().join("\n");
  error.mockRestore();
  return { code, text: lines.join("\n"), error: errors };
}

interface Figures {
  readonly change: string;
  readonly measuredUs: { readonly p95: number };
  readonly predictedUs: { readonly p95: number };
  readonly betweenUs: { readonly p95: readonly number[] };
  readonly canTell: boolean;
}

describe("xel what-if", () => {
  it("predicts what a slow network costs: without it commits are several times faster", async () => {
    const { code, text } = await run(whatIf, [...FILES, "--change", "network:Secondary:500us", "--json"]);
    expect(code).toBe(0);
    const [{ change, measuredUs, predictedUs, betweenUs, canTell }] = JSON.parse(text) as Figures[];
    expect(change).toBe("network:Secondary:500us");
    expect(canTell).toBe(true);
    expect(predictedUs.p95).toBeLessThan(measuredUs.p95 / 3);
    expect(betweenUs.p95[0]).toBeLessThan(predictedUs.p95);
    expect(betweenUs.p95[1]).toBeGreaterThan(predictedUs.p95);
  });

  it("prints every change that the capture allows", async () => {
    const { text } = await run(whatIf, FILES);
    expect(text).toMatch(/^Commits now: p50 .* replayed/);
    expect(text).toMatch(/^Secondary asynchronous +\d/m);
    expect(text).toMatch(/^Secondary's log write at most its p50 +\d/m);
  });

  it("refuses a change that is none with exit code 2 and the forms there are", async () => {
    const wrong = await run(whatIf, [...FILES, "--change", "faster:Secondary"]);
    expect([wrong.code, wrong.text]).toEqual([2, ""]);
    expect(wrong.error).toContain("async:NAME");
    const missing = await run(whatIf, [...FILES, "--change"]);
    expect(missing.code).toBe(2);
    expect(missing.error).toContain("--change needs a change");
  });
});

describe("xel waiting", () => {
  it("shows each log writer and direction of the network", async () => {
    const { code, text } = await run(waiting, FILES);
    expect(code).toBe(0);
    expect(text).toMatch(/Primary log write/);
    expect(text).toMatch(/Secondary network out .* slow/);
    const { text: json } = await run(waiting, [...FILES, "--json"]);
    const { queues: rows, whoWaited } = JSON.parse(json) as {
      queues: { kind: string; servedUs: number; fullPerSecond: number | null }[];
      whoWaited: object;
    };
    // These files have no actions of clients.
    expect(whoWaited).toEqual({ session: null, application: null, statement: null });
    expect(text).not.toContain("commit wait");
    expect(rows.map(({ kind }) => kind)).toEqual(["logWrite", "networkOut", "logWrite", "networkBack"]);
    expect(rows[1].fullPerSecond).toBeNull();
  });

  it("needs files", async () => {
    expect((await run(waiting, [])).code).toBe(2);
  });
});
