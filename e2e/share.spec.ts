import { expect, test } from "@playwright/test";
import { openSample } from "./steps.ts";

test("a link restores the view for somebody else, until it is deleted", async ({ page, browser }) => {
  await openSample(page);
  await page.keyboard.press("r");
  await expect(page).toHaveURL(/clock=raw/u);
  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Timeline" }).click();
  await expect(page).toHaveURL(/\/timeline\?.*clock=raw/u);
  const shared = new URL(page.url());

  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share this view" });
  await dialog.getByRole("button", { name: "Make and copy link" }).click();
  const link = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
  expect(link).toMatch(/\/l\/[\w-]{16,}$/u);

  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(link);
  // The address bar keeps the link: it leads to this view and to nothing else.
  await expect(other).toHaveURL(`${link}/timeline${shared.search}&time=utc`);
  await expect(other.getByRole("button", { name: "Raw UTC", exact: true })).toBeVisible();
  await expect(other.getByRole("button", { name: "Share" })).toHaveCount(0);

  await dialog.getByRole("button", { name: "Revoke" }).click();
  await expect(dialog).toContainText("The link is revoked.");
  await other.goto(link);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("This link was revoked.");
  await context.close();
});

test("the dialog shows what the link restores and until when", async ({ page }) => {
  await openSample(page);
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share this view" });
  await expect(
    dialog.getByRole("img", { name: /the frame is what the link shows: whole capture/u }),
  ).toBeVisible();
  await expect(dialog).toContainText("The link restores: Overview, whole capture.");
  const title = dialog.getByLabel("Title");
  await expect(title).toBeFocused();
  await expect(title).toHaveValue("Slow network to SQL2, 02:17:28 to 02:18:03 UTC");
  await dialog.getByLabel("Expires").selectOption("never");
  await expect(dialog).toContainText("Kept until you revoke it");
  await dialog.getByLabel("Title").fill("For the network team");
  await dialog.getByRole("button", { name: "Make and copy link" }).click();
  const link = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
  const answer = await page.request.get(link.replace("/l/", "/api/v1/links/"));
  expect(await answer.json()).toMatchObject({ title: "For the network team", expires: null });

  // Closed and opened again, the dialog still has the link and can take it back.
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Share" }).click();
  const earlier = dialog.getByRole("region", { name: "Links of this capture" });
  await earlier.getByRole("button", { name: "Revoke the link For the network team" }).click();
  await expect(earlier).toContainText("revoked");
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link was revoked.");
});

test("a link with a passphrase and replaced names shows nothing before, and no name after", async ({
  page,
  browser,
}) => {
  await openSample(page);
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: "Share this view" });
  await dialog.getByLabel("Ask for a passphrase").check();
  const passphrase = await dialog.getByRole("textbox", { name: "Passphrase" }).inputValue();
  await dialog.getByLabel(/Replace the names/u).check();
  await expect(dialog.getByLabel("Title")).toHaveValue(/^Slow network to Replica 2/u);
  await dialog.getByRole("button", { name: "Make and copy link" }).click();
  const link = await dialog.getByRole("textbox", { name: "Link" }).inputValue();

  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("This link asks for a passphrase");
  const field = other.getByRole("textbox", { name: "Passphrase" });
  await field.fill("not this one");
  await field.press("Enter");
  await expect(other.getByRole("alert")).toContainText("4 tries left this hour");
  await field.fill(passphrase.toUpperCase());
  await field.press("Enter");
  const replicas = other.getByRole("region", { name: "Replicas" });
  await expect(replicas).toContainText("Replica 2");
  await expect(other.locator("body")).not.toContainText(/SQL[12]/u);
  await context.close();
});
