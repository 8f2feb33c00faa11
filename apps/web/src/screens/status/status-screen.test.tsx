import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Person, ServerStatus } from "@aglens/contract";
import { settled, withAnswers } from "../../../test/answers.tsx";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { serverFigures, statusJob } from "../../../test/status.ts";
import { AccountContext } from "../../state/account.ts";
import { StatusScreen } from "./status-screen.tsx";

let requests: string[];
let status: ServerStatus;

beforeEach(() => {
  requests = [];
  status = { server: serverFigures(), jobs: [], recognitions: [], own: null };
});

async function open(role: Person["role"] | null = null) {
  fakeScreen();
  vi.stubGlobal("fetch", (path: string, init?: RequestInit) => {
    requests.push(`${init?.method ?? "GET"} ${path}`);
    if (init?.method === "DELETE") return Promise.resolve(Response.json({}));
    if (path.includes("/access/audit")) {
      const entry = {
        at: "2026-11-22T20:41:18.000Z",
        person: "Ann",
        action: "sign-in refused",
        what: "token",
      };
      return Promise.resolve(Response.json({ entries: [entry], next: null }));
    }
    return Promise.resolve(Response.json(status));
  });
  window.history.replaceState(null, "", "/status");
  const account = role === null ? null : { person: { id: "a", name: "Ann", role }, signOut: () => undefined };
  render(
    <AccountContext value={account}>
      <StatusScreen />
    </AccountContext>,
    { wrapper: withAnswers() },
  );
  await settled();
}
const NO_PARTS = { captures: 0, tables: 0, trash: 0, uploads: 0, live: 0, lost: 0, other: 0 };
const texts = (elements: readonly HTMLElement[]) =>
  elements.map(({ textContent }) => textContent?.replaceAll("\u2009", " "));

test("six readouts; one beyond its limit says how", async () => {
  status = { ...status, server: serverFigures({ eventLoop: { p99Ms: 131, minutes: [] } }) };
  await open();
  expect(texts(screen.getAllByRole("definition"))).toEqual([
    "23.0 GB",
    "00 waiting",
    "0of 4",
    "30 ms",
    "131 mslate",
    "3of 48,210",
  ]);
  expect(screen.getByText("late").parentElement?.dataset["alarm"]).toBe("true");
  expect(screen.getByText("Users don't sign in on this server, so no name is recorded.")).toBeTruthy();
});

test("payload bytes that no column claims are shown by event type, with what to do", async () => {
  await open();
  expect(screen.getByText("No received file has payload bytes that no column claims.")).toBeTruthy();
  cleanup();
  const types = [
    { event: "hadr_capture_log_block", events: 1_000, bytes: 16_000 },
    { event: "other", events: 2, bytes: 12 },
  ];
  status = { ...status, server: serverFigures({ unclaimed: { files: 2, bytes: 16_012, types } }) };
  await open();
  const card = screen.getByRole("heading", { name: "Unclaimed payload bytes" }).closest("section")!;
  expect(texts([card])[0]).toContain("16.0 kB in 2 files");
  expect(texts([card])[0]).toContain(
    "The decoder may be wrong for these files: no column claims these bytes. Run xel check on these files and send its text",
  );
  expect(texts(within(card).getAllByRole("row")).slice(1)).toEqual([
    "hadr_capture_log_block1,00016.0 kB",
    "Other events212 B",
  ]);
});

test("the queue says what runs, what each waits for, and stops one", async () => {
  status = {
    ...status,
    jobs: [
      statusJob("a"),
      statusJob("b", { waiting: { place: 1, reason: "It needs about 1.5 GB of memory." }, mayChange: false }),
    ],
    recognitions: [{ captureId: "c", name: "Night", owner: null, running: 0, waiting: 2, before: 1 }],
  };
  await open();
  const [, first, second] = screen.getAllByRole("row");
  expect(first.textContent).toContain("join log blocks");
  expect(second.textContent).toContain("It needs about 1.5 GB of memory.");
  expect(within(second).queryByRole("button")).toBeNull();
  expect(screen.getByText(/2 wait, the next after 1 of other captures/u)).toBeTruthy();
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Stop Capture a" })));
  expect(requests).toContain("DELETE /api/v1/captures/a/analysis");
});

