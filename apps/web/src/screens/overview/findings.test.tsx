import type { Summary } from "@aglens/contract";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { evidenceAnswer, happenedEvent } from "../../../test/evidence.ts";
import { summaryOf } from "../../../test/summary.ts";
import { CaptureContext, type OpenCapture } from "../capture-view/capture-context.ts";
import { Findings, factsOf, HowMeasured } from "./findings.tsx";

type Finding = Summary["verdict"]["findings"][number];

const finding = (more: Partial<Finding> = {}): Finding => ({
  rule: "D2",
  cause: "secondary_disk",
  severity: "slow",
  sentence: "A log write on SQL2 took 24 ms instead of 3 ms.",
  share: 0.71,
  stage: "secondaryFlush",
  replica: 1,
  database: null,
  window: { from: 33_000_000, to: 69_000_000 },
  effect: { p50Inside: 9_000, p50Outside: 4_000, p95Inside: 168_000, p95Outside: 22_600 },
  threshold: "p95 over 10.0 ms",
  source: "Microsoft",
  checkNext: [],
  ...more,
});

const INFO = finding({ rule: "D17", severity: "none", sentence: "SQL3 is asynchronous." });

const withFindings = (findings: Finding[]): Summary => {
  const summary = summaryOf();
  return { ...summary, verdict: { ...summary.verdict, findings } };
};

test("a finding has its replica, time, share, effect and limit", () => {
  expect(factsOf(finding(), summaryOf()).map((fact) => fact.replaceAll(/\s/gu, " "))).toEqual([
    "SQL2",
    "02:17:28 to 02:18:04 UTC",
    "71 % of commit latency",
    "commit p95 168 ms, 22.6 ms outside",
    "limit: p95 over 10.0 ms (Microsoft)",
  ]);
});

test("a finding of one database names it beside its replica", () => {
  const summary = { ...summaryOf(), databases: [{ name: "Sales" }, { name: "Stock" }] } as unknown as Summary;
  expect(factsOf(finding({ database: 1 }), summary).slice(0, 2)).toEqual(["SQL2", "Stock"]);
});

test("each time of what recurs leads to that time, with as much before and after it", () => {
  const setView = vi.fn<OpenCapture["setView"]>();
  const second = (from: number) => ({ from: from * 1_000_000, to: (from + 1) * 1_000_000 });
  const recurring = finding({ window: second(22), windows: [10, 22, 34, 46].map(second) });
  expect(factsOf(recurring, summaryOf())[1]?.replaceAll(/\s/gu, " ")).toBe(
    "4 times, 02:17:05 to 02:17:42 UTC",
  );
  const summary = { ...withFindings([recurring]), durationUs: 60_000_000 };
  render(
    <CaptureContext value={{ summary, setView } as unknown as OpenCapture}>
      <Findings summary={summary} />
    </CaptureContext>,
  );
  const links = screen.getAllByRole("button", { hidden: true });
  expect(links.map((link) => link.textContent)).toEqual(["02:17:05", "02:17:17", "02:17:29", "02:17:41"]);
  fireEvent.click(links[2]);
  expect(setView).toHaveBeenCalledWith({ range: [33_000_000, 36_000_000] });
});

test("how it was measured is behind one press, with what is no finding and the way to how files were read", () => {
  const open = vi.fn<OpenCapture["open"]>();
  const capture = withFindings([finding({ rule: "D0", severity: "none" }), finding(), INFO]);
  const measured = ["Commits wait for hardening, not for redo."];
  const summary = { ...capture, verdict: { ...capture.verdict, measured } };
  render(
    <CaptureContext value={{ summary, open } as unknown as OpenCapture}>
      <HowMeasured summary={summary} />
    </CaptureContext>,
  );
  const head = screen.getByText("How this was measured");
  expect(head.closest("details")?.open).toBe(false);
  fireEvent.click(head);
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    expect.stringMatching(/^Info SQL3 is asynchronous/u),
    measured[0],
    "1,079 of 1,079 log blocks of the common time are joined.",
  ]);
  fireEvent.click(screen.getByRole("button", { name: "How this was read" }));
  expect(open).toHaveBeenCalledExactlyOnceWith("how-read", { expectation: null });
});

test("what a finding is not about is left out", () => {
  const none = { replica: null, window: null, share: null, effect: null, threshold: "", source: "" };
  expect(factsOf(finding(none), summaryOf())).toEqual([]);
});

test("findings are listed with their severity as a word; what only describes the capture is not one", () => {
  const notice = finding({ severity: "notice" });
  render(
    <Findings summary={withFindings([finding({ rule: "D0", severity: "none" }), finding(), notice, INFO])} />,
  );
  expect(screen.getByText("2 findings")).toBeTruthy();
  expect(screen.getAllByRole("listitem", { hidden: true }).map((item) => item.textContent)).toEqual([
    expect.stringMatching(/^Slow A log write on SQL2/u),
    expect.stringMatching(/^Notice A log write on SQL2/u),
  ]);
});

test("nothing is shown where no rule found anything", () => {
  const { container } = render(<Findings summary={withFindings([INFO])} />);
  expect(container.textContent).toBe("");
});

test("findings lead to the guide, also two of the same words in two databases", () => {
  const findings = [
    finding({ database: 0 }),
    finding({ database: 1 }),
    finding({ rule: "D3", cause: "network" }),
  ];
  const summary = withFindings(findings);
  render(
    <CaptureContext value={{ summary, setView: vi.fn() } as unknown as OpenCapture}>
      <Findings summary={summary} />
    </CaptureContext>,
  );
  const links = screen.getAllByRole("link", { name: "How to check", hidden: true });
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "/help/verdict/slow-log-writes-on-a-secondary",
    "/help/verdict/slow-log-writes-on-a-secondary",
    "/help/verdict/slow-network",
  ]);
});

test("a finding cites what its server reported in its time", () => {
  const summary = withFindings([finding(), finding({ rule: "D1", cause: "send" })]);
  const events = [
    happenedEvent({
      kind: "slowIo",
      server: "SQL2",
      at: 50e6,
      count: 5,
      text: "5 requests on SQL2: F:\\x.ldf",
    }),
  ];
  const { container } = render(
    <CaptureContext value={{ summary, setView: vi.fn() } as unknown as OpenCapture}>
      <Findings summary={summary} evidence={evidenceAnswer({ events })} />
    </CaptureContext>,
  );
  const words = (container.textContent ?? "").replaceAll(/\s/gu, " ");
  expect(words.match(/SQL2 reported 5 requests over 15 s on F: in this time\./gu)).toHaveLength(1);
});
