import { describe, expect, test } from "vitest";
import type { Catalog, CaptureRecord } from "../store/catalog.ts";
import { Quotas } from "./quotas.ts";

const MB = 1_000_000;
const ANNS = { owner: { id: "token:Ann", name: "Ann" } } as CaptureRecord;
const NOBODYS = {} as CaptureRecord;
const NONE = { quotaBytes: 0, quotaBytesPerPerson: 0, analysesPerPerson: 0 };

/** @param stored bytes, of all and of Ann @param analyzing captures of Ann */
function quotas(limits: Partial<typeof NONE>, stored = [0, 0], analysing = 0, unfinished = [0, 0]): Quotas {
  const of = (all: readonly number[], owner?: string): Promise<number> =>
    Promise.resolve(all[owner === undefined ? 0 : 1] ?? 0);
  const catalogue: Pick<Catalog, "bytes" | "analysing"> = {
    bytes: (owner) => of(stored, owner),
    analysing: () => Promise.resolve(analysing),
  };
  return new Quotas(catalogue as Catalog, { ...NONE, ...limits }, (owner) => of(unfinished, owner));
}

const detailOf = async (work: () => Promise<unknown>): Promise<string | null> => {
  try {
    await work();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

async function* parts(...lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const length of lengths) yield new Uint8Array(length);
}
async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const part of source) bytes += part.length;
  return bytes;
}

describe("bytes", () => {
  test("without a limit are not counted", async () => {
    const source = parts(1);
    expect(await quotas({}).within(ANNS, 1e15, source)).toBe(source);
    expect(await detailOf(() => quotas({}).expectBytes(ANNS, 1e15))).toBeNull();
    // The limit per person does not apply to captures without an owner.
    expect(await detailOf(() => quotas({ quotaBytesPerPerson: 1 }).expectBytes(NOBODYS, 2))).toBeNull();
  });

  test("may take what is left to the last one, uploads in parts counted whole", async () => {
    const some = quotas({ quotaBytes: 10 * MB }, [5 * MB, 0], 0, [3 * MB, 0]);
    expect(await detailOf(() => some.expectBytes(NOBODYS, 2 * MB))).toBeNull();
    expect(await detailOf(() => some.expectBytes(NOBODYS, 2 * MB + 1))).toBe(
      "Can't store the file: the quota for files of this server is 10 MB, and 2 MB are left. Permanently delete captures, also in the trash, or ask an administrator for a larger quota.",
    );
  });

  test("are refused by the limit that has less left", async () => {
    const both = { quotaBytes: 10 * MB, quotaBytesPerPerson: 6 * MB };
    const words = (stored: number[]): Promise<string | null> =>
      detailOf(() => quotas(both, stored).expectBytes(ANNS, 9 * MB));
    expect(await words([3 * MB, 1 * MB])).toMatch(/the quota for files of Ann is 6 MB, and 5 MB are left\./u);
    expect(await words([9 * MB, 1 * MB])).toMatch(
      /the quota for files of this server is 10 MB, and 1 MB are left\./u,
    );
    // More than the quota is taken where it was lowered.
    expect(await words([11.25 * MB, 0])).toMatch(/ is 10 MB, and 0 MB are left\./u);
  });

  test("of a person are those of that person's captures and unfinished uploads alone", async () => {
    const anns = quotas({ quotaBytesPerPerson: 6 * MB }, [90 * MB, 1 * MB], 0, [80 * MB, 2 * MB]);
    expect(await detailOf(() => anns.expectBytes(ANNS, 3 * MB))).toBeNull();
    expect(await detailOf(() => anns.expectBytes(ANNS, 3 * MB + 1))).toContain("and 3 MB are left");
  });

  test("that come are counted as they come, those announced at once", async () => {
    const ten = quotas({ quotaBytes: 10 });
    expect(await bytesOf(await ten.within(NOBODYS, 10, parts(4, 6)))).toBe(10);
    await expect(bytesOf(await ten.within(NOBODYS, 0, parts(4, 6, 1)))).rejects.toMatchObject({
      problem: { code: "over-quota", status: 507 },
    });
    expect(await detailOf(() => ten.within(NOBODYS, 11, parts()))).toContain("is 0 MB");
    expect(
      await detailOf(() => quotas({ quotaBytes: 10 }, [10, 0]).within(NOBODYS, 0, parts())),
    ).not.toBeNull();
    expect(await detailOf(() => quotas({ quotaBytes: 10 }, [9, 0]).within(NOBODYS, 0, parts()))).toBeNull();
  });
});

test("analyses of a person are limited, nobody's are not", async () => {
  const refusal = (most: number, analysing: number, record = ANNS): Promise<string | null> =>
    detailOf(() => quotas({ analysesPerPerson: most }, [0, 0], analysing).expectAnalysis(record));
  expect(await Promise.all([refusal(2, 1), refusal(0, 9), refusal(2, 9, NOBODYS)])).toEqual([
    null,
    null,
    null,
  ]);
  expect(await refusal(2, 2)).toBe(
    "2 captures of Ann are analyzed or wait for it, which is the limit. Wait for one to end, or cancel it.",
  );
  expect(await refusal(1, 1)).toMatch(/^1 capture of Ann are/u);
});
