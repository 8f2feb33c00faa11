import { fireEvent, screen } from "@testing-library/react";
import type { Episode } from "@aglens/contract";
import { beforeEach, expect, test, vi } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { parseBlockFilter } from "@aglens/contract";
import { evidenceAnswer, leaseFailover } from "../../../test/evidence.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { summaryOf } from "../../../test/summary.ts";
import { exportRanges } from "./export-choice.ts";
import { ExportDialog } from "./export-dialog.tsx";

// The fonts of the report.
beforeEach(() => {
  vi.spyOn(globalThis, "fetch").mockImplementation(() => Promise.resolve(new Response("font")));
});

const episode: Episode = {
  label: "Slow network",
  cause: "network",
  from: 1e6,
  to: 3e6,
  blocks: 40,
  stage: "networkRoundTrip",
  secondary: 0,
  inside: {} as Episode["inside"],
  outside: {} as Episode["outside"],
};

test("stretches to choose from are the whole capture, its episodes, what is selected, and what is on screen", () => {
  const summary = summaryOf();
  const verdict = { ...summary.verdict, episodes: [episode, { ...episode, secondary: 1 }] };
  type Period = [number, number] | null;
  const rangesOf = (range: Period, selected: Period = null): unknown =>
    exportRanges({ ...summary, verdict }, { range, selected, secondary: 0, database: null, phase: null }).map(
      (each) => [each.label, each.range.from],
    );
  expect(rangesOf(null)).toEqual([
    ["Whole capture", 0],
    ["Slow network", 1e6],
  ]);
  expect(rangesOf([4e6, 5e6])).toEqual([
    ["Whole capture", 0],
    ["Slow network", 1e6],
    ["02:16:59.000 to 02:17:00.000 UTC", 4e6],
  ]);
  expect(rangesOf([4e6, 5e6], [4.1e6, 4.2e6])).toEqual([
    ["Whole capture", 0],
    ["Slow network", 1e6],
    ["02:16:59.100 to 02:16:59.200 UTC", 4.1e6],
    ["02:16:59.000 to 02:17:00.000 UTC", 4e6],
  ]);
});

test("notes are shown as they will read before they are saved; without any their part is off", async () => {
  const note = { id: "a", fromTicks: "0", toTicks: "0", lsn: null, written: "2026-11-21T14:32:00.000Z" };
  const { unmount } = await openCapture(<ExportDialog open onOpenChange={() => {}} />, {
    answers: { notes: () => ({ notes: [{ ...note, text: "SQL1: backup" }] }) },
  });
  expect(screen.queryByText("Replica 1: backup")).toBeNull();
  fireEvent.click(screen.getByRole("checkbox", { name: /^Replace names/u }));
  expect(screen.getByText("Replica 1: backup")).toBeTruthy();
  fireEvent.click(screen.getByRole("checkbox", { name: "Notes, 1" }));
  expect(screen.queryByText("Replica 1: backup")).toBeNull();
  unmount();
  await openCapture(<ExportDialog open onOpenChange={() => {}} />, {
    answers: { notes: () => ({ notes: [] }) },
  });
  const part = screen.getByRole<HTMLInputElement>("checkbox", { name: "Notes, none in this capture" });
  expect([part.disabled, part.checked]).toEqual([true, false]);
});

test("evidence is a part of the report, and the dialog tells that files with replaced names have none", async () => {
  const left = /^Evidence files are excluded/u;
  const part = () => screen.queryByRole<HTMLInputElement>("checkbox", { name: /^Causes of failovers/u });
  const { unmount } = await openCapture(<ExportDialog open onOpenChange={() => {}} />, {
    answers: { evidence: leaseFailover },
  });
  expect([part()?.checked, part()?.disabled]).toEqual([true, false]);
  expect(screen.queryByText(left)).toBeNull();
  fireEvent.click(screen.getByRole("checkbox", { name: /^Replace names/u }));
  expect([part()?.checked, part()?.disabled]).toEqual([false, true]);
  expect(screen.getByText(left)).toBeTruthy();
  fireEvent.click(screen.getByRole("radio", { name: /^The capture itself/u }));
  expect(screen.getByText(left)).toBeTruthy();
  fireEvent.click(screen.getByRole("radio", { name: /^Timeline as a picture/u }));
  expect(screen.queryByText(left)).toBeNull();
  unmount();
  await openCapture(<ExportDialog open onOpenChange={() => {}} />, {
    answers: { evidence: () => evidenceAnswer() },
  });
  expect(part()).toBeNull();
});

test("a table is that of the chosen stretch, and is saved with its format's name", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:table");
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const { source } = await openCapture(<ExportDialog open onOpenChange={() => {}} />, {
    view: { range: [4e6, 5e6] },
    answers: { table: () => new Blob(["block"]) },
  });
  fireEvent.click(screen.getByRole("radio", { name: /^Commits/u }));
  await settled();
  fireEvent.click(screen.getByRole("button", { name: "Save table" }));
  expect(source.asked.filter(([name]) => name === "table")).toEqual([
    ["table", "commits", "csv", { from: 4e6, to: 5e6 }, null],
  ]);
  expect(saved).toEqual(["slow-network-commits.csv"]);
});

