import { expect, test } from "vitest";
import { CatalogueUnreachableError } from "../catalogue.ts";
import { isUnreachable, withUnreachable } from "./reachable.ts";

test.each([
  [{ code: "ECONNREFUSED" }, true],
  [{ code: "57P01" }, true],
  [{ code: "08006" }, true],
  [{ message: "Connection terminated unexpectedly" }, true],
  [{ message: "timeout exceeded when trying to connect" }, true],
  [{ code: "23505" }, false],
  [{ code: "42P01" }, false],
  [{ message: "refused" }, false],
])("%o is a database that does not answer: %s", (properties, expected) => {
  expect(isUnreachable(Object.assign(new Error("x"), properties))).toBe(expected);
});

test("what breaks the connection is told apart from what a call throws", async () => {
  const calls = withUnreachable({
    name: "x",
    broken: () => Promise.reject(Object.assign(new Error("closed"), { code: "ECONNRESET" })),
    refused: () => Promise.reject(new Error("refused")),
    sound: (value: number) => Promise.resolve(value + 1),
  });
  await expect(calls.broken()).rejects.toBeInstanceOf(CatalogueUnreachableError);
  await expect(calls.refused()).rejects.toThrow("refused");
  expect(await calls.sound(1)).toBe(2);
  expect(calls.name).toBe("x");
});
