import type { CaptureBrief } from "@aglens/contract";
import { expect, test } from "vitest";
import { withDeleted } from "./recent-list.ts";

const brief = (id: string, created: string) => ({ id, created }) as CaptureBrief;
const ids = (captures: readonly CaptureBrief[]) => captures.map(({ id }) => id);

test("a deleted capture stays where it was, whether the list was asked for again or not", () => {
  const [a, b, c, d] = [
    brief("a", "2026-11-04"),
    brief("b", "2026-11-03"),
    brief("c", "2026-11-03"),
    brief("d", "2026-11-01"),
  ];
  expect(ids(withDeleted([a, b, c, d], [c]))).toEqual(["a", "b", "c", "d"]);
  expect(ids(withDeleted([a, b, d], [c]))).toEqual(["a", "b", "c", "d"]);
  expect(ids(withDeleted([b, d], [c, a]))).toEqual(["a", "b", "c", "d"]);
  expect(ids(withDeleted([a], []))).toEqual(["a"]);
});
