import { expect, test } from "vitest";
import { libraryPage, storageUse } from "./library-lines.ts";
import type { LibraryLine, LibraryQuestion } from "./library-lines.ts";

const NOW = Date.parse("2026-11-10T00:00:00Z");

const line = (id: string, change: Partial<LibraryLine> = {}): LibraryLine => ({
  id,
  name: id,
  created: "2026-11-09T00:00:00Z",
  expires: null,
  state: "ready",
  verdict: null,
  severity: "none",
  place: "none",
  wait: "none",
  group: "SALES-AG",
  groupName: change.group === undefined ? "SALES-AG" : change.group,
  p95Us: 5_000,
  durationUs: 60e6,
  from: null,
  files: 1,
  bytes: 10,
  owner: { id: "a", name: "Ann" },
  shared: false,
  tags: [],
  mayChange: true,
  glyph: null,
  progress: null,
  problem: null,
  trashed: null,
  words: id,
  ...change,
});

const BEN = { id: "b", name: "Ben" };
const LINES = [
  line("first", { wait: "network", p95Us: 70_600, created: "2026-11-01T00:00:00Z" }),
  line("second", { group: "CRM-AG", owner: BEN, shared: true, expires: "2026-11-17T00:00:00Z" }),
  line("third", { group: "CRM-AG", wait: "network", expires: "2026-11-16T23:59:59Z" }),
  line("fourth", { group: null, owner: null, p95Us: null, wait: "analysing", words: "fourth checkout" }),
  line("gone", { trashed: { deleted: "2026-11-09", restorableUntil: "2026-11-16" }, bytes: 7 }),
];

/** All captures, on one page. */
const ALL = { view: "all", q: "", group: [], wait: [], owner: [], tag: [], offset: 0, limit: 10 } as const;

const ask = (question: Partial<LibraryQuestion> = {}, personId: string | null = "a") =>
  libraryPage(LINES, { ...ALL, sort: "name", ...question }, personId, NOW);
const ids = (question: Partial<LibraryQuestion> = {}, personId: string | null = "a") =>
  ask(question, personId).captures.map(({ id }) => id);
const counts = (choices: readonly { value: string; count: number }[]) =>
  Object.fromEntries(choices.map(({ value, count }) => [value, count]));

test("choices of one facet are an or, facets together an and", () => {
  expect(ids({ group: ["CRM-AG"] })).toEqual(["second", "third"]);
  expect(ids({ group: ["CRM-AG", "SALES-AG"] })).toEqual(["first", "second", "third"]);
  expect(ids({ group: ["CRM-AG"], wait: ["network"] })).toEqual(["third"]);
  expect(ids({ group: [""] })).toEqual(["fourth"]);
});

test("a facet counts what its choices would list under the others, and choices that would list none stay", () => {
  const { facets, total } = ask({ wait: ["network"] });
  expect(total).toBe(2);
  expect(facets.group).toEqual([
    { value: "CRM-AG", name: "CRM-AG", count: 1 },
    { value: "", name: "", count: 0 },
    { value: "SALES-AG", name: "SALES-AG", count: 1 },
  ]);
  expect(counts(facets.wait)).toEqual({ network: 2, none: 1, analysing: 1 });
  expect(facets.wait.map(({ value }) => value)).toEqual(["network", "none", "analysing"]);
});

test("the counts of a facet without a choice add up to the list", () => {
  const { facets, total } = ask();
  for (const choices of [facets.group, facets.wait, facets.owner]) {
    expect(choices.reduce((sum, { count }) => sum + count, 0)).toBe(total);
  }
});

test("a capture is listed and counted by each of its tags, and one without any by none", () => {
  const lines = [
    line("drill", { tags: ["drill", "nightly"], group: "CRM-AG" }),
    line("night", { tags: ["nightly"] }),
    line("plain"),
  ];
  const page = (question: Partial<LibraryQuestion>) =>
    libraryPage(lines, { ...ALL, sort: "name", ...question }, null, NOW);
  expect(page({}).facets.tag).toEqual([
    { value: "nightly", name: "nightly", count: 2 },
    { value: "drill", name: "drill", count: 1 },
  ]);
  expect(page({ tag: ["drill", "nightly"] }).captures.map(({ id }) => id)).toEqual(["drill", "night"]);
  expect(counts(page({ group: ["SALES-AG"] }).facets.tag)).toEqual({ nightly: 1, drill: 0 });
  expect(counts(page({ tag: ["drill"] }).facets.group)).toEqual({ "CRM-AG": 1, "SALES-AG": 0 });
});

test("a choice that nothing has any more stays listed, with no capture", () => {
  expect(ask({ group: ["OLD-AG"] }).facets.group).toContainEqual({
    value: "OLD-AG",
    name: "OLD-AG",
    count: 0,
  });
});