test("a contributor sees their own room and jobs, and no figure of the server", async () => {
  status = { server: null, jobs: [statusJob("a")], recognitions: [], own: { bytes: 3, trash: 1, limit: 10 } };
  await open("contributor");
  expect(screen.queryByText(/^Disk/u)).toBeNull();
  expect(screen.queryByRole("heading", { name: "Audit log" })).toBeNull();
  expect(texts([screen.getByText(/^3/u).parentElement!])).toEqual(["3 B of 10 B; 1 B of it in the trash"]);
  expect(screen.getByRole("link", { name: "Capture a" })).toBeTruthy();
});

test("a viewer is refused without asking", async () => {
  await open("viewer");
  expect(requests).toEqual([]);
  expect(screen.getByText(/This needs the role contributor/u)).toBeTruthy();
});

test("an admin searches the audit log, by the address too, and gets the found entries as a table", async () => {
  await open("admin");
  // The log is requested once the status is loaded.
  await settled();
  expect(screen.getByText("sign-in refused").dataset["bad"]).toBe("true");
  await settled(() =>
    fireEvent.change(screen.getByRole("searchbox", { name: "Search the audit log" }), {
      target: { value: "a & b" },
    }),
  );
  expect(new URLSearchParams(window.location.search).get("audit")).toBe("a & b");
  expect(screen.getByRole("link", { name: "CSV" }).getAttribute("href")).toBe(
    "/api/v1/access/audit.csv?q=a+%26+b",
  );
});

test("of several servers the page stays with the figures of one, whichever answers, until another is chosen", async () => {
  const answerOf = (name: string, requests: number): ServerStatus => ({
    ...status,
    server: serverFigures({
      refusals: { refused: 0, requests, hours: 24 },
      disk: { ...serverFigures().disk, parts: { ...NO_PARTS, captures: 7e9, live: 2e9 } },
      servers: ["north", "south"]
        .map((each) => ({
          name: each,
          version: "1.4.0",
          begun: "2026-12-12T02:00:00.000Z",
          unseenMs: 400,
          isRunning: true,
          isThis: each === name,
        }))
        .concat({
          name: "west",
          version: "1.3.0",
          begun: "2026-12-01T02:00:00.000Z",
          unseenMs: 45_200,
          isRunning: false,
          isThis: false,
        }),
    }),
  });
  const answered = (next: ServerStatus) => {
    status = next;
    return settled(() => vi.advanceTimersByTime(2_000));
  };
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  status = answerOf("north", 11);
  await open();
  const card = screen.getByRole("heading", { name: "Servers" }).closest("section")!;
  expect(texts(within(card).getAllByRole("row").slice(1))).toEqual([
    "northup 3 h1.4.0shown here",
    "southup 3 h1.4.0show",
    "westnot seen for 45 s1.3.0",
  ]);
  const disk = screen.getByRole("heading", { name: "Disk" }).closest("section")!;
  expect(texts(within(disk).getAllByRole("listitem").slice(0, 2))).toEqual([
    "Copies of captures 7.0 GB",
    "Live runs 2.0 GB",
  ]);
  /** The running servers with the one whose figures are shown, and that server's requests of the day. */
  const shownNow = () => [
    ...texts(within(card).getAllByRole("row").slice(1, 3)).map((row) => row.replace("up 3 h1.4.0", " ")),
    ...texts(screen.queryAllByText(/^of \d\d$/u)),
  ];
  await answered(answerOf("south", 22));
  expect(shownNow()).toEqual(["north shown here", "south show", "of 11"]);
  fireEvent.click(screen.getByRole("button", { name: "Show the figures of south" }));
  expect(shownNow()).toEqual(["north show", "south shown here", "of 22"]);
  await answered(answerOf("north", 12));
  await answered(answerOf("south", 23));
  expect(shownNow()).toEqual(["north show", "south shown here", "of 23"]);
  vi.useRealTimers();
});

test("Space holds the page, and once more lets it go on", async () => {
  await open();
  await settled(() => fireEvent.keyDown(document.body, { key: " " }));
  expect(screen.getByText("Paused. The server continues")).toBeTruthy();
  await settled(() => fireEvent.keyDown(document.body, { key: " " }));
  expect(screen.getByText("Every 2 s")).toBeTruthy();
});
