/** Watches: the pages with known answers, and a watch of stand-ins that records. */
import { expect, type Page, test } from "@playwright/test";
import { WATCH_NOW, watchAnswer, watches } from "../apps/web/test/watch.ts";
import { withGroup } from "./live-steps.ts";
import { expectAccessible, expectAccessibleEverywhere } from "./steps.ts";

/** Answers as on a known morning. */
async function answerWatches(page: Page, list = watches()): Promise<void> {
  await page.clock.setFixedTime(WATCH_NOW);
  await page.route(/\/api\/v1\/watches/u, (route) =>
    route.fulfill({ json: watchAnswer(route.request().url(), list) }),
  );
}

test("the list of watches at six widths in both themes", async ({ page }) => {
  await answerWatches(page);
  await page.goto("/watches");
  await expectAccessibleEverywhere(page, page.getByRole("link", { name: "SALES-AG", exact: true }));
});

test("a watch, those that can't poll and an empty list without a finding of axe", async ({ page }) => {
  await answerWatches(page);
  await page.goto("/watches/w1");
  await expectAccessibleEverywhere(page, page.getByRole("table", { name: "Recordings" }), {
    widths: [1_440, 1_024, 390],
  });
  await page.goto("/watches?state=broken");
  await expectAccessibleEverywhere(page, page.getByRole("region", { name: "PAYROLL-AG" }), {
    widths: [1_440, 390],
  });
  await page.unrouteAll();
  await answerWatches(page, { ...watches(), watches: [] });
  await page.goto("/watches");
  await expectAccessibleEverywhere(page, page.getByRole("heading", { name: "No watches yet" }), {
    widths: [1_440, 390],
  });
});

test("a mark of a strip opens its recording, another place the watch at that time", async ({ page }) => {
  await answerWatches(page);
  await page.goto("/watches?q=sales");
  const press = async (share: number, top: number): Promise<void> => {
    // Marks come after the strip: before them the same press opens a time.
    await expect(page.getByText(/[1-9]\d* recordings?, \d+ refused/u)).toBeAttached();
    const { x, y, width } = (await page.locator("li canvas").boundingBox())!;
    await page.mouse.click(x + width * share, y + top);
  };
  // The middle of the week is no mark.
  await press(0.5, 50);
  await expect(page).toHaveURL(/\/watches\/w1\?from=2026-11-20T15%3A40/u);
  await page.goBack();
  // 02:41:25 is 4 h 58 min 35 s before the end of the 168 h.
  await press(1 - 4.976 / 168, 5);
  await expect(page).toHaveURL(/\/captures\/c3/u);
});

test("a watch of two replicas records by hand, and leads to the recording", async ({ page }) => {
  await withGroup({}, async ({ replicas }) => {
    const answer = await page.request.post("/api/v1/watches", {
      data: {
        group: "TestAG",
        login: "stand-ins",
        everySeconds: 1,
        replicas: replicas.map(({ host, port }) => ({ server: { host, port, trustCertificate: true } })),
        triggers: {
          commitDelay: { overMs: 5_000, forSeconds: 60 },
          timesUsual: null,
          queue: null,
          state: false,
          schedules: [],
          http: false,
        },
        recording: {
          // Long enough to be seen by a page that asks every 5 s, on a busy machine too.
          quietSeconds: 30,
          mostSeconds: 20,
          ringSeconds: null,
          mostPerDay: 5,
          mostPerWeek: 20,
          mostBytesPerWeek: 1e9,
          holdOffSeconds: 0,
          keepDays: null,
          withoutCommits: false,
        },
        receivers: [],
      },
    });
    const { id } = await answer.json();
    await page.goto("/");
    await page.getByRole("link", { name: "Watches" }).click();
    const row = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "TestAG" }) });
    await expect(row).toContainText("Watching");
    await row.getByRole("link", { name: "TestAG" }).click();
    await expect(page.getByRole("region", { name: "Replicas" })).toContainText("SYNCHRONIZED");
    await page.keyboard.press("r");
    await expect(page.getByRole("banner")).toContainText("Recording now");
    const open = page.getByRole("button", { name: "Open recording" });
    await expect(open).toBeVisible();
    await expect(page.getByRole("table", { name: "Recordings" })).toContainText("No stage stands out.");
    await expectAccessible(page);
    await open.click();
    await expect(page).toHaveURL(/\/captures\//u);
    await page.request.delete(`/api/v1/watches/${id}`);
    for (const replica of replicas) expect(replica.sessions()).toEqual([]);
  });
});
