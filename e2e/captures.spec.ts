import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible, filesOf, openSample, topologyOf, withOwnIds } from "./steps.ts";

test("files of both replicas are recognized, analyzed and shown", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(withOwnIds(filesOf("slow-secondary-disk")));
  const card = page.getByRole("region", { name: "Recognized files" });
  await expect(card).toContainText("in common");
  await expect(card.getByText("Primary", { exact: true }).first()).toBeVisible();
  await expect(card.getByText("Secondary", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await expect(page).toHaveURL(/\/captures\/[\w-]{16,}/u);
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText(/\S/u);

  await page.getByRole("link", { name: "AG Lens, all captures" }).click();
  const recent = page.getByRole("region", { name: "Recent on this server" });
  await expect(recent).toContainText(/ · \d+ \w+ 20\d\d, \d\d:\d\d UTC/u);
  await expect(recent).toContainText(/commit p95\d/u);
});

test("dropped files without an analysis are a draft that other browsers do not list", async ({
  page,
  browser,
}) => {
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(filesOf("slow-secondary-disk"));
  await expect(page.getByText(/^Draft\. Deleted on \d+ \w+ at \d\d:\d\d unless analyzed\.$/u)).toBeVisible();
  await page.goto("/");
  const recent = (of: Page) => of.getByRole("region", { name: "Recent on this server" });
  const own = recent(page).getByRole("listitem").filter({ hasText: "Draft. Deleted on" });
  await expect(own).toHaveCount(1);
  await expect(recent(page).getByRole("listitem").last()).toContainText("Draft. Deleted on");

  const other = await (await browser.newContext({ timezoneId: "Asia/Kolkata" })).newPage();
  await other.goto(page.url());
  await expect(other.getByRole("button", { name: /^Open the sample/u })).toBeVisible();
  await other.goto(new URL("/captures", page.url()).href);
  await expect(other.getByRole("heading", { name: /captures/iu }).first()).toBeVisible();
  await expect(other.getByText("Draft. Deleted on")).toHaveCount(0);

  await own.last().getByRole("link").click();
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText(/\S/u);
  await page.goto("/");
  await expect(recent(page)).toBeVisible();
  await expect(own).toHaveCount(0);
});

test("the first screen has one way to each of the sample, a live run and the guide, and the rest behind one link", async ({
  page,
}) => {
  await page.goto("/");
  for (const way of [/^Open the sample/u, /^Attach live/u, /^Capture guide/u])
    await expect(
      page.getByRole("button", { name: way }).or(page.getByRole("link", { name: way })),
    ).toHaveCount(1);
  await expect(page.getByRole("link", { name: "Take AG Lens with you" })).toBeHidden();
  await page.getByText("Run on this computer, single file, and other options").click();
  await expect(page.getByRole("link", { name: "Take AG Lens with you" })).toBeVisible();
});

test("a long name does not push the capture's time out of the app bar", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(filesOf("slow-secondary-disk"));
  await page
    .getByLabel("Name of the capture")
    .fill("Payroll after the move of both data centres, ".repeat(2));
  await page.getByLabel("Name of the capture").blur();
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText(/\S/u);
  const time = page.getByRole("banner").getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, \d/u);
  await expect(time).toBeVisible();
  const fits = (element: Element): boolean => element.scrollWidth <= element.clientWidth;
  expect(await time.evaluate(fits)).toBe(true);
  expect(await page.getByRole("banner").evaluate(fits)).toBe(true);
  expect(
    await time.evaluate(
      (element) => element.parentElement!.scrollWidth <= element.parentElement!.clientWidth,
    ),
  ).toBe(true);
});

