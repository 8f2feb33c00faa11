import { fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Fleet } from "@aglens/contract";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { fakeScreen } from "../../../test/fake-screen.ts";
import {
  changedFleet,
  fleetColumn,
  fleetLane,
  fleetSide,
  twoGroups,
  twoReplicas,
} from "../../../test/fleet.ts";
import { watchAnswer } from "../../../test/watch.ts";
import { UPRIGHT_PHONE } from "../../ui/use-media.ts";
import { FleetScreen } from "./fleet-screen.tsx";

const WIDTH = 600;

let requests: string[];
/** Requests about watches. */
let polled: string[];
let fleet: Fleet;

beforeEach(() => {
  requests = [];
  polled = [];
  fleet = changedFleet();
});

async function open(search = "") {
  const shown = fakeScreen({ width: WIDTH, height: 400 });
  vi.stubGlobal("fetch", (path: string) => {
    if (path.includes("/watches")) {
      polled.push(path);
      return Promise.resolve(Response.json(watchAnswer(path)));
    }
    requests.push(path);
    return Promise.resolve(Response.json(fleet));
  });
  window.history.replaceState(null, "", `/fleet${search}`);
  const { container } = render(<FleetScreen />, { wrapper: withAnswers() });
  await settled();
  return { container, shown };
}
const press = (key: string) => settled(() => fireEvent.keyDown(document.body, { key }));
const at = (): string => decodeURIComponent(window.location.search);
const plain = (element: Element | null): string =>
  (element?.textContent ?? "").replaceAll(/[\u2009\u00A0]/gu, " ");

test("the answer first, then the lanes before and since, then the selected capture beside the one before", async () => {
  const { container } = await open();
  const pane = screen.getByRole("complementary", { name: "Changes" });
  expect(plain(pane)).toContain("SQL2's log write takes 3.0 times as long since 21 September.");
  const rows = within(within(pane).getByRole("table", { name: "Before and since" })).getAllByRole("row");
  expect(rows.map(plain)).toEqual([
    "p95, median of captures18 before10 sinceFactor",
    "Commit5.00 ms5.00 ms× 1.00",
    "Log write SQL12.40 ms2.40 ms× 1.00",
    "Log write SQL22.00 ms6.00 ms× 3.00, more than chance explains",
  ]);
  expect(plain(pane)).toContain("21 Sep 02:00 UTC Nightly load 20");
  expect(plain(pane)).toContain("Mean remote harden to SQL2, one scale. 1,000 blocks, 900 commits.");
  expect(screen.getByText("11 of 29 stand out")).toBeTruthy();
  expect(container.querySelectorAll(".fleet-lane")).toHaveLength(3);
  expect(plain(container.querySelector(".fleet-lane .change text"))).toBe("since 21 Sep, p95 × 3.0");
});

test("keys step through captures and to those that stand out, open one and compare it with the one before", async () => {
  await open();
  await press("p");
  expect(at()).toBe("?at=2026-09-06");
  await press("ArrowRight");
  expect(at()).toBe("?at=2026-09-07");
  await press("n");
  expect(at()).toBe("?at=2026-09-21");
  await press("c");
  expect(window.location.pathname + at()).toBe("/captures/n19/compare?versus=n20");
  window.history.replaceState(null, "", "/fleet?at=2026-09-06");
  await settled();
  await press("Enter");
  expect(window.location.pathname).toMatch(/^\/captures\/n\d+$/u);
});

test("a press selects the capture under it, a drag shows a stretch, Esc all", async () => {
  const { container } = await open();
  const plot = container.querySelector<HTMLElement>("svg .fleet-glyphs")!.closest("div")!;
  vi.spyOn(plot, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, WIDTH, 300));
  const place = (clientX: number) => ({ clientX, clientY: 50, button: 0, view: window });
  // 20 px a column.
  await settled(() => fireEvent.click(plot, place(45)));
  expect(at()).toBe("?at=2026-09-03");
  await settled(() => fireEvent.mouseDown(plot, place(105)));
  await settled(() => fireEvent.mouseMove(window, place(205)));
  await settled(() => fireEvent.mouseUp(window, place(205)));
  expect(at()).toContain("view=2026-09-06~2026-09-11");
  await press("Escape");
  expect(at()).not.toContain("view=");
});

test("groups, days and the percentile are in the address; the server is asked for groups and days alone", async () => {
  await open("?q=p99&at=2026-09-03");
  expect(requests).toEqual(["/api/v1/fleet?"]);
  expect(plain(screen.getByRole("columnheader", { name: /median of captures/u }))).toBe(
    "p99, median of captures",
  );
  await settled(() =>
    fireEvent.change(screen.getByRole("combobox", { name: "B, outline" }), {
      target: { value: "b CRM-AG" },
    }),
  );
  await settled(() =>
    fireEvent.change(screen.getByRole("combobox", { name: "Days" }), { target: { value: "365" } }),
  );
  expect(requests.at(-1)).toBe("/api/v1/fleet?b=CRM-AG&days=365");
  expect(at()).toBe("?b=CRM-AG&days=365&q=p99&at=2026-09-03");
});

