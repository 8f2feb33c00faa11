import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { expectAccessible, filesOf } from "./steps.ts";

const MEGABYTES = 70;

test("a large file outlives a broken connection and a page that was closed", async ({ context }) => {
  const folder = await mkdtemp(join(tmpdir(), "aglens-upload-"));
  // An event file, and zeros after it.
  const path = join(folder, "large_0_134078124690831.xel");
  await writeFile(path, await readFile(filesOf("slow-network")[0] ?? ""));
  const handle = await open(path, "r+");
  await handle.truncate(MEGABYTES * 1e6);
  await handle.close();
  let parts = 0;
  let isBroken = true;
  await context.route("**/api/v1/captures/*/uploads/*", async (route) => {
    const isPart = route.request().method() === "PATCH";
    if (isPart) parts += 1;
    await (isBroken && (parts > 1 || !isPart) ? route.abort() : route.continue());
  });

  const first = await context.newPage();
  await first.goto("/");
  await first.getByLabel("Capture files").setInputFiles(path);
  // 16 MiB of 70 MB arrived.
  await expect(first.getByRole("heading", { level: 1, name: /^Interrupted at 23\s%/u })).toBeVisible();
  await expectAccessible(first);
  await first.close();

  isBroken = false;
  const second = await context.newPage();
  await second.goto("/");
  await second.getByRole("button", { name: "Resume it" }).click();
  const title = second.getByRole("heading", { level: 1 });
  await expect(title).toHaveText(/^Choose the same files, 16.8\sMB are kept$/u);
  await second.getByLabel("Capture files").setInputFiles(path);
  const card = second.getByRole("region", { name: "Recognized files" });
  await expect(card.getByTitle(/^large_0/u)).toContainText("1 file, ");
  // The first part was not sent again: with the one that broke, 54 MB in four more.
  expect(parts).toBe(6);
  await rm(folder, { recursive: true });
});