test("a table is saved as Parquet", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:table");
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await openCapture(<ExportDialog open onOpenChange={() => {}} />, {
    answers: { table: () => new Blob(["PAR1"]) },
  });
  fireEvent.click(screen.getByRole("radio", { name: /^Hops/u }));
  fireEvent.click(screen.getByRole("button", { name: "Parquet" }));
  await settled();
  fireEvent.click(screen.getByRole("button", { name: "Save table" }));
  expect(saved).toEqual(["slow-network-hops.parquet"]);
});

test("a table follows the filter, which the dialog and the file's name say", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:table");
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const where = parseBlockFilter("secondaryFlush@1>50000,gate@1");
  const { source } = await openCapture(<ExportDialog open onOpenChange={() => {}} />, {
    view: { where },
    answers: { table: () => new Blob(["block"]) },
  });
  fireEvent.click(screen.getByRole("radio", { name: /^Commits/u }));
  await settled();
  const words = screen.getByText(/^Only the blocks of the filter/u).textContent.replaceAll("\u2009", " ");
  expect(words).toBe("Only the blocks of the filter: SQL2 log write > 50 ms, gate = SQL2.");
  fireEvent.click(screen.getByRole("button", { name: "Save table" }));
  expect(source.asked.find(([name]) => name === "table")?.[4]).toEqual(where);
  expect(saved).toEqual(["slow-network-commits-where-sql2-log-write-50-ms-gate-sql2.csv"]);
});

test("a Perfetto trace is that of the chosen range and of the filter, without a choice of format or names", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:trace");
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const where = parseBlockFilter("gate@1");
  const { source } = await openCapture(<ExportDialog open onOpenChange={() => {}} />, {
    view: { range: [4e6, 5e6], where },
    answers: { trace: () => new Blob(["packet"]) },
  });
  fireEvent.click(screen.getByRole("radio", { name: /^Perfetto trace/u }));
  await settled();
  expect(screen.getByText("Only the blocks of the filter: gate = SQL2.")).toBeTruthy();
  expect(screen.getByText("The trace has only the slowest log blocks of a long range.")).toBeTruthy();
  expect(screen.queryByText("Format")).toBeNull();
  expect(screen.queryByRole("checkbox", { name: /^Replace names/u })).toBeNull();
  // A trace of a long range is large: none is written for a choice alone.
  fireEvent.click(screen.getByRole("radio", { name: /^Whole capture/u }));
  fireEvent.click(screen.getByRole("radio", { name: /as on screen/u }));
  await settled();
  expect(source.asked.some(([name]) => name === "trace")).toBe(false);
  fireEvent.click(screen.getByRole("button", { name: "Create trace" }));
  await settled();
  fireEvent.click(screen.getByRole("button", { name: "Save trace" }));
  expect(source.asked.find(([name]) => name === "trace")).toEqual(["trace", { from: 4e6, to: 5e6 }, where]);
  expect(saved).toEqual(["slow-network-trace-where-gate-sql2.pftrace"]);
});

test("events of evidence files are a table where the capture has them, whatever the filter of blocks", async () => {
  const where = parseBlockFilter("secondaryFlush@1>50000");
  const events = { name: /^Events of evidence files/u };
  const { source, unmount } = await openCapture(<ExportDialog open onOpenChange={() => {}} />, {
    view: { where },
    answers: { evidence: leaseFailover, table: () => new Blob(["utc"]) },
  });
  fireEvent.click(screen.getByRole("radio", events));
  await settled();
  expect(source.asked.at(-1)).toEqual(["table", "evidence_events", "csv", { from: 0, to: 10e6 }, null]);
  expect(screen.queryByText(/^Only the blocks of the filter/u)).toBeNull();
  unmount();
  await openCapture(<ExportDialog open onOpenChange={() => {}} />, {
    answers: { evidence: () => evidenceAnswer() },
  });
  expect(screen.queryByRole("radio", events)).toBeNull();
});

test("a report and a picture say what the filter means for them", async () => {
  await openCapture(<ExportDialog open onOpenChange={() => {}} />, {
    view: { where: parseBlockFilter("gate@1") },
  });
  expect(
    screen.getByText(
      "Slowest blocks, their sequences and the table of blocks are of the filter: gate = SQL2.",
    ),
  ).toBeTruthy();
  fireEvent.click(screen.getByRole("radio", { name: /^Timeline as a picture/u }));
  expect(
    screen.getByText("All blocks are drawn, also those that the filter leaves out: gate = SQL2."),
  ).toBeTruthy();
});

test("nothing is saved before the file is written, and a refusal is said", async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click");
  await openCapture(<ExportDialog open onOpenChange={() => {}} />, {
    answers: { table: () => new Error("The table blocks has 9 rows in this stretch.") },
  });
  fireEvent.click(screen.getByRole("button", { name: "Save report" }));
  fireEvent.click(screen.getByRole("radio", { name: /^Log blocks/u }));
  await settled();
  fireEvent.click(screen.getByRole("button", { name: "Save table" }));
  expect(click).not.toHaveBeenCalled();
  expect(screen.getByRole("dialog").textContent).toContain("The table blocks has 9 rows in this stretch.");
});
