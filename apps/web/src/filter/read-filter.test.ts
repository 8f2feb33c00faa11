import { describe, expect, test } from "vitest";
import { blockFilterText, parseBlockFilter } from "@aglens/contract";
import type { FilterNames } from "./filter-names.ts";
import { conditionMeaning, durationSubject, filterText } from "./filter-text.ts";
import { isFilterText, readFilter } from "./read-filter.ts";

const names: FilterNames = {
  primary: "SQL1",
  secondaries: ["SQL2", "SQL 3"],
  databases: ["Payroll", "Sales"],
  applications: ["", "OrderEntry", "SQLAgent, TSQL JobStep", "a > b"],
};

/** The filter in the form of an address; null with a problem. */
const read = (text: string): string | null => {
  const { conditions, problem } = readFilter(text, names);
  return problem === null ? blockFilterText(conditions) : null;
};
const problemOf = (text: string) => {
  const { problem } = readFilter(text, names);
  return problem && { at: text.slice(problem.from, problem.to), ...problem };
};

describe("a filter as it is typed", () => {
  test.each([
    ["log write > 50 ms on SQL2", "secondaryFlush@1>50000"],
    ["SQL 3 log write > 50ms", "secondaryFlush@2>50000"],
    ["log write on sql1 >= 50", "localFlush>=50000"],
    ["LOG  WRITE > 50", "logWrite>50000"],
    ["any replica log write > 50", "logWrite>50000"],
    ["commit > 1.5 s", "commit>1500000"],
    ["commit over 300 ms", "commit>300000"],
    ["over 300 ms", "commit>300000"],
    ["at most 20", "commit<=20000"],
    ["round trip > 200 µs", "networkRoundTrip>200"],
    ["SQL2 network out < 200us", "wireOut@1<200"],
    ["commit = 5..8 ms", "commit=5000..8000"],
    ["commit = 800 µs..1 ms", "commit=800..1000"],
    ["size > 512", "size>512"],
    ["size >= 60 kB", "size>=60000"],
    ["gate = SQL2", "gate@1"],
    ["session:57", "session=57"],
    ["Session = 57|61", "session=57|61"],
    ['app:"orderentry"', "app=1"],
    ["application:OrderEntry", "app=1"],
    ['app:"SQLAgent, TSQL JobStep"|"OrderEntry", commit > 5', "app=2|1,commit>5000"],
    ['app:"a > b"', "app=3"],
    ['app:""', "app=0"],
    ["app:12", "app=12"],
    ["statement:3", "statement=3"],
    ["gate=local", "gate=local"],
    ["gate = sql1", "gate=local"],
    ["lsn = 34:359", "lsn=00000022:00000167..00000022:00000167"],
    ["lsn = 0x22:167", "lsn=00000022:00000167..00000022:00000167"],
    ["lsn = 0x00000022:0x00000167..34:503", "lsn=00000022:00000167..00000022:000001f7"],
    ["SQL2 log write > 50 ms on SQL2", "secondaryFlush@1>50000"],
    ["lsn = 00000022:000001f7..00000022:00000167", "lsn=00000022:00000167..00000022:000001f7"],
    ["db = sales", "db=1"],
    ["class = bad", "class=bad"],
    ["class = busy on SQL2", "class@1=busy"],
    ["class = bad on SQL1", "class@0=bad"],
    ["secondaryFlush > 50, gate = SQL2", "logWrite>50000,gate@1"],
    ["log write > 50 on SQL2 , gate = SQL2 ,", "secondaryFlush@1>50000,gate@1"],
    ["", ""],
  ])("%s", (text, address) => {
    // The address contains the id of one replica's log write, with its slot.
    expect(read(text)).toBe(
      address.replace(
        "logWrite>50000,gate",
        text.startsWith("sec") ? "secondaryFlush>50000,gate" : "logWrite>50000,gate",
      ),
    );
  });

  test("is printed so that it is read again, and as its meaning", () => {
    const addresses = [
      "secondaryFlush@1>50000,gate@1",
      "localFlush<=1500,logWrite>1500000,networkRoundTrip>200",
      "commit=5000..8000,size>512,gate=local,db=1,class@2=bad,class=good",
      "lsn=00000022:00000167..00000022:000001f7",
      // Edges of bins have this many digits.
      "secondaryFlush@1=12345.678901..23456.789012,commit>1234567.891234,wireOut@2>0.123456",
    ];
    for (const address of addresses) {
      const words = filterText(parseBlockFilter(address)!, names);
      expect(read(words)).toBe(address);
    }
    const meanings = parseBlockFilter(
      "secondaryFlush@1>50000,gate@1,gate=local,networkRoundTrip>20000,class@1=bad",
    )!;
    const bin = parseBlockFilter("secondaryFlush@1=12345.678901..23456.789012")!;
    expect(conditionMeaning(bin[0], names).replaceAll("\u2009", " ")).toBe(
      "SQL2 log write = 12.3 ms..23.5 ms",
    );
    expect(meanings.map((each) => conditionMeaning(each, names).replaceAll("\u2009", " "))).toEqual([
      "SQL2 log write > 50 ms",
      "released by SQL2's ack",
      "released by SQL1's own log write",
      "round trip > 20 ms on any replica",
      "bad log write on SQL2",
    ]);
  });

  test("keeps its good conditions beside one that cannot be read", () => {
    const { conditions, problem } = readFilter("log write > 50 ms on SQL2, gate = SQ", names);
    expect(blockFilterText(conditions)).toBe("secondaryFlush@1>50000");
    expect(problem).toMatchObject({ from: 34, to: 36, nearest: ["SQL2", "SQL 3"] });
  });
});