test("a second group is an outline, has its own glyphs, and a table of both", async () => {
  fleet = twoGroups();
  const { container } = await open("?b=CRM-AG");
  expect(container.querySelectorAll(".fleet-glyphs")).toHaveLength(2);
  // The primary's log writes are not known of it.
  expect(container.querySelectorAll(".fleet-lane .outline")).toHaveLength(2);
  const rows = within(screen.getByRole("table", { name: "A against B" })).getAllByRole("row");
  expect(rows.slice(1).map(plain)).toEqual([
    "Commit5.00 ms8.00 ms÷ 1.60",
    "Log write, sync replica6.00 ms3.00 ms× 2.00",
  ]);
});

test("two replicas of a group: one set of glyphs, the other's lanes as outlines, and both in a table", async () => {
  fleet = twoReplicas();
  const { container } = await open("?aReplica=SQL2&bReplica=SQL3");
  expect(container.querySelectorAll(".fleet-glyphs")).toHaveLength(1);
  expect(container.querySelectorAll(".fleet-lane .outline")).toHaveLength(1);
  expect(screen.getByRole("heading", { name: /^SALES-AG, SQL2 and SALES-AG, SQL3/u })).toBeTruthy();
  const rows = within(screen.getByRole("table", { name: "A against B" })).getAllByRole("row");
  expect(rows.slice(1).map(plain)).toEqual(["Log write6.00 ms3.00 ms× 2.00"]);
  expect(screen.getByText("29 captures shown, 1 night without one")).toBeTruthy();
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "B, outline" }).value).toBe("bReplica SQL3");
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Clear" })));
  expect(at()).toBe("?aReplica=SQL2");
});

test("whoever chooses a replica as the outline has another one filled; tags narrow the captures", async () => {
  const { b: _, ...rest } = twoReplicas();
  fleet = { ...rest, a: { ...rest.a, replica: null }, b: null, tags: [{ name: "nightly", captures: 20 }] };
  await open();
  const choose = (name: string, value: string) =>
    settled(() => fireEvent.change(screen.getByRole("combobox", { name }), { target: { value } }));
  await choose("B, outline", "bReplica SQL2");
  expect(requests.at(-1)).toBe("/api/v1/fleet?aReplica=SQL3&bReplica=SQL2");
  await choose("B, outline", "bTag nightly");
  expect(requests.at(-1)).toBe("/api/v1/fleet?aReplica=SQL3&bTag=nightly");
  await choose("Tag of the captures", "nightly");
  expect(requests.at(-1)).toBe("/api/v1/fleet?aReplica=SQL3&tag=nightly");
  await choose("Replica of A", "");
  expect(requests.at(-1)).toBe("/api/v1/fleet?tag=nightly");
});

test("the same as a table leads to each capture", async () => {
  await open();
  const table = screen.getByRole("table", { name: "SALES-AG, p95 of each capture" });
  const [, newest] = within(table).getAllByRole("row");
  expect(plain(newest)).toMatch(/^30 Sep 02:005\.00 ms2\.40 ms6\.00 ms/u);
  expect(within(newest).getByRole("link").getAttribute("href")).toBe("/captures/n29");
});

test("of a capture whose time is over the figures are shown, and there is nothing to open", async () => {
  const { a } = changedFleet();
  const columns = a.columns.map((each) => ({ ...each, isThere: each.column > 20 }));
  fleet = { ...fleet, a: { ...a, columns } };
  await open();
  expect(screen.getByText(/The capture has expired\. Only these figures are kept\./u)).toBeTruthy();
  expect(screen.getByRole("button", { name: /^Open capture/u })).toHaveProperty("disabled", true);
  await press("Enter");
  await press("c");
  expect(window.location.pathname).toBe("/fleet");
  await press("ArrowRight");
  expect(screen.getByRole("button", { name: /^Open capture/u })).toHaveProperty("disabled", false);
  expect(screen.getByRole("button", { name: /^Compare/u })).toHaveProperty("disabled", true);
  expect(screen.queryByRole("link", { name: "21 Sep 02:00" })).toBeNull();
});

test("a phone has the answer, the table and the glyphs", async () => {
  const { container, shown } = await open();
  shown.setMedia(UPRIGHT_PHONE, true);
  expect(container.querySelectorAll(".fleet-lane")).toHaveLength(0);
  expect(container.querySelectorAll(".fleet-glyphs")).toHaveLength(1);
  expect(plain(container)).toContain("SQL2's log write takes 3.0 times as long since 21 September.");
  expect(within(screen.getByRole("table", { name: "Before and since" })).getAllByRole("row")).toHaveLength(4);
});

