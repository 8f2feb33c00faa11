/** The contract of every store of sessions and of the audit log (`access/access-store.ts`), as tests. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AccessStore, AuditRecord } from "../src/access/access-store.ts";

/** An empty store of a test. */
interface StoreUnderTest {
  readonly store: AccessStore;
  readonly end: () => Promise<void>;
}

/** @param open makes an empty store */
export function describeAccessStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`sessions and audit in ${name}`, () => {
    let store: AccessStore;
    let end: () => Promise<void>;
    beforeEach(async () => {
      ({ store, end } = await open());
    });
    afterEach(() => end());

    test("a session lasts until its instant, and no longer", async () => {
      const record = { personId: "token:Ann", name: "Ann", tokenHash: "h", groups: ["dba"] };
      await store.saveSession("one", "2026-11-22T11:00:00.000Z", record);
      await store.saveSession("one", "2026-11-22T12:00:00.000Z", record);
      expect(await store.session("one", "2026-11-22T11:59:59.999Z")).toEqual(record);
      expect(await store.session("one", "2026-11-22T12:00:00.000Z")).toBeNull();
      await store.sweep("2026-11-22T11:59:59.999Z", "");
      expect(await store.session("one", "")).toEqual(record);
      await store.sweep("2026-11-22T12:00:00.000Z", "");
      expect(await store.session("one", "")).toBeNull();
    });

    test("a session that was ended is none", async () => {
      const record = { personId: "directory:s", name: "Eve", tokenHash: null, groups: [] };
      await store.saveSession("one", "2026-11-22", record);
      await store.saveSession("two", "2026-11-22", record);
      await store.deleteSession("one");
      expect(await store.session("one", "")).toBeNull();
      expect(await store.session("two", "")).toEqual(record);
    });

    test("a session is changed while it lasts, and does not come back by that", async () => {
      const record = { personId: "directory:s", name: "Eve", tokenHash: null, groups: ["dba"] };
      const changed = { ...record, groups: [] };
      await store.saveSession("one", "2026-11-22T12:00:00.000Z", record);
      await store.saveSession("two", "2026-11-22T12:00:00.000Z", record);
      await store.changeSession("one", changed);
      expect(await store.session("one", "2026-11-22T11:59:59.999Z")).toEqual(changed);
      expect(await store.session("one", "2026-11-22T12:00:00.000Z")).toBeNull();
      expect(await store.session("two", "")).toEqual(record);
      await store.deleteSession("one");
      await store.changeSession("one", record);
      expect(await store.session("one", "")).toBeNull();
    });

    test("entries come newest first, in pages, with words in any of their fields, and go when they are old", async () => {
      const entry = (day: number, changes: Partial<AuditRecord> = {}): AuditRecord => ({
        at: `2026-11-0${day}T00:00:00.000Z`,
        personId: "token:Ann",
        person: "Ann",
        action: "deleted",
        what: "Night",
        ...changes,
      });
      const entries = [
        entry(1),
        entry(2, { what: "Fri%day_\u0000" }),
        entry(3, { person: "Bob", action: "made a link" }),
      ];
      for (const each of entries) await store.addAudit(each);
      const days = async (limit: number, before: number | null, words?: string) =>
        (await store.audit(limit, before, words)).map(({ at }) => Number(at.slice(8, 10)));
      expect(await days(10, null)).toEqual([3, 2, 1]);
      const [newest] = await store.audit(1, null);
      expect(newest).toMatchObject(entry(3, { person: "Bob", action: "made a link" }));
      expect(await days(10, newest?.number ?? null)).toEqual([2, 1]);
      expect(await days(10, null, "bOb")).toEqual([3]);
      expect(await days(10, null, "2026-11-02")).toEqual([2]);
      expect(await days(10, null, "%")).toEqual([2]);
      expect(await days(10, null, "A LINK")).toEqual([3]);
      await store.sweep("", "2026-11-02T00:00:00.000Z");
      expect(await days(10, null)).toEqual([3, 2]);
    });
  });
}
