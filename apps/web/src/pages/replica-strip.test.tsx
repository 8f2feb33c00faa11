import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { evidenceAnswer, leaseFailover } from "../../test/evidence.ts";
import { openCapture } from "../../test/open-capture.tsx";
import { replicaSummary, summaryOf } from "../../test/summary.ts";
import { ReplicaStrip } from "./replica-strip.tsx";

const [clock] = summaryOf().clocks;
const [phase] = summaryOf().phases;
const strip = () => screen.getByRole("region", { name: "Replicas" });
const plain = (node: Element): string => (node.textContent ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");

test("the clock of one secondary has its words", async () => {
  await openCapture(<ReplicaStrip onDamage={null} />);
  expect(plain(strip())).toContain("SQL2 clock 32.5 ms ahead, aligned to ±0.35 ms");
});

test("a clock that stepped is not said to be all along where it is on average", async () => {
  await openCapture(<ReplicaStrip onDamage={null} />, {
    summary: {
      clocks: [{ ...clock, utcAheadOfPrimaryUs: -72_000, reason: "The clock is not one straight line." }],
    },
  });
  expect(plain(strip())).toContain("SQL2 clock 72.0 ms behind on average, aligned to ±0.35 ms");
});

test("a clock with a step is reported as stepped", async () => {
  const { verdict } = summaryOf();
  const found = { cause: "clock_step", replica: 1, rule: "D13", sentence: "", checkNext: [] };
  await openCapture(<ReplicaStrip onDamage={null} />, {
    summary: { verdict: { ...verdict, findings: [found as unknown as (typeof verdict.findings)[number]] } },
  });
  expect(plain(strip())).toContain("SQL2 clock stepped, 32.5 ms ahead, aligned to");
});

test("two secondaries have their uncertainties beside their names and one chip for both clocks, so that it stays a line", async () => {
  await openCapture(<ReplicaStrip onDamage={null} />, {
    summary: {
      replicas: [
        replicaSummary({ role: "primary", name: "SQL1" }),
        replicaSummary({ name: "SQL2" }),
        replicaSummary({ name: "SQL3", commitMode: "async" }),
      ],
      phases: [{ ...phase, commitModes: ["sync", "async"] }],
      clocks: [clock, { ...clock, secondary: 1, strictUncertaintyUs: 9_060, utcAheadOfPrimaryUs: -206_000 }],
    },
  });
  const words = plain(strip());
  expect(words).toContain("SQL2±0.35 ms");
  expect(words).toContain("Secondary, asyncSQL3±9.06 ms");
  const inLine = [...strip().querySelectorAll("button")].filter((each) => each.closest("[popover]") === null);
  // The largest of both.
  expect(inLine.map(plain)).toEqual(["Clocks aligned ±9.06 ms", "Times: UTC"]);
  expect(plain(strip().querySelector("[popover]")!)).toContain("SQL3 clock 206 ms behind");
});

test("log blocks are counted only where some could not be joined", async () => {
  const { unmount } = await openCapture(<ReplicaStrip onDamage={null} />);
  expect(plain(strip())).not.toContain("joined");
  unmount();
  const { blocks } = summaryOf();
  const common = { primaryOnly: 2, secondaryOnly: 1, withoutAcknowledgement: 0 };
  await openCapture(<ReplicaStrip onDamage={null} />, {
    summary: { blocks: { ...blocks, onBoth: 1_076, common } },
  });
  expect(plain(strip())).toContain("1,076 of 1,079 blocks joined");
});

test("tags are words for who may not change the capture, and a button for who may change them", async () => {
  const onTags = vi.fn<() => void>();
  const { unmount } = await openCapture(<ReplicaStrip onDamage={null} tags={["drill", "nightly"]} />);
  expect(plain(strip())).toContain("drill, nightly");
  unmount();
  await openCapture(<ReplicaStrip onDamage={null} tags={["drill", "nightly"]} onTags={onTags} />);
  fireEvent.click(screen.getByRole("button", { name: "Tags: drill, nightly" }));
  expect(onTags).toHaveBeenCalledOnce();
});

test("a replica whose availability mode changed has its modes one after the other, and the time of the change", async () => {
  await openCapture(<ReplicaStrip onDamage={null} />, {
    summary: {
      phases: [
        { ...phase, to: 4e6 },
        { ...phase, from: 4e6, commitModes: ["async"] },
      ],
    },
  });
  expect(plain(strip())).toContain("Secondary, sync, then async");
  expect(plain(strip())).toContain("SQL2 asynchronous-commit from 02:16:59");
  expect(plain(strip())).not.toContain("Switch");
});

test("the number of evidence files is named where there are any", async () => {
  await openCapture(<ReplicaStrip onDamage={null} />, { answers: { evidence: leaseFailover } });
  // AlwaysOn_health and ERRORLOG of SQL1.
  expect(plain(strip())).toContain("2 evidence files");
});

test("a capture without evidence files has no word about them", async () => {
  await openCapture(<ReplicaStrip onDamage={null} />, { answers: { evidence: () => evidenceAnswer() } });
  expect(plain(strip())).not.toContain("evidence");
});
