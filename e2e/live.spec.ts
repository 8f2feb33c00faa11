import { expect, type Browser, type Page, test } from "@playwright/test";
import type { StandInGroup } from "../fixtures/replica-standin/index.ts";
import { addressOf, checkFirst, discard, withGroup } from "./live-steps.ts";

/** Adds the proposed secondary at the address of its stand-in, and attaches to both. */
async function attachBoth(page: Page, group: StandInGroup): Promise<void> {
  const [primary, secondary] = group.replicas;
  await checkFirst(page, primary);
  await page.getByRole("button", { name: `Add ${secondary.name}` }).click();
  const card = page.getByRole("region", { name: "Replica 2" });
  await card.getByLabel("Server", { exact: true }).fill(addressOf(secondary));
  await card.getByRole("button", { name: "Check" }).click();
  await expect(card).toContainText("may attach here");
  await page.getByLabel("Name", { exact: true }).fill("Load test");
  await page.getByRole("button", { name: "Attach to 2 replicas" }).click();
  await expect(page.getByText(/^Recording \d/u)).toBeVisible();
}

const sessionsOf = (group: StandInGroup): string[] =>
  group.replicas.flatMap((replica) => replica.sessions().map((session) => session.name));

test("attach, see the verdict change, look on elsewhere, stop and keep", async ({ page, browser }) => {
  // With every frame drawn, as for most people.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await withGroup({}, async (group) => {
    await attachBoth(page, group);
    await expect(page.getByRole("button", { name: "SQL1 to SQL2 Network out" })).toBeVisible();
    await expect(page.getByRole("list", { name: /^Figures of the last/u })).toContainText("Commit p50");
    const verdict = page.getByRole("region", { name: "Verdict" });
    await expect(verdict).toContainText(/commit|remote harden/iu);
    expect(sessionsOf(group)).toHaveLength(2);

    await page.keyboard.press("m");
    await page.keyboard.press("Space");
    await expect(page.getByText(/Paused \d\d:\d\d before now/u)).toBeVisible();
    await page.keyboard.press("Space");
    await expect(page.getByText("Following now")).toBeVisible();

    group.network(150);
    await expect(verdict).toContainText("network to SQL2");
    await lookOn(browser, page.url());

    await page.getByRole("button", { name: "Stop and keep" }).click();
    await expect(page.getByRole("region", { name: "Verdict" })).toContainText("network");
    await expect(page).toHaveURL(/\/captures\//u);
    expect(sessionsOf(group)).toEqual([]);
  });
});

/** Any browser with the address shows the same picture and can change nothing. */
async function lookOn(browser: Browser, address: string): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.getByText(/^Recording \d/u)).toBeVisible();
  await expect(page.getByText("Read only")).toBeVisible();
  await expect(page.getByRole("button", { name: "SQL1 to SQL2 Network out" })).toBeVisible();
  await expect(page.getByRole("button", { name: /Stop/u })).toHaveCount(0);
  await context.close();
}

test("a replica that drops the line is a gap and comes back; discarding leaves nothing", async ({ page }) => {
  await withGroup({}, async (group) => {
    await attachBoth(page, group);
    const session = page.getByRole("listitem", { name: "SQL2" });
    await expect(session).toContainText("reading");
    group.replicas[1].fault({ kind: "down", seconds: 3 });
    await expect(session).toContainText("connection lost");
    await expect(session).toContainText("1 gap");
    await expect(session).toContainText(/SQL2\s*Secondary\s*reading/u);
    await discard(page);
    const end = page.getByRole("region", { name: "The run has ended" });
    await expect(end).toContainText("was dropped on SQL1 and is gone");
    await expect(end).toContainText("was dropped on SQL2 and is gone");
    await expect(end).toContainText("It was discarded");
    await expect(page.getByRole("button", { name: /^(Pause view|Mark|Stop)/u })).toHaveCount(0);
    expect(sessionsOf(group)).toEqual([]);
  });
});

test("a refused login says so; a missing right comes with its GRANT", async ({ page }) => {
  await withGroup({ deny: ["ALTER ANY EVENT SESSION", "CREATE ANY EVENT SESSION"] }, async (group) => {
    await checkFirst(page, group.replicas[0], "wrong");
    const card = page.getByRole("region", { name: "Replica 1" });
    await expect(card).toContainText("refused the login");
    await card.getByLabel("Password").fill("aglens");
    await card.getByRole("button", { name: "Check" }).click();
    await expect(card).toContainText("may not attach here yet");
    await expect(
      card.getByText(/^USE \[master\][^]*GRANT .*EVENT SESSION.* TO \[aglens\]/u).first(),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: "Attach", exact: true })).toBeDisabled();
  });
});

test("an address that is no run says so", async ({ page }) => {
  await page.goto("/live/AAAAAAAAAAAAAAAAAAAAAA");
  await expect(page.getByRole("heading", { name: "Can't open this run." })).toBeVisible();
});
