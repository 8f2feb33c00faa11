/** Steps for tests that attach to stand-ins of replicas. */
import { expect, type Page } from "@playwright/test";
import { startGroup, type StandIn, type StandInGroup } from "../fixtures/replica-standin/index.ts";

type GroupOptions = Parameters<typeof startGroup>[0];

/** Starts an availability group of stand-ins for one test. */
export async function withGroup(
  options: GroupOptions,
  use: (group: StandInGroup) => Promise<void>,
): Promise<void> {
  const group = await startGroup({ secondaries: 1, blocksPerSecond: 60, ...options });
  try {
    await use(group);
  } finally {
    await group.close();
  }
}

/** Address of a stand-in, as a user writes it. */
export const addressOf = ({ host, port }: StandIn): string => `${host},${port}`;

/** Fills the form of the first server and asks it. */
export async function checkFirst(page: Page, replica: StandIn, password = "aglens"): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: "Attach live" }).click();
  const card = page.getByRole("region", { name: "Replica 1" });
  await card.getByLabel("Server", { exact: true }).fill(addressOf(replica));
  await card.getByText("Certificate: must be trusted").click();
  await card.getByLabel("trust server certificate").check();
  await card.getByLabel("User").fill("aglens");
  await card.getByLabel("Password").fill(password);
  await card.getByRole("button", { name: "Check" }).click();
}

/** Attaches through the API, and opens the run as the one who began it. @returns address of the run in the API */
export async function openRun(page: Page, replicas: readonly StandIn[]): Promise<string> {
  await page.goto("/");
  const answer = await page.request.post("/api/v1/live/runs", {
    data: {
      title: "Peak hour",
      replicas: replicas.map(({ host, port, user, password }) => ({
        server: { host, port, trustCertificate: true },
        login: { kind: "sql", user, password },
      })),
    },
  });
  const { id, control } = await answer.json();
  await page.evaluate(
    ([key, value]) => window.sessionStorage.setItem(key, value),
    [`ag-lens.live.${id}`, control],
  );
  await page.goto(`/live/${id}`);
  await expect(page.getByText(/^Recording \d/u)).toBeVisible();
  return `/api/v1/live/runs/${id}`;
}

/** Ends the run that is open without keeping it. */
export async function discard(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Stop and discard" }).click();
  await page.getByRole("button", { name: "Discard permanently" }).click();
}
