/** The contract of every catalog (`store/catalog.ts`), as tests. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Catalog, CaptureRecord, LinkRecord, OwnDrafts } from "../src/store/catalog.ts";

/** An empty catalog of a test. */
export interface CatalogUnderTest {
  /** Opens it, as each of several servers would; the caller closes it. */
  open(): Promise<Catalog>;
  end(): Promise<void>;
}

export const capture = (id: string, expires: string | null = null): CaptureRecord => ({
  id,
  name: id,
  created: "2026-11-01T00:00:00.000Z",
  expires,
  life: { is: "listed" },
  analysis: { is: "none" },
  files: [],
});

export const link = (id: string, captureId: string, expires: string | null = null): LinkRecord => ({
  id,
  captureId,
  path: "/",
  view: "",
  title: "",
  created: "2026-11-01T00:00:00.000Z",
  expires,
  tokenHash: "",
});

const trashed = (since: string): CaptureRecord["life"] => ({ is: "trashed", since, because: "deleted" });

const ALL = { fewestFiles: 0 } as const;
const ANN = { id: "token:Ann", name: "Ann" };
const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

type File = CaptureRecord["files"][number];
const file = (from: string | null, role: string, size = 0): File => ({ from, role, size }) as File;

/** @param begin makes an empty catalog */
export function describeCatalog(name: string, begin: () => Promise<CatalogUnderTest>): void {
  describe(`a catalogue in ${name}`, () => {
    let under: CatalogUnderTest;
    let catalogue: Catalog;
    beforeEach(async () => {
      under = await begin();
      catalogue = await under.open();
    });
    afterEach(async () => {
      await catalogue.close();
      await under.end();
    });
    const add = async (...records: readonly CaptureRecord[]): Promise<void> => {
      for (const record of records) expect(await catalogue.addCapture(record)).toBe(true);
    };
    /** Opens it once more, as another server. */
    const another = async <T>(use: (other: Catalog) => Promise<T>): Promise<T> => {
      const other = await under.open();
      try {
        return await use(other);
      } finally {
        await other.close();
      }
    };

    test("briefs come newest first, those of one instant by id, from any of them on", async () => {
      const [first, second] = ["2026-11-01T00:00:00.000Z", "2026-11-02T00:00:00.000Z"];
      for (const [id, created] of [
        ["c", first],
        ["a", first],
        ["b", first],
        ["B", first],
        ["z", second],
      ] as const)
        await add({ ...capture(id), created });
      const ids = async (limit: number, after?: { created: string; id: string }) =>
        idsOf(await catalogue.briefs(limit, ALL, after));
      expect(await ids(10)).toEqual(["z", "B", "a", "b", "c"]);
      expect(await ids(2)).toEqual(["z", "B"]);
      expect(await ids(2, { created: first, id: "a" })).toEqual(["b", "c"]);
      expect(await ids(2, { created: second, id: "z" })).toEqual(["B", "a"]);
      expect(await catalogue.ids()).toEqual(["z", "B", "a", "b", "c"]);
      expect(idsOf(await catalogue.captures())).toEqual(["z", "B", "a", "b", "c"]);
    });

    test("a brief has the first event of the files that are not left out, and its problem as it was", async () => {
      const problem = { type: "t", title: "T", status: 422, detail: "D.", code: "analysis-failed" };
      const files = [
        file("2016-05-06T02", "primary"),
        file("2016-05-06T01", "secondary"),
        file("2015", "ignored"),
        file(null, "primary"),
      ];
      const found = { verdict: "V", severity: "slow", place: "network" } as const;
      await add({
        ...capture("a", "2026-12-01"),
        analysis: { is: "failed", problem },
        files,
        owner: ANN,
        shared: true,
      });
      const digest = { durationUs: 92_000_000, p95Us: 176_250.5, glyph: "" };
      await add({ ...capture("empty"), analysis: { is: "ready", ...found, digest } });
      const common = { created: "2026-11-01T00:00:00.000Z" };
      const failed = { ...common, id: "a", name: "a", expires: "2026-12-01", state: "failed", problem };
      const empty = {
        ...common,
        id: "empty",
        name: "empty",
        expires: null,
        state: "ready",
        problem: null,
      };
      const none = { verdict: null, severity: null, place: null };
      expect(await catalogue.briefs(10, ALL)).toEqual([
        { ...failed, ...none, files: 4, from: "2016-05-06T01", owner: "Ann", shared: true, p95Us: null },
        { ...empty, ...found, files: 0, from: null, owner: null, shared: false, p95Us: 176_250.5 },
      ]);
      expect(idsOf(await catalogue.briefs(10, { fewestFiles: 1 }))).toEqual(["a"]);
      expect(await catalogue.count(ALL)).toBe(2);
      expect(await catalogue.count({ fewestFiles: 1 })).toBe(1);
    });

    test("a person sees what is theirs or shared", async () => {
      await add({ ...capture("anns"), owner: ANN }, { ...capture("shared"), shared: true });
      await add({ ...capture("others"), owner: { id: "token:Bob", name: "Bob" }, shared: false });
      const anns = { ...ALL, seenBy: ANN.id };
      expect(idsOf(await catalogue.briefs(10, anns))).toEqual(["anns", "shared"]);
      expect(await catalogue.count(anns)).toBe(2);
    });

    test("a draft is listed for the user who dropped its files, with captures or alone", async () => {
      const draft = { expires: null };
      await add({ ...capture("night") }, { ...capture("anns"), owner: ANN, draft });
      await add({ ...capture("of a browser"), draft: { ...draft, browser: "b1" } });
      await add({ ...capture("of a program"), draft });
      const listed = async (show: OwnDrafts["show"], personId: string | null, browser: string | null) => {
        const asked = { ...ALL, drafts: { show, personId, browser } };
        const ids = idsOf(await catalogue.briefs(10, asked)).toSorted();
        expect(await catalogue.count(asked)).toBe(ids.length);
        return ids;
      };
      expect(await listed("with", ANN.id, "b2")).toEqual(["anns", "night", "of a program"]);
      expect(await listed("only", ANN.id, "b2")).toEqual(["anns", "of a program"]);
      expect(await listed("with", null, "b1")).toEqual(["night", "of a browser", "of a program"]);
      expect(await listed("without", null, "b1")).toEqual(["night"]);
      const [own] = await catalogue.briefs(1, {
        ...ALL,
        drafts: { show: "only", personId: ANN.id, browser: null },
      });
      expect(own).toMatchObject({ id: "anns", isDraft: true });
    });

    test("bytes and analyses are counted, of all and of a person, with the trash", async () => {
      await add({
        ...capture("a"),
        owner: ANN,
        analysis: { is: "running", cutOff: 0 },
        files: [file(null, "", 2), file(null, "", 4)],
      });
      await add({ ...capture("b"), files: [file(null, "", 8)], analysis: { is: "running", cutOff: 0 } });
      await add({ ...capture("c"), owner: ANN, files: [file(null, "", 16e9)], life: trashed("2026-11-02") });
      expect(await catalogue.bytes()).toBe(16e9 + 14);
      expect(await catalogue.bytes(ANN.id)).toBe(16e9 + 6);
      expect(await catalogue.bytes("nobody")).toBe(0);
      expect(await catalogue.analysing(ANN.id)).toBe(1);
    });

    test("a record is as it was given, whatever is in its texts", async () => {
      const name = "Nacht 🌙 \u2028 'quoted\" \\ {} $1 %s";
      await add({ ...capture("a"), name, marks: [{ ticks: "1", label: "m", byRule: false }] });
      expect(await catalogue.capture("a")).toEqual({
        ...capture("a"),
        name,
        marks: [{ ticks: "1", label: "m", byRule: false }],
      });
      expect(await catalogue.capture("none")).toBeNull();
    });

    test("a text that a database does not take keeps no list from being read", async () => {
      await add({ ...capture("a"), name: "cut \ud83c off \0" });
      await catalogue.changeCapture("a", (record) => ({
        ...record,
        analysis: { is: "ready", verdict: `${record.name} \\u0000`, severity: null, place: null },
      }));
      const name = expect.stringMatching(/^cut .+ off/u);
      expect(await catalogue.briefs(10, ALL)).toMatchObject([{ id: "a", name }]);
      expect(await catalogue.capture("a")).toMatchObject({
        name,
        analysis: { verdict: expect.stringContaining("\\u0000") },
      });
    });

    test("a capture is added once: another with its id changes nothing", async () => {
      await add(capture("a"));
      expect(await catalogue.addCapture({ ...capture("a"), name: "other" })).toBe(false);
      expect(await catalogue.capture("a")).toEqual(capture("a"));
    });

    describe("a change", () => {
      test("is stored, with what lists know of it, and returned", async () => {
        await add(capture("a"));
        const changed = await catalogue.changeCapture("a", (record) => ({
          ...record,
          name: "new",
          expires: "2026-12-01",
        }));
        expect(changed).toEqual({ ...capture("a", "2026-12-01"), name: "new" });
        expect(await catalogue.capture("a")).toEqual(changed);
        expect(await catalogue.briefs(1, ALL)).toMatchObject([{ name: "new", expires: "2026-12-01" }]);
        expect(await catalogue.expiredCaptures("2026-12-01")).toEqual(["a"]);
      });

      test("of what is not there is none", async () => {
        const change = () => expect.unreachable();
        expect(await catalogue.changeCapture("a", change)).toBeNull();
        expect(await catalogue.changeLink("a", change)).toBeNull();
        expect(await catalogue.capture("a")).toBeNull();
      });

      test("that throws, or returns what it was given, stores nothing", async () => {
        await add(capture("a"));
        const refused = catalogue.changeCapture("a", () => {
          throw new Error("refused");
        });
        await expect(refused).rejects.toThrow("refused");
        expect(await catalogue.changeCapture("a", (record) => record)).toEqual(capture("a"));
        expect(await catalogue.capture("a")).toEqual(capture("a"));
      });

      test("sees each that was stored before it: of many at once, by two servers, none is lost", async () => {
        await add(capture("a"));
        await catalogue.addLink(link("l", "a"));
        const notes = (record: CaptureRecord, by: string) => `${record.name},${by}`;
        await another((other) =>
          Promise.all(
            [catalogue, other].flatMap((each, server) =>
              Array.from({ length: 10 }, async (_, count) => {
                await each.changeCapture("a", (record) => ({
                  ...record,
                  name: notes(record, `${server}.${count}`),
                }));
                await each.changeLink("l", (record) => ({ ...record, title: `${record.title}+` }));
              }),
            ),
          ),
        );
        expect((await catalogue.capture("a"))?.name.split(",")).toHaveLength(21);
        expect((await catalogue.link("l"))?.title).toBe("+".repeat(20));
      });

      test("is there for every server as soon as it resolved", async () => {
        await add(capture("a"));
        await another(async (other) => {
          for (const name of ["b", "c", "d"]) {
            await catalogue.changeCapture("a", (record) => ({ ...record, name }));
            expect((await other.capture("a"))?.name).toBe(name);
          }
        });
      });
    });

    test("a link is added to a capture that is there; none is left of one that is deleted at the same time", async () => {
      expect(await catalogue.addLink(link("l", "gone"))).toBe(false);
      expect(await catalogue.link("l")).toBeNull();
      await another(async (other) => {
        for (let round = 0; round < 20; round++) {
          await catalogue.addCapture(capture("a"));
          const ids = Array.from({ length: 5 }, (_, i) => `l${round}.${i}`);
          await Promise.all([
            ...ids.slice(0, 2).map((id) => catalogue.addLink(link(id, "a"))),
            other.deleteCapture("a"),
            ...ids.slice(2).map((id) => catalogue.addLink(link(id, "a"))),
          ]);
          expect(await catalogue.linksOf("a")).toEqual([]);
        }
      });
    });

    test("links come newest first and go with their capture", async () => {
      await add(capture("older"), { ...capture("newer"), created: "2026-11-02T00:00:00.000Z" });
      await catalogue.addLink(link("a", "older"));
      await catalogue.addLink(link("b", "newer"));
      await catalogue.addLink({ ...link("c", "newer"), created: "2026-11-03T00:00:00.000Z" });
      await catalogue.savePlan({ id: "older", plan: "[]" });
      await catalogue.deleteCapture("older");
      expect(await catalogue.capture("older")).toBeNull();
      expect(await catalogue.link("a")).toBeNull();
      expect(await catalogue.plans()).toEqual([]);
      expect(await catalogue.link("b")).toEqual(link("b", "newer"));
      expect(idsOf(await catalogue.linksOf("newer"))).toEqual(["c", "b"]);
    });

    test("time is over at its instant, not before", async () => {
      const at = "2026-11-05T12:00:00.000Z";
      await add(capture("ends", at), capture("stays"));
      expect(await catalogue.expiredCaptures("2026-11-05T11:59:59.999Z")).toEqual([]);
      expect(await catalogue.expiredCaptures(at)).toEqual(["ends"]);
      await catalogue.addLink(link("ends", "stays"));
      await catalogue.changeLink("ends", (record) => ({ ...record, expires: at }));
      await catalogue.addLink(link("stays", "stays"));
      await catalogue.deleteExpiredLinks("2026-11-05T11:59:59.999Z");
      expect(await catalogue.link("ends")).not.toBeNull();
      await catalogue.deleteExpiredLinks(at);
      expect(await catalogue.link("ends")).toBeNull();
      expect(await catalogue.link("stays")).not.toBeNull();
    });

    test("a capture in the trash is in no list, has no link, and does not expire", async () => {
      const deleted = {
        ...capture("gone", "2026-11-05T12:00:00.000Z"),
        life: trashed("2026-11-04T00:00:00.000Z"),
      };
      await add(deleted, capture("here"), {
        ...capture("before"),
        life: trashed("2026-11-03T00:00:00.000Z"),
      });
      await catalogue.addLink(link("a", "gone"));
      expect(idsOf(await catalogue.briefs(10, ALL))).toEqual(["here"]);
      expect(await catalogue.count(ALL)).toBe(1);
      expect(await catalogue.expiredCaptures("2027-01-01T00:00:00.000Z")).toEqual([]);
      expect(await catalogue.link("a")).toBeNull();
      expect(await catalogue.changeLink("a", () => expect.unreachable())).toBeNull();
      expect(await catalogue.deletedCaptures()).toMatchObject([{ id: "before" }, deleted]);
      await catalogue.changeCapture("gone", (record) => ({ ...record, life: { is: "listed" } }));
      expect(await catalogue.link("a")).not.toBeNull();
      expect(idsOf(await catalogue.deletedCaptures())).toEqual(["before"]);
    });

    test("files of an earlier version keep what the user said of their role", async () => {
      const old = (role: string) => ({
        id: role,
        kind: "xel",
        detectedRole: "primary",
        role,
        replica: "SQL1",
      });
      const record: object = { ...capture("a"), files: [old("primary"), old("ignored")] };
      await add(record as CaptureRecord);
      expect((await catalogue.capture("a"))?.files).toMatchObject([
        { identity: null, path: "", sha256: "", given: {} },
        { identity: null, given: { role: "ignored" } },
      ]);
    });

    test("facts and plans are kept by their names, the last of each", async () => {
      expect(await catalogue.fact("a")).toBeNull();
      for (const value of ["1", "2"]) {
        await catalogue.saveFact("a", value);
        await catalogue.savePlan({ id: "p", plan: value });
      }
      await catalogue.savePlan({ id: "o", plan: "[]" });
      expect(await catalogue.fact("a")).toBe("2");
      expect(await catalogue.plans()).toEqual([
        { id: "o", plan: "[]" },
        { id: "p", plan: "2" },
      ]);
      await catalogue.deletePlan("o");
      expect(await catalogue.plans()).toHaveLength(1);
    });

    test("the end of a plan is stored as a whole or not at all, and once: who comes later changes nothing", async () => {
      await add(capture("a"), capture("there"));
      await catalogue.savePlan({ id: "a", plan: "[]" });
      const added = [capture("b"), { ...capture("there"), name: "again" }];
      const broken = catalogue.endPlan("a", added, () => {
        throw new Error("in the middle");
      });
      await expect(broken).rejects.toThrow("in the middle");
      expect(await catalogue.ids()).toEqual(["a", "there"]);
      expect(await catalogue.plans()).toHaveLength(1);
      await catalogue.endPlan("a", added, (record) => ({ ...record, name: "less" }));
      expect(await catalogue.ids()).toEqual(["a", "b", "there"]);
      expect(await catalogue.capture("a")).toMatchObject({ name: "less" });
      expect(await catalogue.capture("there")).toEqual(capture("there"));
      expect(await catalogue.plans()).toEqual([]);
      await catalogue.deleteCapture("b");
      await catalogue.endPlan("a", added, () => expect.unreachable());
      expect(await catalogue.ids()).toEqual(["a", "there"]);
      await catalogue.savePlan({ id: "none", plan: "[]" });
      await catalogue.endPlan("none", [capture("c")], () => expect.unreachable());
      expect(await catalogue.capture("c")).toEqual(capture("c"));
    });

    test("what was stored is there when it is opened again", async () => {
      await add(capture("a"));
      await catalogue.addLink(link("l", "a"));
      await catalogue.close();
      catalogue = await under.open();
      expect(await catalogue.capture("a")).toEqual(capture("a"));
      expect(await catalogue.link("l")).toEqual(link("l", "a"));
      expect(catalogue.damaged).toEqual([]);
    });
  });
}
