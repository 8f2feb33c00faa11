import { fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { LibraryCapture, LibraryPage } from "@aglens/contract";
import { settled, withAnswers } from "../../../../test/answers.tsx";
import { fakeScreen } from "../../../../test/fake-screen.ts";
import { libraryCapture, libraryPageOf } from "../../../../test/library.ts";
import { LibraryScreen } from "./library-screen.tsx";

/** Rows of 30 px under a head of 28 px: 2 are in sight. */
const HEIGHT = 88;

let requests: string[];
let captures: LibraryCapture[];
let change: Partial<LibraryPage>;

const numbered = (length: number) => Array.from({ length }, (_, i) => libraryCapture(`c${i}`));

beforeEach(() => {
  requests = [];
  captures = numbered(3);
  change = {};
});

async function open(search = "") {
  const shown = fakeScreen({ width: 1200, height: HEIGHT });
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) => {
    requests.push(`${init?.method ?? "GET"} ${path}`);
    if (init?.method !== undefined) return Promise.resolve(Response.json({}));
    const offset = Number(new URLSearchParams(path.split("?")[1]).get("offset"));
    const page = libraryPageOf(captures.slice(offset, offset + 100), {
      offset,
      total: captures.length,
      ...change,
    });
    return Promise.resolve(Response.json(page));
  });
  window.history.replaceState(null, "", `/captures${search}`);
  render(<LibraryScreen />, { wrapper: withAnswers() });
  await settled();
  return shown;
}
const press = (key: string) =>
  settled(() => fireEvent.keyDown(document.activeElement ?? document.body, { key }));
const rows = () => screen.getAllByRole("link", { name: /^Capture c/u }).map(({ textContent }) => textContent);
const at = () => decodeURIComponent(window.location.search);

test("only lines in sight are drawn; those of a further page are asked for when they come into sight", async () => {
  captures = numbered(250);
  await open();
  expect(rows()[0]).toBe("Capture c0");
  expect(rows().length).toBeLessThan(15);
  const table = screen.getByRole("table", { name: "Captures" });
  expect(table.getAttribute("aria-rowcount")).toBe("251");
  expect(screen.getByText("Rows 1 to 2 of 250")).toBeTruthy();
  const box = table.parentElement!;
  box.scrollTop = 200 * 30;
  await settled(() => fireEvent.scroll(box));
  await settled();
  expect(rows()).toContain("Capture c205");
  expect(requests.at(-1)).toContain("offset=200");
  expect(screen.getByText("Rows 201 to 202 of 250")).toBeTruthy();
});

test("a line has the verdict in short, a slow p95 apart, and the day of a capture without a year's doubt", async () => {
  captures = [
    libraryCapture("a", {
      p95Us: 70_600,
      wait: "secondary",
      tags: ["drill"],
      verdict: "SQL2's log write takes 66 %.",
    }),
    libraryCapture("b"),
  ];
  change = { facets: { group: [], wait: [], owner: [], tag: [{ value: "drill", name: "drill", count: 1 }] } };
  await open();
  const cells = within(screen.getAllByRole("row")[1])
    .getAllByRole("cell")
    .map(({ textContent }) => textContent?.replaceAll("\u2009", " "));
  expect(cells.slice(1)).toEqual([
    "SQL1, SQL2",
    "Capture a",
    "",
    "SQL2's log write takes 66 %.",
    "70.6 ms",
    "2026-05-06 02:16",
    "1 min 00 s",
    "4.0 MB",
    "drill",
    "kept",
  ]);
  expect(screen.getByText("70.6 ms").dataset["slow"]).toBe("true");
  expect(screen.getByText("5.92 ms").dataset["slow"]).toBe("false");
});

test("j and k move through the lines, Space selects, and the address has the selection", async () => {
  await open();
  await press("j");
  expect(document.activeElement?.textContent).toBe("Capture c0");
  await press("j");
  await press(" ");
  await press("j");
  await press("k");
  expect(document.activeElement?.textContent).toBe("Capture c1");
  expect(at()).toBe("?sel=c1");
  expect(screen.getByText("1 selected")).toBeTruthy();
  await press("Escape");
  expect(at()).toBe("");
});

test("# moves to the trash at once, and Undo brings it back", async () => {
  await open();
  await press("j");
  await press("#");
  expect(requests).toContain("DELETE /api/v1/captures/c0");
  expect(screen.getByText("1 capture is in the trash for 7 days.")).toBeTruthy();
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Undo" })));
  expect(requests).toContain("POST /api/v1/captures/c0/restore");
});

