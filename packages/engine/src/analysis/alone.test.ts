import { encodeFacts, noFacts, readFacts, recognizeFile } from "@aglens/evidence";
import { filetimeOfUnixUs } from "xel-parser/format";
import { describe, expect, test } from "vitest";
import type { EncodedEvidence } from "../evidence/index.ts";
import { analyzeAlone } from "./alone.ts";

/** An ERRORLOG without its head, so without its offset and its server. */
async function headless(...times: readonly string[]): Promise<Uint8Array> {
  const lines = times.map(
    (time) =>
      `2016-05-06 ${time} spid9s      There is insufficient system memory in resource pool 'default'.`,
  );
  const bytes = new TextEncoder().encode(["2016-05-06 00:00:00.00 spid9s      x", ...lines].join("\n"));
  async function* open() {
    yield await Promise.resolve(bytes);
  }
  return encodeFacts(await readFacts(recognizeFile("ERRORLOG", bytes, bytes.length), open));
}

const ticksAt = (text: string): bigint => filetimeOfUnixUs(BigInt(Date.parse(text)) * 1000n);

describe("alone, headless", () => {
  test("zone chosen: the time is in UTC, and the server is that of the list of files", async () => {
    const { model } = analyzeAlone([
      { bytes: await headless("04:17:05.00"), utcOffsetMinutes: 120, server: "SQL1" },
      { bytes: await headless("12:17:35.00"), utcOffsetMinutes: 600, server: "SQL2" },
    ]);
    expect(model.origin).toBe(ticksAt("2016-05-06T02:17:05Z"));
    expect(model.duration).toBe(30_000_000);
    expect(model.replicas.map(({ name, utcOffsetMinutes }) => [name, utcOffsetMinutes])).toEqual([
      ["SQL1", 120],
      ["SQL2", 600],
    ]);
  });

  test("without a zone there is nothing to analyze", async () => {
    const file = { bytes: await headless("04:17:05.00"), utcOffsetMinutes: null, server: "SQL1" };
    expect(() => analyzeAlone([file])).toThrow("The files have no event with a known time.");
  });

  test("a file whose facts are damaged is skipped", async () => {
    const { model } = analyzeAlone([
      { bytes: new Uint8Array([1, 2]), utcOffsetMinutes: 0, server: "SQL1" },
      { bytes: await headless("04:17:05.00", "04:17:06.00"), utcOffsetMinutes: 120, server: "SQL2" },
    ]);
    expect(model.replicas.map(({ name }) => name)).toEqual(["SQL2"]);
    expect(model.duration).toBe(1_000_000);
  });
});

test("references, such as those of Diskspd, count for the range only without other times", async () => {
  const name = "diskspd.xml";
  const reference: EncodedEvidence = {
    bytes: encodeFacts({
      ...noFacts(recognizeFile(name, new Uint8Array([1]), 1)),
      series: [
        {
          metric: "disk write latency",
          unit: "ms",
          server: "SQL1",
          of: "F:",
          form: "reference",
          atUs: Float64Array.of(Date.parse("2015-01-01T00:00:00Z") * 1000),
          values: Float64Array.of(2),
          source: { file: name, column: "" },
          isLocal: false,
        },
      ],
    }),
    utcOffsetMinutes: null,
    server: "SQL1",
  };
  const log = { bytes: await headless("04:17:05.00"), utcOffsetMinutes: 120, server: "SQL1" };
  expect(analyzeAlone([reference, log]).model).toMatchObject({
    origin: ticksAt("2016-05-06T02:17:05Z"),
    duration: 0,
  });
  expect(analyzeAlone([reference]).model.origin).toBe(ticksAt("2015-01-01T00:00:00Z"));
});