describe("what cannot be read is named, with the nearest words", () => {
  test.each([
    ["log wrte > 50 ms", "log wrte", ["log write"]],
    ["comit > 50", "comit", ["commit"]],
    ["log wr", "log wr", ["log write"]],
    ["gate", "gate", ["gate = "]],
    ["log write on SQL2", "log write on SQL2", ["log write on SQL2 > "]],
    ["log write > 50 ms on SQL9", "SQL9", ["SQL2"]],
    ["commit > 50 m", "50 m", ["50 ms", "50 min"]],
    ["commit >", "", []],
    ["commit > soon", "soon", []],
    ["commit = 5 ms", "5 ms", ["> 5 ms"]],
    ["commit = 8..5", "8..5", []],
    ["class = bda", "bda", ["bad"]],
    ["db = Salse", "Salse", ["Sales"]],
    ["lsn = 22", "22", []],
    ["gate > SQL2", "gate > SQL2", []],
    ["SQL2 commit > 5", "SQL2 commit", ["commit"]],
    ["SQL1 log write > 5 ms on SQL2", "SQL1 log write > 5 ms on SQL2", []],
    ["any replica log write > 5 ms on SQL2", "any replica log write > 5 ms on SQL2", []],
    ["network out > 5 on SQL1", "network out", ["SQL2 network out", "SQL 3 network out"]],
  ])("%s", (text, at, nearest) => {
    const problem = problemOf(text);
    expect(problem).toMatchObject({ at });
    for (const word of nearest) expect(problem?.nearest).toContain(word);
    expect(problem?.sentence).toMatch(/\.$/u);
  });

  test("more conditions than an address keeps", () => {
    expect(problemOf(Array.from({ length: 13 }, () => "commit > 5").join(","))?.sentence).toBe(
      "A filter has at most 12 conditions.",
    );
  });
});

test("a text that compares is a filter, a time, an LSN or a command is none", () => {
  expect(["a > 5", "gate=x", "over 300 ms", "at least 5"].map(isFilterText)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["+45.9 s", "02:17", "34:359", "overview", "slow"].map(isFilterText)).toEqual(
    Array.from({ length: 5 }, () => false),
  );
});

test("what a condition compares is named with its own replica, and without one where any counts", () => {
  const where = parseBlockFilter(
    "secondaryFlush@2>5,logWrite>5,localFlush>5,acknowledge@1>5,commit>5,gate@1",
  )!;
  expect(where.map((each) => (each.kind === "duration" ? durationSubject(each, names) : null))).toEqual([
    "SQL 3 log write",
    "log write",
    "SQL1 log write",
    "SQL2 acknowledge",
    "commit",
    null,
  ]);
});