test("a capture of somebody else is not moved by the key", async () => {
  captures = [libraryCapture("a", { mayChange: false })];
  await open();
  await press("j");
  await press("#");
  expect(requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
});

test("tags have a column as soon as a capture has one", async () => {
  const heads = () => screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  await open();
  expect(heads()).not.toContain("Tag");
  const lineOf = (name: string) => screen.getByRole("link", { name }).closest("tr")!;
  expect(lineOf("Capture c0").children).toHaveLength(heads().length);
});

test("h opens the tags of what is selected, or of the line with the focus", async () => {
  await open();
  await press("j");
  await press("h");
  expect(screen.getByRole("dialog", { name: "Tags of this capture" })).toBeTruthy();
  expect(requests).toContain("GET /api/v1/captures/c0");
  await press("Escape");
  expect(screen.queryByRole("dialog")).toBeNull();
  await press(" ");
  await press("j");
  await press(" ");
  await settled(() => fireEvent.click(screen.getByRole("button", { name: /^Tags/u })));
  expect(screen.getByRole("dialog", { name: "Tags of 2 captures" })).toBeTruthy();
});

test("a choice of a tag narrows the list", async () => {
  change = {
    facets: { group: [], wait: [], owner: [], tag: [{ value: "month end", name: "month end", count: 3 }] },
  };
  await open();
  await settled(() => fireEvent.click(screen.getByRole("checkbox", { name: /^month end/u })));
  expect(at()).toBe("?tag=month+end");
  expect(requests.at(-1)).toContain("tag=month+end");
});

test("choices and words narrow what is asked for, and are in the address", async () => {
  change = {
    facets: {
      group: [{ value: "Sales - SQL1", name: "Sales - SQL1", count: 3 }],
      wait: [{ value: "network", name: "network", count: 0 }],
      owner: [],
      tag: [],
    },
  };
  await open();
  await settled(() => fireEvent.click(screen.getByRole("checkbox", { name: /^Sales - SQL1/u })));
  await settled(() => fireEvent.click(screen.getByRole("checkbox", { name: /^Network/u })));
  await settled(() => fireEvent.change(screen.getByRole("searchbox"), { target: { value: "p95>50ms" } }));
  expect(at().replaceAll("+", " ")).toBe("?q=p95>50ms&group=Sales - SQL1&wait=network");
  expect(decodeURIComponent(requests.at(-1) ?? "").replaceAll("+", " ")).toContain(
    "q=p95>50ms&group=Sales - SQL1&wait=network&offset=0",
  );
  await settled(() => fireEvent.click(screen.getByRole("button", { name: /^Commit p95/u })));
  expect(at()).toContain("sort=-p95");
});

test("without a match it says what would match without a choice, or without the words", async () => {
  captures = [];
  change = {
    totalWithoutWords: 12,
    views: { all: 200, mine: 0, shared: 0, expiring: 0, trash: 0 },
    facets: { group: [{ value: "A", name: "A", count: 0 }], wait: [], owner: [], tag: [] },
  };
  await open("?q=drill&group=A");
  expect(screen.getByText("No capture matches.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /without the choice of group/u })).toBeNull();
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "12 match without “drill”" })));
  expect(at()).toBe("?group=A");
});

test("two selected captures are compared, more of them lead to the fleet page of their group", async () => {
  await open("?sel=c0&sel=c1");
  expect(screen.getByRole("link", { name: "Compare" }).getAttribute("href")).toBe(
    "/captures/c0/compare?versus=c1",
  );
  await settled(() => fireEvent.click(screen.getByRole("checkbox", { name: "Select Capture c2" })));
  expect(screen.queryByRole("link", { name: "Compare" })).toBeNull();
  const [ofAll, ofGroup] = screen.getAllByRole("link", { name: "Fleet" });
  expect([ofAll, ofGroup].map((link) => link?.getAttribute("href"))).toEqual([
    "/fleet",
    "/fleet?a=Sales%20-%20SQL1%2C%20SQL2",
  ]);
});

test("the trash restores, and deletes for good when it is asked twice", async () => {
  const trashed = { deleted: "2026-11-01T00:00:00Z", restorableUntil: "2026-11-08T00:00:00Z" };
  captures = [libraryCapture("a", { trashed }), libraryCapture("b", { trashed })];
  await open("?view=trash&sel=a&sel=b");
  expect(screen.queryByRole("link", { name: "Capture a" })).toBeNull();
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Delete permanently" })));
  expect(requests.some((request) => request.startsWith("DELETE"))).toBe(false);
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Delete 2 permanently now" })));
  expect(requests.filter((request) => request.startsWith("DELETE"))).toEqual([
    "DELETE /api/v1/captures/a?forGood=true",
    "DELETE /api/v1/captures/b?forGood=true",
  ]);
  expect(at()).toBe("?view=trash");
});

test.each([
  [90, false, false],
  [91, true, false],
  [100, true, true],
])("of a quota of 100 bytes %i are used", async (bytes, isBold, isFull) => {
  change = { storage: { all: { bytes, trash: 0, limit: 100 }, own: null } };
  await open();
  expect(screen.getByText(`${bytes} B`).dataset["full"]).toBe(String(isBold));
  expect(screen.queryByRole("alert") !== null).toBe(isFull);
});
