/** A support folder with known truth (fixtures/support-folder), dropped as a folder: on a server, and in the single file. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test, type Page, type TestInfo } from "@playwright/test";
import { supportFolder } from "../fixtures/support-folder/support-folder.ts";
import { expectAccessible } from "./steps.ts";

const ALONE = fileURLToPath(new URL("../apps/web/dist/alone/ag-lens.html", import.meta.url));
const CAUSE = "SALES-AG failed over from SQL1 to SQL2 at 02:17:41 UTC, because the lease expired.";

/** Dozens of files are sent one after the other; on a busy machine each takes seconds, ms. */
const SENDING = 120_000;

const { files } = supportFolder();
const isMovement = (path: string): boolean => path.includes("Data_Movement");

/** Writes files of the support folder. @returns path of the folder */
function folderOf(info: TestInfo, name: string, isIn: (path: string) => boolean = () => true): string {
  const folder = info.outputPath(name);
  for (const { path, bytes } of files.filter((file) => isIn(file.path))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}

/** Drops a folder on the page, as a file manager does. */
async function drop(page: Page, folder: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await devtools.send("Input.dispatchDragEvent", { type, x: 500, y: 500, data });
}

async function expectFolder(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "1 capture in a support folder of 40 files",
    { timeout: SENDING },
  );
  await expect(page.getByText("21 files are used, 1 needs conversion, 18 aren't used.")).toBeVisible();
  for (const server of ["SQL1", "SQL2"])
    await expect(page.getByRole("region", { name: `Files of ${server}` })).toContainText("of 20 files");
  await expect(page.getByLabel(/^relog line of .*\.blg$/u)).toContainText("-f csv");
  await expect(page.getByRole("table", { name: "Not used" })).toContainText("AG Lens doesn't read it yet.");
  await expect(page.getByRole("table", { name: "Names" })).toContainText("SALES-AG");
}

test("a dropped folder is listed file by file, and its failover has a cause", async ({ page }, info) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Choose files" })).toBeVisible();
  await drop(page, folderOf(info, "LogScout"));
  await expectFolder(page);
  await expectAccessible(page);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(page.getByRole("button", { name: /^AlwaysOn_health/u }).first()).toBeFocused();
  await page.keyboard.press("Space");
  await expect(page.getByText("20 files are used")).toBeVisible();
  await page.getByRole("button", { name: "AlwaysOn_health", exact: false }).last().focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("21 files are used")).toBeVisible();
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await expect(page.getByText(CAUSE).first()).toBeVisible();
});

test("the single file reads the folder without a network", async ({ browser }, info) => {
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  await page.goto(pathToFileURL(ALONE).href);
  await expect(page.getByRole("button", { name: "Choose files" })).toBeVisible();
  await drop(page, folderOf(info, "LogScout"));
  await expectFolder(page);
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await expect(page.getByText(CAUSE).first()).toBeVisible();
  await context.close();
});

test("evidence is added to an analyzed capture", async ({ page }, info) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Choose files" })).toBeVisible();
  await drop(page, folderOf(info, "movement", isMovement));
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
  await drop(
    page,
    folderOf(info, "others", (path) => !isMovement(path)),
  );
  const dialog = page.getByRole("dialog", { name: "Add evidence" });
  for (const server of ["SQL1", "SQL2"])
    await expect(dialog.getByRole("region", { name: `Files of ${server}` })).toContainText("of 16 files", {
      timeout: SENDING,
    });
  await dialog.getByRole("button", { name: "Done" }).click({ timeout: SENDING });
  await expect(page.getByText(CAUSE).first()).toBeVisible();
});

test("a folder without data-movement events shows what happened", async ({ page }, info) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Choose files" })).toBeVisible();
  await drop(
    page,
    folderOf(info, "happened", (path) => !isMovement(path)),
  );
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "No data-movement events in a support folder of 34 files",
    { timeout: SENDING },
  );
  await page.getByRole("button", { name: /^Show what happened/u }).click();
  await expect(page.getByText(CAUSE).first()).toBeVisible();
});

test("lanes of a failover follow the keys, and an address or a link restores them", async ({
  page,
  browser,
}, info) => {
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Choose files" })).toBeVisible();
  await drop(page, folderOf(info, "LogScout"));
  await page.getByRole("button", { name: /^Analyze/u }).click({ timeout: SENDING });
  await page.getByRole("button", { name: "What happened" }).click();
  const cause = page.getByRole("heading", { name: "Cause of the failover" });
  const role = page.getByText("SQL1 role", { exact: true });
  await expect(cause).toBeVisible();
  // The choice of lanes in the pane has the names of kinds too.
  for (const name of ["SQL1 role", "SQL2 role", "Lease, health", "Connectivity", "Health check, SQL2"])
    await expect(page.getByText(name, { exact: true }).first()).toBeVisible();
  await expect(page.getByText("Lease timeout on SQL1.")).toBeVisible();
  await expect(page.getByText(/SQL2 reported 3 requests over 15\s*s on F: in this time/u)).toBeVisible();

  const events = page.getByRole("table", { name: "Events of the failover" });
  const selected = events.locator("[aria-selected=true]");
  await events.getByRole("button", { name: /The lease of SALES-AG expired on SQL1/u }).click();
  await expect(selected).toContainText("19407");
  await expect(page).toHaveURL(/event=lease/u);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toContainText("ERRORLOG");
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(selected).toContainText("19407");

  await page.keyboard.press("v");
  await expect(role).toBeHidden();
  await expect(page).toHaveURL(/evidence=none/u);
  await page.reload();
  await expect(page.getByTestId("lanes")).toBeVisible();
  await expect(role).toBeHidden();
  // The key has nothing to show before the events have arrived.
  await expect(page.getByRole("contentinfo")).toContainText("what happened");
  await page.keyboard.press("v");
  await expect(role).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share this view" });
  await dialog.getByRole("button", { name: "Make and copy link" }).click();
  const link = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByText("SQL1 role", { exact: true })).toBeVisible();
  await expect(other.getByRole("table", { name: "Events of the failover" })).toContainText("19407");
  await context.close();
});
