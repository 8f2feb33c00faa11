import { describe, expect, it } from "vitest";
import type { EventColumns } from "../events/index.ts";
import { eventColumns, type EventSpec } from "../../test/events.ts";
import { changedRole, contradictedRole, eventsInRole, sliceOf } from "./roles.ts";

/** "p" is an event that only a primary has, "s" one that only a secondary has, "." one of both; each 10 µs after the last. */
const columns = (story: string, gaps: Readonly<Record<number, number>> = {}) => {
  let at = 0;
  const kinds = {
    p: "capture",
    s: "apply",
    r: "receiveHarden",
    t: "transportReceive",
    ".": "flushStart",
  } as const;
  return eventColumns(
    Array.from(story).map((letter, i): EventSpec => ({
      kind: kinds[letter as keyof typeof kinds],
      took: 0,
      at: (at += gaps[i] ?? 10),
    })),
  );
};

describe("a given role", () => {
  it("is contradicted where the events that show a role all show the other", () => {
    expect(contradictedRole(columns("..s.s"), "primary")).toBe("secondary");
    expect(contradictedRole(columns("t"), "primary")).toBe("secondary");
    expect(contradictedRole(columns("r"), "secondary")).toBe("primary");
    expect(contradictedRole(columns("..p"), "secondary")).toBe("primary");
  });

  it("is not where one of its own is there, or none at all", () => {
    expect(contradictedRole(columns("sssps"), "primary")).toBeNull();
    expect(contradictedRole(columns("..."), "primary")).toBeNull();
    expect(contradictedRole(columns("ppp"), "primary")).toBeNull();
  });
});

describe("a role that changed", () => {
  it("is the other one when enough of the newest events show only that", () => {
    expect(changedRole(columns("ppp.s.s.s"), "primary", 3)).toBe("secondary");
    expect(changedRole(columns("ppp.s.s"), "primary", 3)).toBeNull();
    expect(changedRole(columns("sss.p.p"), "secondary", 2)).toBe("primary");
    expect(changedRole(columns("s.s"), "primary", 3)).toBeNull();
    expect(changedRole(columns("sssp"), "primary", 1)).toBeNull();
  });
});

describe("the events of one role", () => {
  const kept = (story: string, role: "primary" | "secondary", gaps?: Readonly<Record<number, number>>) => {
    const all = columns(story, gaps);
    const { columns: own, changed } = eventsInRole(all, role);
    const first = all.ticks.indexOf(own.ticks[0]);
    return [story.slice(first, first + own.length), changed];
  };

  it("are all where the role did not change", () => {
    expect(kept("p.p.p", "primary")).toEqual(["p.p.p", false]);
    expect(kept(".....", "primary")).toEqual([".....", false]);
  });

  it("are those of the stretch, parted from the other at the longest pause without a role", () => {
    expect(kept("p.p...s.s", "primary", { 4: 90 })).toEqual(["p.p.", true]);
    expect(kept("p.p...s.s", "secondary", { 4: 90 })).toEqual(["..s.s", true]);
    expect(kept("p.p...s.s", "primary", { 6: 90 })).toEqual(["p.p...", true]);
    expect(kept("p.p...s.s", "secondary", { 3: 90 })).toEqual(["...s.s", true]);
    // The first of two equal pauses separates the roles.
    expect(kept("p...s", "primary")).toEqual(["p", true]);
  });

  it("are those of the stretch with most of them where there are several", () => {
    expect(kept("pppsspspp", "primary")[0]).toBe("ppp");
    expect(kept("ppsspppsp", "primary")[0]).toBe("ppp");
    expect(kept("psp", "primary")[0]).toBe("p");
  });

  it("are all of a server that is primary and secondary at once: it changes more than ten times", () => {
    expect(kept("ps".repeat(5) + "p", "primary")[1]).toBe(true);
    expect(kept("ps".repeat(6), "primary")).toEqual(["ps".repeat(6), false]);
  });

  it("are all when only the other role is there", () => {
    expect(kept("sss", "primary")).toEqual(["sss", false]);
  });
});

/** Names of the typed arrays; typed as one of them, because all have a length, values and a buffer. */
const columnNames = (of: EventColumns): "start"[] =>
  Object.keys(of).filter((name): name is "start" => ArrayBuffer.isView(of[name as keyof EventColumns]));

it("rows of columns are views of every column", () => {
  const all = columns("p.s.p");
  const part = sliceOf(all, 1, 3);
  expect(part.length).toBe(2);
  expect(columnNames(part)).toEqual(columnNames(all));
  for (const name of columnNames(all)) {
    expect([...part[name]], name).toEqual([all[name][1], all[name][2]]);
    expect(part[name].buffer, name).toBe(all[name].buffer);
  }
  expect([part.texts, part.files]).toEqual([all.texts, all.files]);
});
