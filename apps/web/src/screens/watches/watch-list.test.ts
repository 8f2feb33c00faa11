import { describe, expect, test } from "vitest";
import { WATCH_NOW, watch, watchEpisode, watchEpisodes, watches, watchOfGroup } from "../../../test/watch.ts";
import { marksOf } from "../watch-strip/use-strip.ts";
import { listPath, readListAddress, readWatchAddress, watchOf, watchPath } from "./watch-address.ts";
import { lastEvening, listed, stepFrom, worstSince } from "./watch-list.ts";
import {
  episodeText,
  inZoneOf,
  lengthText,
  limitText,
  runningText,
  stateText,
  valueText,
  whenOf,
} from "./watch-text.ts";

const UTC = { kind: "utc" } as const;
const BERLIN = { kind: "browser", timeZone: "Europe/Berlin" } as const;
const at = (iso: string): number => Date.parse(iso);
const plain = (text: string): string => text.replaceAll(/[\u2009\u00A0]/gu, " ");
const groups = (list: readonly { definition: { group: string } }[]): string[] =>
  list.map(({ definition }) => definition.group);

describe("the list", () => {
  const { watches: all } = watches();

  test("is limited by words in groups and servers, and by state", () => {
    expect(groups(listed(all, { q: "dw2", state: null }))).toEqual(["DW-AG"]);
    expect(groups(listed(all, { q: "ag sql3:1433", state: null }))).toEqual(["SALES-AG"]);
    expect(groups(listed(all, { q: "", state: "broken" }))).toEqual(["DW-AG", "PAYROLL-AG"]);
    expect(groups(listed(all, { q: "", state: "watching" }))).toEqual(["SALES-AG", "LEDGER-AG"]);
  });

  test("steps stay inside of it, and begin at its first row", () => {
    const list = listed(all, { q: "", state: null });
    expect(stepFrom(list, null, 1)?.id).toBe("w2");
    expect(stepFrom(list, "w2", 1)?.id).toBe("w1");
    expect(stepFrom(list, "w2", -1)?.id).toBe("w2");
    expect(stepFrom([], null, 1)).toBeNull();
  });

  test("marks are refused, failed, recording, or have the place of the verdict", () => {
    const others = [
      watchEpisode({ id: "r", state: "recording", place: null }),
      watchEpisode({ id: "f", state: "failed", captureId: null, place: null }),
      watchEpisode({ id: "l", state: "lost", captureId: null, place: null }),
      watchEpisode({ id: "kept", state: "failed", captureId: "c9", place: null }),
      watchEpisode({ id: "a", state: "analyzing", captureId: null, place: null }),
    ];
    expect(marksOf([...watchEpisodes(), ...others]).map(({ id, kind, place }) => [id, kind, place])).toEqual([
      ["e3", "recorded", "secondary"],
      ["e2", "recorded", "none"],
      ["e1", "refused", "none"],
      ["r", "recording", "none"],
      ["f", "failed", "none"],
      ["l", "failed", "none"],
      ["kept", "recorded", "none"],
      ["a", "recorded", "none"],
    ]);
  });
});

describe("last night", () => {
  test("begins yesterday at 18:00 by the zone's clock", () => {
    expect(new Date(lastEvening(UTC, WATCH_NOW)).toISOString()).toBe("2026-11-23T18:00:00.000Z");
    expect(new Date(lastEvening(BERLIN, WATCH_NOW)).toISOString()).toBe("2026-11-23T17:00:00.000Z");
    // At 23:30 UTC it is already the 25th in Berlin.
    expect(new Date(lastEvening(BERLIN, at("2026-11-24T23:30:00Z"))).toISOString()).toBe(
      "2026-11-24T17:00:00.000Z",
    );
  });

  test("has the recording with the slowest commits of all watches, and counts triggers of its watch", () => {
    const since = lastEvening(UTC, WATCH_NOW);
    const sales = watch();
    const crm = watchOfGroup("w2", "CRM-AG");
    const trigger = { ...watchEpisode().trigger, at: "2026-11-24T05:00:00Z" };
    const episodes = new Map([
      ["w1", [watchEpisode({ id: "late", trigger, p95Us: 20_000 }), watchEpisode({ p95Us: 38_000 })]],
      ["w2", [watchEpisode({ id: "other", p95Us: 30_000 })]],
    ]);
    expect(worstSince([crm, sales], episodes, since)).toMatchObject({
      watch: { id: "w1" },
      episode: { id: "e3" },
      count: 2,
      isNight: true,
    });
    const noon = watchEpisode({ trigger: { ...trigger, at: "2026-11-24T12:00:00Z" } });
    expect(worstSince([sales], new Map([["w1", [noon]]]), since)?.isNight).toBe(false);
  });

  test("leaves schedules, recordings by hand and earlier triggers out; a refusal counts where nothing was recorded", () => {
    const since = lastEvening(UTC, WATCH_NOW);
    const { trigger } = watchEpisode();
    const of = (...list: ReturnType<typeof watchEpisodes>) =>
      worstSince([watch()], new Map([["w1", list]]), since)?.episode.id;
    expect(of(watchEpisode({ trigger: { ...trigger, rule: "hand" } }))).toBeUndefined();
    expect(of(watchEpisode({ trigger: { ...trigger, rule: "schedule" } }))).toBeUndefined();
    expect(of(watchEpisode({ trigger: { ...trigger, at: "2026-11-23T17:59:59Z" } }))).toBeUndefined();
    expect(of(watchEpisode({ id: "no", state: "refused", p95Us: null }))).toBe("no");
    expect(of(watchEpisode({ id: "no", state: "refused", p95Us: null }), watchEpisode())).toBe("e3");
  });
});

