import { expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import { parseChange } from "./changes.ts";
import { diskspdFigure } from "./diskspd.ts";

const PRINTED = `
total:
  %-ile |  Read (ms) | Write (ms) | Total (ms)
----------------------------------------------
    min |        N/A |      0.318 |      0.318
   25th |        N/A |      0.472 |      0.472
   50th |        N/A |      0.500 |      0.500
   95th |        N/A |      1.250 |      1.250
3-nines |        N/A |     12.000 |     12.000
7-nines |        N/A |     40.100 |     40.100
    max |        N/A |     40.100 |     40.100
`;

it("takes the percentiles of write latency that Diskspd prints", () => {
  const figure = diskspdFigure(PRINTED)!;
  expect(figure).toBe("p0=0.318ms,p25=0.472ms,p50=0.5ms,p95=1.25ms,p99.9=12ms,p99.99999=40.1ms,p100=40.1ms");
  const change = parseChange(modelOf([{ at: 0 }]), `write:SQL2:${figure}`);
  expect(change).toMatchObject({
    kind: "write",
    figure: { points: expect.arrayContaining([[99.9, 12_000]]) },
  });
});

it("finds none in a test that only read, or in another text", () => {
  expect(
    diskspdFigure(PRINTED.replaceAll(/\|\s+N\/A \|\s+([\d.]+) \|/gu, "|  $1 |        N/A |")),
  ).toBeNull();
  expect(diskspdFigure("")).toBeNull();
  expect(diskspdFigure("    max |        N/A |     40.100 |     40.100")).toBeNull();
});
