import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../test/events.ts";
import { haveSameSide, type FileToGroup } from "./files.ts";
import { identityOf } from "./identity.ts";

/** Identity of an engine of 2012, unless `at` is present. */
function fileOf(events: readonly EventSpec[]): FileToGroup {
  const identity = identityOf(eventColumns(events));
  return { name: "a.xel", folder: "", size: 1, hash: "", identity };
}

const sent = (database: string, partner: string): EventSpec => ({ kind: "capture", published: 1, database, partner, block: 1n }); // prettier-ignore
const received = (database: string): EventSpec => ({ ...sent(database, "id-1"), kind: "apply" });

describe("files without start_timestamp", () => {
  it("have the same side where they show one role of each of the same databases, towards the same replicas", () => {
    const sales = fileOf([sent("sales", "id-2")]);
    expect(haveSameSide(sales, fileOf([sent("sales", "id-2"), sent("sales", "id-2")]))).toBe(true);
    expect(haveSameSide(sales, fileOf([sent("sales", "id-3")]))).toBe(false);
    expect(haveSameSide(sales, fileOf([sent("stock", "id-2")]))).toBe(false);
    const secondary = fileOf([received("sales")]);
    expect(haveSameSide(secondary, fileOf([received("sales")]))).toBe(true);
    expect(haveSameSide(fileOf([sent("sales", "id-1")]), secondary)).toBe(false);
  });

  it("have none where they name no database, or one of them has a counter", () => {
    const nameless = fileOf([{ kind: "flushStart", published: 1, block: 1n }]);
    expect(haveSameSide(nameless, nameless)).toBe(false);
    const sales = fileOf([sent("sales", "id-2")]);
    const counted = fileOf([{ ...sent("sales", "id-2"), at: 1, took: 0 }]);
    expect(haveSameSide(sales, counted)).toBe(false);
    expect(haveSameSide(counted, sales)).toBe(false);
  });
});
