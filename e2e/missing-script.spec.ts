import { expect, test } from "@playwright/test";
import { openSample } from "./steps.ts";

test("a script that the server no longer has leaves the page whole and offers to load it again", async ({
  page,
}) => {
  // Set before the overview is open, because it loads the other screens in advance.
  const scripts = /\/assets\/timeline-screen-[\w-]+\.js$/u;
  await page.route(scripts, (route) => route.fulfill({ status: 404, body: "" }));
  await openSample(page);
  await page.keyboard.press("Alt+2");
  const content = page.getByRole("main");
  await expect(content).toContainText("This part of AG Lens could not be loaded.");
  await expect(page.getByRole("banner")).toBeVisible();

  // The server has it again: the address kept the view.
  await page.unroute(scripts);
  await content.getByRole("button", { name: "Load again" }).click();
  await expect(page.getByRole("contentinfo")).toContainText("blocks");
  await expect(page).toHaveURL(/\/timeline/u);
});

test("without a network the page says so, and opens the screen when it is back", async ({
  context,
  page,
}) => {
  const scripts = /\/assets\/timeline-screen-[\w-]+\.js$/u;
  await page.route(scripts, (route) => route.abort());
  await openSample(page);
  await context.setOffline(true);
  await page.keyboard.press("Alt+2");
  const content = page.getByRole("main");
  await expect(content).toContainText("The server does not answer.");
  await page.unroute(scripts);
  await context.setOffline(false);
  await expect(page.getByRole("contentinfo")).toContainText("blocks");
});
