import { expect, test } from "@playwright/test";
import { discard, openRun, withGroup } from "./live-steps.ts";
import { expectAccessible } from "./steps.ts";

const SYNC_AND_ASYNC: Parameters<typeof withGroup>[0] = {
  secondaries: [{ commitMode: "sync" }, { commitMode: "async" }],
  commitsPerBlock: 2,
};

test("the table of replicas, a suspended database, who waits and its statement", async ({ page }) => {
  await withGroup(SYNC_AND_ASYNC, async (group) => {
    const [primary, secondary] = group.replicas;
    group.network(120);
    await openRun(page, [primary, secondary]);
    const states = page.getByRole("region", { name: "States of the secondaries" });
    await expect(
      states.getByRole("row", { name: /^Synchronization state SYNCHRONIZED SYNCHRONIZING/u }),
    ).toBeVisible();
    await expect(states.getByRole("row", { name: /^Estimated data loss \(RPO\) 0\s?s/u })).toBeVisible();
    await expect(states.getByRole("row", { name: /^Newest event .*not attached$/u })).toBeVisible();

    group.setState(2, { suspended: "SUSPEND_FROM_USER" });
    const suspended = page.getByText(/Sales is suspended on SQL3/u);
    await expect(suspended).toBeVisible();
    await expect(states.getByRole("row", { name: /^Suspended no Sales/u })).toBeVisible();
    await page.getByRole("button", { name: "Show the T-SQL" }).click();
    await expect(page.getByText("ALTER DATABASE [Sales] SET HADR RESUME;")).toBeVisible();

    const waits = page.getByRole("region", { name: "Sessions waiting now" });
    await expect(waits).toContainText("HADR_SYNC_COMMIT");
    await waits
      .getByRole("button", { name: /^SQL of session/u })
      .first()
      .click();
    await expect(waits.getByText(/^UPDATE dbo\.Orders/u)).toBeVisible();
    await waits.getByRole("button", { name: "Close" }).click();
    await expect(waits.getByText(/^UPDATE dbo\.Orders/u)).toHaveCount(0);
    await expectAccessible(page);
    await discard(page);
    await expect(page.getByRole("region", { name: "The run has ended" })).toBeVisible();
  });
});

test("counters are lanes by choice, and a poll that fails is a hole that is counted", async ({ page }) => {
  await withGroup(SYNC_AND_ASYNC, async (group) => {
    await openRun(page, group.replicas);
    const lanes = page.getByRole("group", { name: "Lanes" });
    await expect(lanes).toContainText("Transaction delay");
    await expect(lanes).toContainText("Bytes sent to SQL3");
    await expect(lanes).not.toContainText("LOGBUFFER");
    await page.getByText(/^Counters \d+ of \d+ are lanes$/u).click();
    await page.getByRole("checkbox", { name: "LOGBUFFER", exact: true }).check();
    await expect(lanes).toContainText("LOGBUFFER");
    await page.getByRole("checkbox", { name: "LOGBUFFER", exact: true }).uncheck();
    await expect(lanes).not.toContainText("LOGBUFFER");
    group.replicas[0].fault({ kind: "blockView", view: "sys.dm_os_wait_stats", seconds: 6 });
    await expect(lanes).toContainText(/polls? missed/u);
    await expect(page.getByRole("listitem", { name: "SQL1" })).toContainText("reading");
    await discard(page);
  });
});

test("a session that somebody stopped is said to be stopped, and Try again starts it; a replica that nobody attached is listed", async ({
  page,
}) => {
  await withGroup(SYNC_AND_ASYNC, async (group) => {
    const [primary, secondary] = group.replicas;
    await openRun(page, [primary, secondary]);
    const session = page.getByRole("listitem", { name: "SQL2" });
    await expect(session).toContainText("reading");
    await expect(page.getByRole("listitem", { name: "SQL3" })).toContainText("not attached");
    secondary.fault({ kind: "stopSessions" });
    await expect(session).toContainText("was stopped outside AG Lens");
    await expect(session).toContainText("session ended");
    await session.getByRole("button", { name: "Try SQL2 again" }).click();
    await expect(session).not.toContainText("read again as soon as it runs");
    await expect(session).toContainText("1 gap");
    await discard(page);
    await expect(page.getByRole("region", { name: "The run has ended" })).toBeVisible();
    for (const replica of group.replicas) expect(replica.sessions()).toEqual([]);
  });
});

