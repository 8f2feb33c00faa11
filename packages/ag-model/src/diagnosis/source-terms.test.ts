import { expect, it } from "vitest";
import { expectNoFileTerms } from "../../test/live-terms.ts";
import { modelOf } from "../../test/model.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { diagnose } from "./diagnose.ts";

const slow = modelOf(Array.from({ length: 40 }, (_, i) => ({ at: i * 100_000, hops: [{ flush: 40_000 }] })));
const [primary, secondary] = slow.replicas;
const unknown = new Float64Array(slow.blocks.length).fill(Number.NaN);
const [hop] = slow.hops;

/** Captures with a missing part: their sentences name the files to add. */
const LACKING: Readonly<Record<string, CaptureModel>> = {
  "no log block": modelOf([]),
  "no primary": { ...slow, replicas: [{ ...primary, hasCapture: false }, secondary] },
  "a secondary that ends before the primary begins": {
    ...slow,
    replicas: [
      { ...primary, from: 2e6, to: 4e6 },
      { ...secondary, from: 0, to: 1e6 },
    ],
  },
  "a secondary without events": {
    ...slow,
    replicas: [primary, { ...secondary, hasCapture: false }],
    hops: [
      {
        ...hop,
        received: unknown,
        secondaryFlushStart: unknown,
        secondaryFlushEnd: unknown,
        ackBuilt: unknown,
        ackDeparted: unknown,
        ackSent: unknown,
      },
    ],
  },
};

it.each(Object.entries(LACKING))("%s: a live view asks for no file, a capture does", (_name, model) => {
  const { sentence, checkNext } = diagnose(model);
  expect([sentence, ...checkNext].join(" ")).toMatch(/\bfiles?\b|Capture all/u);
  expectNoFileTerms(model);
});