describe("words", () => {
  test("times have their day, today has none; another zone has its own day", () => {
    expect(whenOf(UTC, "2026-11-24T02:41:25Z", WATCH_NOW)).toBe("today 02:41:25");
    expect(whenOf(UTC, "2026-11-23T23:41:25Z", WATCH_NOW)).toBe("Mon 23 Nov 23:41:25");
    expect(whenOf(BERLIN, "2026-11-23T23:41:25Z", WATCH_NOW)).toBe("today 00:41:25");
  });

  test("times of a verdict are those of the zone", () => {
    expect(inZoneOf(watchEpisode(), BERLIN, "From 02:41:07 to 02:44:30.")).toBe("From 03:41:07 to 03:44:30.");
    expect(inZoneOf(watchEpisode(), UTC, "From 02:41:07 to 02:44:30.")).toBe("From 02:41:07 to 02:44:30.");
  });

  test("lengths", () => {
    expect([42_000, 60_000, 203_000, 34_080_000, 7_200_000].map((ms) => plain(lengthText(ms)))).toEqual([
      "42 s",
      "1 min",
      "3 min 23 s",
      "9 h 28 min",
      "2 h",
    ]);
    expect([110_000, 3_725_000, -5].map(runningText)).toEqual(["1:50", "1:02:05", "0:00"]);
  });

  test("limits and values have the unit of their rule", () => {
    const { definition } = watch();
    const triggers = { ...definition.triggers, timesUsual: { times: 3, forSeconds: 15 } };
    expect(plain(limitText(definition))).toBe("limit 15 ms for 15 s");
    expect(plain(limitText({ ...definition, triggers }))).toBe("limit 15 ms or 3 × usual");
    expect(plain(limitText({ ...definition, triggers: { ...triggers, commitDelay: null } }))).toBe(
      "limit 3 × usual",
    );
    expect(plain(valueText({ rule: "sendQueue" }, 102_400))).toBe("102,400 KB");
    expect(plain(valueText({ rule: "rpo" }, 30))).toBe("30.0 s");
    expect(plain(valueText({ rule: "commitDelay" }, 20.4))).toBe("20.4 ms");
  });

  test("each state and each result of a trigger has its sentence", () => {
    const broken = watches().watches.find(({ state }) => state === "unreachable")!;
    expect(stateText(broken, UTC, WATCH_NOW)).toEqual({
      text: "DW1 unreachable",
      note: "since Mon 23 Nov 22:14",
    });
    const text = (change: Parameters<typeof watchEpisode>[0]) => episodeText(watchEpisode(change), UTC);
    expect(text({ state: "recording", verdict: null }).text).toMatch(/^The recording has begun/u);
    expect(text({ state: "analyzing", verdict: null }).text).toMatch(/analyzes the recording/u);
    const failed = { state: "failed", verdict: null } as const;
    expect(text({ ...failed, captureId: null, refusal: "No events arrived." })).toEqual({
      lead: "Can't record:",
      text: "No events arrived.",
    });
    // Its capture exists, and isn't analyzed.
    expect(text({ ...failed, captureId: "c3", refusal: "The file is damaged." })).toEqual({
      lead: "No verdict:",
      text: "The file is damaged.",
    });
    expect(text({ state: "lost" }).text).toMatch(/Nothing was kept/u);
  });
});

describe("addresses", () => {
  test("are read as they are written, without invalid parts", () => {
    expect(listPath({ q: "pay", state: "broken", sel: "w4", time: "browser" })).toBe(
      "/watches?q=pay&state=broken&sel=w4&time=browser",
    );
    expect(readListAddress("?state=none&q=pay")).toEqual({ q: "pay", state: null, sel: null, time: null });
    const view = [at("2026-11-24T00:00:00Z"), at("2026-11-24T04:00:00Z")] as const;
    const path = watchPath("w1", { view, at: "e2" });
    expect(readWatchAddress(path.slice(path.indexOf("?")))).toEqual({ view, at: "e2", time: null });
    expect(readWatchAddress("?from=2026-11-24T04:00:00Z&to=2026-11-24T00:00:00Z").view).toBeNull();
  });

  test("a watch is found by its id, otherwise by its group", () => {
    const { watches: all } = watches();
    expect(watchOf(all, "w4")?.definition.group).toBe("PAYROLL-AG");
    expect(watchOf(all, "PAYROLL-AG")?.id).toBe("w4");
    expect(watchOf(all, "nothing")).toBeNull();
  });

  test("a group with % or / in its name is found by its part of a path", () => {
    const all = [watchOfGroup("w1", "SALES 50%"), watchOfGroup("w2", "HR/EU")];
    // The router decodes `SALES%2050%25` and `HR%2FEU`, other than `/`.
    expect(watchOf(all, "SALES 50%")?.id).toBe("w1");
    expect(watchOf(all, "HR%2FEU")?.id).toBe("w2");
  });
});