test("a known replica is attached to the run, the last minutes are kept, and the run goes on", async ({
  page,
}) => {
  await withGroup(SYNC_AND_ASYNC, async (group) => {
    const [primary, secondary, third] = group.replicas;
    await openRun(page, [primary, secondary]);
    await page.getByRole("button", { name: "Attach SQL3", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Attach SQL3 to this run" });
    const attach = dialog.getByRole("button", { name: "Attach SQL3" });
    await expect(attach).toBeDisabled();
    await dialog.getByLabel("Server", { exact: true }).fill(`${third.host},${third.port}`);
    await dialog.getByText("Certificate: must be trusted").click();
    await dialog.getByLabel("trust server certificate").check();
    await dialog.getByLabel("User").fill(third.user);
    await dialog.getByLabel("Password").fill(third.password);
    await dialog.getByRole("button", { name: "Check" }).click();
    await attach.click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole("listitem", { name: "SQL3" })).toContainText("reading");

    await page.getByLabel("Stop and keep automatically").selectOption({ label: "in 30 min" });
    await expect(page.getByLabel("Stop and keep automatically")).toContainText(/at \d\d:\d\d UTC/u);
    await page.keyboard.press("k");
    await expect(page.getByText("The last 5\u2009min are a capture. The run continues.")).toBeVisible();
    await expect(page.getByText(/^Recording \d/u)).toBeVisible();
    await discard(page);
    await expect(page.getByRole("region", { name: "The run has ended" })).toBeVisible();
    for (const replica of group.replicas) expect(replica.sessions()).toEqual([]);
    await page.goto("/");
    await expect(page.getByText("Peak hour, last 5 min")).toBeVisible();
  });
});

test("AlwaysOn_health is read on request: a failover has its cause, its events in the list and in lanes", async ({
  page,
}) => {
  await withGroup({}, async (group) => {
    await openRun(page, group.replicas);
    const happened = page.getByRole("region", { name: "What happened" });
    await expect(happened).toContainText("No role, synchronization state or suspension changed.");
    await happened.getByRole("checkbox", { name: "Read AlwaysOn_health" }).check();
    group.expireLease(1, 3_000);
    await expect(happened).toContainText(/TestAG failed over from SQL1 to SQL2 at .* A lease timeout/u, {
      timeout: 30_000,
    });
    await expect(happened.getByRole("row", { name: /The lease of TestAG expired on SQL1/u })).toBeVisible();
    await expect(happened.getByRole("row", { name: /SQL2 is primary 2 sources/u })).toBeVisible();
    const lanes = page.getByRole("group", { name: "Lanes" });
    for (const lane of ["SQL1 role", "SQL2 role", "Lease, health"]) await expect(lanes).toContainText(lane);
    await expectAccessible(page);
    await happened.getByRole("checkbox", { name: "Read AlwaysOn_health" }).uncheck();
    await discard(page);
  });
});

const TWO_COMMITS = { commitsPerBlock: 2 };

/** The parts of a live picture that are looked at. */
interface Picture {
  /** µs of the run. */
  readonly now: number;
  readonly marks: readonly { readonly label: string; readonly byRule: boolean }[];
}

test("the alarm notifies and marks once, and a slow period is marked automatically", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["notifications"]);
  await page.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(window, { shownNotifications: shown });
    window.Notification = class extends EventTarget {
      static readonly permission = "granted";
      constructor(_title: string, options?: NotificationOptions) {
        super();
        shown.push(options?.body ?? "");
      }
    } as unknown as typeof Notification;
  });
  await withGroup(TWO_COMMITS, async (group) => {
    const run = await openRun(page, group.replicas);
    const picture = async (): Promise<Picture> => (await page.request.get(run)).json();
    const marks = async (): Promise<Picture["marks"]> => (await picture()).marks;
    const shown = (): Promise<string[]> =>
      page.evaluate(() => (window as unknown as { shownNotifications: string[] }).shownNotifications);
    await expect(page.getByRole("list", { name: /^Figures of the last/u })).toContainText(/Commit p95\s*\d/u);
    await page.getByRole("checkbox", { name: /^Sound and notify/u }).check();
    expect(await marks()).toEqual([]);

    group.network(150);
    await expect.poll(shown).toHaveLength(1);
    expect((await shown())[0]).toMatch(/^Peak hour: Commit p95 over 50 ms, now \d+\sms$/u);
    await expect
      .poll(async () => (await marks()).map(({ label, byRule }) => `${label} ${byRule}`).toSorted())
      .toEqual(["Commit p95 over 50 ms true", "Slow network true"]);
    await discard(page);
    await expect(page.getByRole("region", { name: "The run has ended" })).toBeVisible();
  });
});

test("a session that could not be dropped is on the first screen with its statement until it is", async ({
  page,
}) => {
  await withGroup(TWO_COMMITS, async (group) => {
    const [primary, secondary] = group.replicas;
    await openRun(page, [primary, secondary]);
    await expect(page.getByRole("listitem", { name: "SQL2" })).toContainText("reading");
    const [session] = secondary.sessions();
    secondary.fault({ kind: "down", seconds: 3600 });
    await expect(page.getByRole("listitem", { name: "SQL2" })).toContainText("connection lost");
    await discard(page);
    await expect(page.getByRole("region", { name: "The run has ended" })).toBeVisible();
    await page.goto("/");
    const left = page.getByRole("region", { name: "Event sessions left on servers" });
    await expect(left).toContainText(`A live run left the event session ${session.name} on SQL2.`);
    await expect(left).toContainText(/tried again/u);
    await expect(left).toContainText(`DROP EVENT SESSION [${session.name}] ON SERVER;`);
    expect(primary.sessions()).toEqual([]);
    secondary.fault({ kind: "up" });
    // Runs of other tests may have left some too.
    await expect(left.getByText(session.name)).toHaveCount(0);
    expect(secondary.sessions()).toEqual([]);
  });
});