test("views list one's own, what others share, what expires within 7 days, and the trash", () => {
  expect(ids({ view: "mine" })).toEqual(["first", "third"]);
  expect(ids({ view: "shared" })).toEqual(["second"]);
  expect(ids({ view: "shared" }, BEN.id)).toEqual([]);
  // A second less than 7 days, not 7 days.
  expect(ids({ view: "expiring" })).toEqual(["third"]);
  expect(ids({ view: "trash" })).toEqual(["gone"]);
  expect(ask({ wait: ["primary"] }).views).toEqual({ all: 4, mine: 2, shared: 1, expiring: 1, trash: 1 });
  expect(ids({ view: "mine" }, null)).toEqual([]);
});

test("lines are sorted by a column, those without a value last both ways, equal ones newest first", () => {
  expect(ids({ sort: "-p95" })).toEqual(["first", "second", "third", "fourth"]);
  expect(ids({ sort: "p95" })).toEqual(["second", "third", "first", "fourth"]);
  expect(ids({ sort: "group" })).toEqual(["second", "third", "first", "fourth"]);
  expect(ids({ sort: "captured" })[0]).toBe("first");
  // A capture that is kept permanently is last.
  expect(ids({ sort: "expires" }).slice(0, 2)).toEqual(["third", "second"]);
});

test("each column has its own order", () => {
  const page = (sort: LibraryQuestion["sort"], ...lines: LibraryLine[]) =>
    libraryPage(lines, { ...ALL, sort }, null, NOW).captures.map(({ id }) => id);
  expect(page("name", line("SQL10"), line("SQL9"))).toEqual(["SQL9", "SQL10"]);
  expect(page("length", line("a", { durationUs: 2 }), line("b", { durationUs: 1 }))).toEqual(["b", "a"]);
  expect(page("-size", line("a", { bytes: 1 }), line("b", { bytes: 2 }))).toEqual(["b", "a"]);
  expect(page("owner", line("a", { owner: null }), line("b", { owner: BEN }), line("c"))).toEqual([
    "c",
    "b",
    "a",
  ]);
  // Sorted by the time of the recording, or by the time of creation before that is known; equal ones by their id.
  const early = line("z", { from: "2026-11-01T00:00:00Z" });
  expect(page("captured", line("b"), line("a"), early)).toEqual(["z", "a", "b"]);
  expect(page("-captured", early, line("b"), line("a"))).toEqual(["a", "b", "z"]);
});

test("in the trash lines are sorted by until when they can come back; who may not change one does not see it there", () => {
  const trashed = (id: string, restorableUntil: string, change: Partial<LibraryLine> = {}) =>
    line(id, { trashed: { deleted: "2026-11-09", restorableUntil }, ...change });
  const { captures, views } = libraryPage(
    [
      trashed("late", "2026-11-16", { expires: "2026-11-12" }),
      trashed("early", "2026-11-15"),
      trashed("others", "2026-11-14", { mayChange: false }),
    ],
    { ...ALL, view: "trash", sort: "expires" },
    "a",
    NOW,
  );
  expect(captures.map(({ id }) => id)).toEqual(["early", "late"]);
  expect(views).toEqual({ all: 0, mine: 0, shared: 0, expiring: 0, trash: 2 });
});

test("pages part the list without a gap or an overlap, and know its size", () => {
  const all = ids();
  expect([...ids({ limit: 3 }), ...ids({ limit: 3, offset: 3 })]).toEqual(all);
  expect(ask({ limit: 1, offset: 2 })).toMatchObject({ total: 4, bytes: 40, offset: 2 });
});

test.each([
  ["p95>50ms", ["first"]],
  ["p95>=70.6ms", ["first"]],
  ["p95>70.6ms", []],
  ["p95<5ms", []],
  ["p95<=5000us", ["second", "third"]],
  ["group:crm wait:net", ["third"]],
  ['group:"CRM-AG" owner:ben', ["second"]],
  ["expires<7d", ["third"]],
  ["expires<=7d", ["second", "third"]],
  ["checkout", ["fourth"]],
  ["CHECKOUT fourth", ["fourth"]],
  ["checkout first", []],
  // A comparison with an unknown name or unit is a plain word.
  ["p95>fast", []],
  ["p95>50parsec", []],
  ["size>=10b size<1kb", ["first", "fourth", "second", "third"]],
])("the search %s", (q, expected) => {
  expect(ids({ q })).toEqual(expected);
});

test("words narrow the list and the counts; how many match without them is known", () => {
  const page = ask({ q: "checkout", owner: ["a"] });
  expect(page).toMatchObject({ total: 0, totalWithoutWords: 2 });
  expect(counts(page.facets.owner)).toEqual({ a: 0, b: 0, "": 1 });
});

test("room is what all files take, with those in the trash; a limit of 0 is none", () => {
  expect(storageUse(LINES, 100)).toEqual({ bytes: 47, trash: 7, limit: 100 });
  expect(storageUse([], 0)).toEqual({ bytes: 0, trash: 0, limit: null });
});