test("days and times are those of the chosen clock, which the link keeps", async () => {
  const zone = vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions");
  zone.mockReturnValue({ timeZone: "Asia/Kolkata" } as Intl.ResolvedDateTimeFormatOptions);
  await open("?at=2026-09-21");
  const pane = screen.getByRole("complementary", { name: "Changes" });
  expect(plain(pane)).toContain("21 Sep 02:00 UTC Nightly load 20");
  expect(requests).toEqual(["/api/v1/fleet?"]);
  await press("t");
  expect(at()).toBe("?at=2026-09-21&time=browser");
  expect(requests.at(-1)).toBe("/api/v1/fleet?timeZone=Asia%2FKolkata");
  expect(plain(pane)).toContain("21 Sep 07:30 UTC+5:30 Nightly load 20");
  expect(screen.getByRole("button", { name: "Times: this browser's clock" })).toBeTruthy();
  fireEvent.click(screen.getByText("Show as table"));
  expect(screen.getByRole("columnheader", { name: "Capture, local time" })).toBeTruthy();
  zone.mockRestore();
  window.localStorage.clear();
});

test("a group without a name is called by its servers, and its id is in the address alone", async () => {
  const group = "database 814415b6 - 1f2e3d4c, 5a6b7c8d";
  const groupName = "SQL1, SQL2";
  fleet = { ...twoGroups(), groups: [{ group, groupName, captures: 29 }, ...fleet.groups.slice(1)] };
  fleet = { ...fleet, a: { ...changedFleet().a, group, groupName } };
  const { container } = await open();
  expect(container.textContent).not.toMatch(/[0-9a-f]{8}/u);
  expect(screen.getByRole("heading", { name: "SQL1, SQL2, last 90 days" })).toBeTruthy();
  const choice = screen.getByRole("combobox", { name: "Group A, filled" });
  expect(within(choice).getByRole("option", { name: "SQL1, SQL2 (29)" })).toHaveProperty("value", group);
});

test("one group has no choice of another; without captures there is a sentence", async () => {
  fleet = { ...changedFleet(), groups: [{ group: "SALES-AG", groupName: "SALES-AG", captures: 1 }] };
  fleet = { ...fleet, a: fleetSide([fleetColumn(29)], [fleetLane("commit", "", [5_000])]) };
  await open();
  expect(screen.queryByRole("combobox", { name: "B, outline" })).toBeNull();
  expect(screen.getByRole("button", { name: /^Compare/u })).toHaveProperty("disabled", true);
});

test("without an analyzed capture there is a sentence", async () => {
  fleet = { groups: [], tags: [], unit: "night", days: [], a: null, b: null };
  const { container } = await open();
  expect(screen.getByRole("heading", { name: "No capture has been analyzed yet." }).tagName).toBe("H1");
  expect(plain(container)).toContain(
    "Captures of one availability group from several nights are shown here next to each other.",
  );
  expect(screen.queryAllByRole("combobox")).toEqual([]);
  expect(screen.queryAllByRole("table")).toEqual([]);
  expect(container.querySelectorAll(".fleet-lane, .fleet-glyphs")).toHaveLength(0);
});

test("stages that did not move are one sentence in the table until they are opened", async () => {
  const { a } = changedFleet();
  const steady = ["SQL2", "SQL3"].map((name) =>
    fleetLane(
      "networkRoundTrip",
      name,
      a.columns.map(() => 900),
    ),
  );
  fleet = { ...changedFleet(), a: { ...a, lanes: [...a.lanes, ...steady] } };
  await open();
  const names = () =>
    within(screen.getByRole("table", { name: "Before and since" }))
      .getAllByRole("rowheader")
      .map(plain);
  // SQL1's log write did not move either.
  expect(names()).toEqual(["Commit", "Log write SQL2"]);
  screen.getByText("3 other stages differ by less than 10 %.");
  fireEvent.click(screen.getByRole("button", { name: "Show them" }));
  expect(names()).toHaveLength(5);
});

test("a server with watches has a link to them", async () => {
  await open();
  const link = await screen.findByRole("link", { name: "Watches" });
  expect(link.getAttribute("href")).toBe("/watches");
});

test("polls of the filled group are a strip over its columns, from midnight to midnight", async () => {
  await open("?view=2026-09-02~2026-09-03");
  const [from, to] = [Date.UTC(2026, 8, 2), Date.UTC(2026, 8, 4)];
  await expect.poll(() => polled).toContain(`/api/v1/watches/w1/series?from=${from}&to=${to}&bins=${WIDTH}`);
  const link = await screen.findByRole("link", { name: /^Commit delay, polled/u });
  await settled(() => fireEvent.click(link));
  expect(window.location.pathname).toBe("/watches/w1");
});

test("a group without a watch has no strip", async () => {
  fleet = { ...fleet, a: { ...fleet.a!, group: "HR-AG", groupName: "HR-AG" } };
  await open();
  await screen.findByRole("link", { name: "Watches" });
  expect(screen.queryByRole("link", { name: /^Commit delay, polled/u })).toBeNull();
});