test("the window is outlined while files are dragged, and a file dropped anywhere is added", async ({
  page,
}) => {
  const [path] = filesOf("slow-secondary-disk");
  await page.goto("/");
  // A user does not drop files on a page that is not drawn yet.
  await expect(page.getByRole("button", { name: "Choose files" })).toBeVisible();
  const transfer = await page.evaluateHandle(
    ([name, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
      const data = new DataTransfer();
      data.items.add(new File([bytes], name));
      return data;
    },
    [basename(path), readFileSync(path).toString("base64")] as const,
  );
  const outline = page.getByText("Drop the files anywhere");
  await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
  await expect(outline).toBeVisible();
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
  await expect(outline).toHaveCount(0);
  const card = page.getByRole("region", { name: "Recognized files" });
  await expect(card.getByTitle(basename(path))).toContainText("1 file, ");
  await expect(card).toContainText("No file of a secondary");
});

test("a file that is no capture says so and can be removed", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles({
    name: "notes.xel",
    mimeType: "application/octet-stream",
    buffer: Buffer.from("not a capture ".repeat(40)),
  });
  const card = page.getByRole("region", { name: "Recognized files" });
  await expect(card.getByRole("alert")).toContainText("notes.xel");
  await expect(page.getByRole("button", { name: /^Analyze/u })).toBeDisabled();
  await card.getByRole("button", { name: "Remove notes.xel" }).click();
  await expect(card.getByRole("alert")).toHaveCount(0);
});

test("damage is named with its offset, and the capture opens with the gap", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(filesOf("damaged"));
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("damaged");
  await expect(page.locator("main")).toContainText("byte offset");
  await expect(page.locator("main")).toContainText("Last good event");
  await page.getByRole("button", { name: /Open the capture with/u }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText(/\S/u);
  await page.getByRole("region", { name: "Replicas" }).getByRole("button", { name: /gap/u }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("damaged");
});

test("a damaged file is replaced by a better copy, and a file of the other side is refused", async ({
  page,
}) => {
  const [primary, secondary] = filesOf("slow-secondary-disk");
  const whole = readFileSync(primary);
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles([
    { name: "cut.xel", mimeType: "application/octet-stream", buffer: whole.subarray(0, whole.length * 0.7) },
    { name: "sql2.xel", mimeType: "application/octet-stream", buffer: readFileSync(secondary) },
  ]);
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("One of two files is damaged");
  const copy = page.getByLabel("Better copy of cut.xel");
  await copy.setInputFiles(secondary);
  await expect(page.getByRole("alert")).toContainText("cut.xel stays as it was");
  await copy.setInputFiles(primary);
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText(/\S/u);
  await expect(
    page.getByRole("region", { name: "Replicas" }).getByRole("button", { name: /gap/u }),
  ).toHaveCount(0);
});

test("a replica that the primary names and no file is from has a row of its own", async ({ page }) => {
  await page.goto("/");
  await page
    .getByLabel("Capture files")
    .setInputFiles([...filesOf("two-secondaries"), topologyOf("two-secondaries")]);
  const card = page.getByRole("region", { name: "Recognized files" });
  await expect(card).toContainText("Names from topology.xml");
  await expect(card).toContainText("SQL2");
  await expect(card).toContainText("The primary sends to this replica too");
  await expect(card.getByRole("button", { name: "Add file of SQL2" })).toBeVisible();
});

test("a file's role can be corrected", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(withOwnIds(filesOf("slow-secondary-disk")));
  const card = page.getByRole("region", { name: "Recognized files" });
  await expect(card).toContainText("in common");
  await page.getByRole("button", { name: "Change roles and files" }).click();
  await card.getByRole("combobox").last().selectOption("ignored");
  await expect(card).toContainText("is skipped");
  await expect(card).toContainText("No file of a secondary");
});

test("the analysis of the sample shows its steps", async ({ page }) => {
  await page.goto("/");
  // Stops at the progress screen: the sample is analyzed too fast to look at the screen.
  await page.route("**/progress", () => {});
  await page.route(/\/api\/v1\/captures\/[\w-]+$/u, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), state: "analysing" } });
  });
  await page.getByRole("button", { name: /^Open the sample/u }).click();
  await expect(page.getByRole("list").filter({ hasText: "Align clocks" })).toContainText("Measure stages");
  await expect(page.getByRole("button", { name: "Cancel" })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Events per second of what has been read/u })).toBeVisible();
});

