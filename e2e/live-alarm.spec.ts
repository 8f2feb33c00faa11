import { expect, test } from "@playwright/test";
import { discard, openRun, withGroup } from "./live-steps.ts";

const TWO_COMMITS = { commitsPerBlock: 2 };

/** The parts of a live picture that are looked at. */
interface Picture {
  /** µs of the run. */
  readonly now: number;
  readonly marks: readonly { readonly label: string; readonly byRule: boolean }[];
}

test("the alarm notifies and marks once, and a slow stretch is marked by itself", async ({
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
