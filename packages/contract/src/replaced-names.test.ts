import { Sequence } from "./shapes/sequence.ts";
import { Summary } from "./shapes/summary.ts";
import { expect, test } from "vitest";
import { mapTexts, replacedNames } from "./replaced-names.ts";

const named = (names: readonly string[]) => names.map((name) => ({ name })) as never;
const names = replacedNames(
  { replicas: named(["SQL1", "SQL10\\A"]), databases: named(["network", "Pay(roll)"]), files: named([]) },
  "Friday",
);

test("whole names only, in any case, the longest first, and back again", () => {
  expect(names.hide("sql1 to SQL10\\A, SQL11, Pay(roll) on friday")).toBe(
    "Replica 1 to Replica 2, SQL11, Database 2 on Group 1",
  );
  expect(names.find("async:Replica 2")).toBe("async:SQL10\\A");
});

test("the verdict of a capture without movement events, which names a group, becomes a neutral one", () => {
  const sentence = "SALES-AG failed over from SQL1 to SQL2 at 02:17:41 UTC, because the lease expired.";
  const hidden = (hasCapture: boolean, cause: string): string =>
    replacedNames(
      {
        replicas: ["SQL1", "SQL2"].map((name) => ({ name, hasCapture })) as never,
        databases: [],
        files: [],
        verdict: { sentence, cause } as never,
      },
      "Friday",
    ).hide(sentence);
  expect(hidden(false, "role_change")).toBe("The availability group failed over or went offline.");
  expect(hidden(true, "role_change")).toContain("from Replica 1 to Replica 2 at");
  expect(hidden(false, "none")).toContain("from Replica 1 to Replica 2 at");
});

test("names of applications have the number by which commits refer to them", () => {
  const clients = { names: ["", "OrderEntry", "SQL1 monitor"] } as never;
  const { hide } = replacedNames({ replicas: named(["SQL1"]), databases: [], files: [], clients }, "x");
  expect(hide("orderentry and SQL1 monitor on SQL1")).toBe("Application 1 and Application 2 on Replica 1");
});

test("words of ours stay although a database has such a name, texts of any depth do not", () => {
  const verdict = { sentence: "The network waits", place: "network", findings: [{ source: "SQL1" }] };
  expect(mapTexts(Summary, { verdict, files: [{ name: "x" }] }, names.hide)).toEqual({
    verdict: { sentence: "The Database 1 waits", place: "network", findings: [{ source: "Replica 1" }] },
    files: [{ name: "x" }],
  });
  const events = [{ fields: { a: ["SQL1", 5] }, duration: 7 }];
  expect(mapTexts(Sequence, { events }, names.hide)).toEqual({
    events: [{ fields: { a: ["Replica 1", 5] }, duration: 7 }],
  });
});

test("a name may hold every character that a pattern gives a meaning", () => {
  const odd = "SQL-1/a.b*c+d?e^f$g{h}(i)[j]|k\\l";
  const { hide, find } = replacedNames(
    { replicas: named([odd]), databases: named([]), files: named([]) },
    "Friday - 6 May",
  );
  expect(hide(`${odd} on Friday - 6 May`)).toBe("Replica 1 on Group 1");
  expect(find("Replica 1")).toBe(odd);
});