test("two unrelated groups and a copy, dropped at once, are two cards and a sentence, and two captures", async ({
  page,
}) => {
  const files = withOwnIds([...filesOf("slow-network"), ...filesOf("slow-secondary-disk")]);
  await page.goto("/");
  await page
    .getByLabel("Capture files")
    .setInputFiles([...files, ...files.slice(0, 1).map((file) => ({ ...file, name: "copy of it.xel" }))]);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("2 captures in 7 files");
  const others = page.getByRole("region", { name: "Other files" });
  await expect(others).toContainText(/is used once: it is the same file as/u);
  const cards = page.getByRole("region", { name: / · \d+ \w+ 20\d\d, \d\d:\d\d UTC$/u });
  await expect(cards).toHaveCount(2);
  await expect(cards.first().getByText("Primary", { exact: true }).first()).toBeVisible();
  await expect(cards.last()).toContainText("6 May 2016");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Analyze 2 captures" }).click();
  // Both are watched, then listed with the slowest first, which Enter opens.
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("2 captures analyzed");
  const lines = page.getByRole("main").getByRole("listitem");
  await expect(lines).toHaveCount(2);
  await expect(lines.first()).toContainText("network");
  await expect(lines.last()).toContainText(/commit p95\d/u);
  await expect(page.getByRole("button", { name: "Compare both" })).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(lines.first().getByRole("button")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText("network");
});

test("a deleted capture is restored where it was", async ({ page }) => {
  const name = `Deleted by mistake ${Date.now()}`;
  const { id } = await (await page.request.post("/api/v1/captures", { data: { name } })).json();
  await page.request.post(`/api/v1/captures/${id}/files?name=a.xel`, {
    headers: { "content-type": "application/octet-stream" },
    data: Buffer.from("abc"),
  });
  await page.goto("/");
  const row = page.getByRole("listitem").filter({ hasText: name });
  await row.getByRole("button", { name: `Delete ${name}` }).click();
  await expect(row).toContainText("Deleted. It can be restored for a week.");
  await expect(row.getByRole("link")).toHaveCount(0);
  await row.getByRole("button", { name: `Undo: restore ${name}` }).press("Enter");
  await expect(row.getByRole("link", { name })).toBeVisible();
});

test("the list of captures shows all its columns from 1024 to 1920 px", async ({ page }) => {
  await openSample(page);
  await page.goto("/captures");
  for (const width of [1024, 1279, 1280, 1439, 1440, 1679, 1680, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    const verdict = page.getByRole("columnheader", { name: "Verdict" });
    await expect(verdict).toBeVisible();
    const { beyond, wide } = await verdict.evaluate((heading) => {
      const box = heading.closest("table")!.parentElement!;
      return { beyond: box.scrollWidth - box.clientWidth, wide: heading.clientWidth };
    });
    expect(beyond, `px beyond the list's side at ${width} px`).toBeLessThanOrEqual(0);
    expect(wide, `px of the verdict at ${width} px`).toBeGreaterThan(100);
  }
});

test("a capture, its group, a server and a database get other names, which other captures have too and restoring takes back", async ({
  page,
  context,
}) => {
  const files = withOwnIds(filesOf("slow-secondary-disk"));
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(files);
  await page.getByRole("button", { name: /^Analyze/u }).click();
  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict).toContainText("Secondary");
  const bar = page.getByRole("banner");
  await expect(bar).toContainText("2 replicas · ");

  await bar.getByRole("button", { name: /, change names$/u }).click();
  const dialog = page.getByRole("dialog", { name: "Names" });
  await dialog.getByLabel("Availability group").fill("AG-SALES");
  await dialog.getByLabel("Servers, 2 of 2").fill("NODE2");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save names" }).press("Enter");
  await expect(verdict).toContainText("NODE2");
  await expect(bar).toContainText("AG-SALES · ");

  const other = await context.newPage();
  await other.goto("/");
  await other.getByLabel("Capture files").setInputFiles(files);
  await expect(other.getByRole("region", { name: "Recognized files" })).toContainText("NODE2");
  await other.close();

  await page.keyboard.press("F2");
  await expect(dialog.getByLabel("Availability group")).toHaveValue("AG-SALES");
  await expect(dialog.getByLabel("Servers, 2 of 2")).toHaveValue("NODE2");
  await dialog.getByLabel("Capture").fill("After the patch");
  await dialog.getByRole("button", { name: "Save names" }).click();
  await expect(bar).toContainText("After the patch");
  await page.reload();
  await expect(bar).toContainText("After the patch");

  await page.keyboard.press("F2");
  await dialog.getByRole("button", { name: "Restore names" }).click();
  await expect(verdict).toContainText("Secondary");
  await expect(bar).toContainText("After the patch");
});
