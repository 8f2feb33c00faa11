import { expect, test } from "@playwright/test";
import { startGroup, startStandIn } from "../fixtures/replica-standin/index.ts";
import { checkFirst } from "./live-steps.ts";
import { expectAccessible } from "./steps.ts";

test("an old certificate is a choice with its price; accepting it lets the server in, and folds its card", async ({
  page,
}) => {
  const group = await startGroup({ secondaries: 0, version: "2016", certificate: "sha1" });
  try {
    await checkFirst(page, group.replicas[0]);
    const card = page.getByRole("region", { name: "Replica 1" });
    await expect(card).toContainText("closed the connection at the TLS hello");
    await expect(card).toContainText("AG Lens sent no login");
    await expect(card).toContainText("needs a choice");
    await expect(page.getByRole("button", { name: "Attach", exact: true })).toBeDisabled();
    await expect(card.getByRole("button", { name: "Check with it" })).toBeDisabled();
    await expectAccessible(page);
    await card.getByRole("radio", { name: /Accept the old certificate/u }).check();
    await expect(card).toContainText(/SHA-256 (?:[0-9a-f]{2}:){31}[0-9a-f]{2}/u);
    await card.getByRole("button", { name: "Check with it" }).click();
    await expect(card).toContainText("TLS, old certificate accepted");
    await expect(card.getByLabel("Password")).toHaveCount(0);
    await expect(page.getByRole("heading", { name: "Attach to 1 replica of" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Attach", exact: true })).toBeEnabled();
    // Typing another server takes the choice back.
    await card.getByRole("button", { name: "Edit replica 1" }).click();
    await card.getByLabel("User").fill("aglens2");
    await expect(page.getByRole("button", { name: "Attach", exact: true })).toBeDisabled();
  } finally {
    await group.close();
  }
});

test("a server that is starting is asked again by itself; one without databases asks what to record", async ({
  page,
}) => {
  const server = await startStandIn();
  try {
    server.fault({ kind: "refuseLogins", number: 17_187 });
    await checkFirst(page, server);
    const card = page.getByRole("region", { name: "Replica 1" });
    await expect(card).toContainText(/trying again in \d s/u);
    await expect(card).toContainText("is starting (error 17187)");
    await expect(card).toContainText("2 tries in");
    await expectAccessible(page);
    server.fault({ kind: "refuseLogins", number: null });
    await expect(card).toContainText("needs a choice");
    await expect(page.getByRole("button", { name: "Attach", exact: true })).toBeDisabled();
    await card.getByLabel("record every user database").check();
    await expect(card).toContainText("ready, with a limit");
    await expect(page.getByRole("button", { name: "Attach", exact: true })).toBeEnabled();
  } finally {
    await server.close();
  }
});

test("sessions of another AG Lens that are read stay; rights are granted line by line to the Windows group", async ({
  page,
}) => {
  const left = "aglens_web02_20261120T1200Z_0a1b";
  const server = await startStandIn({
    version: "2019",
    windowsGroup: "CORP\\DBA-Read",
    deny: ["VIEW ANY DEFINITION"],
    sessions: [{ name: left, running: false }],
  });
  try {
    await checkFirst(page, server);
    const card = page.getByRole("region", { name: "Replica 1" });
    await expect(card).toContainText(
      "GRANT VIEW ANY DEFINITION TO [CORP\\DBA-Read];  -- names and commit modes",
    );
    await expect(card).toContainText("Grant to the group");
    await expect(card).toContainText("without a reader");
    await expect(card.getByLabel(left)).not.toBeChecked();
    await card.getByLabel(left).check();
    await card.getByRole("button", { name: "Remove 1 session" }).click();
    await expect(card).not.toContainText(left);
    expect(server.sessions()).toEqual([]);
  } finally {
    await server.close();
  }
});

test("a first server is checked statement by statement; the text is shown before it is saved", async ({
  page,
}) => {
  const group = await startGroup({ secondaries: 0 });
  const [server] = group.replicas;
  try {
    server.fault({ kind: "failStatements", number: 1205, with: "sys.dm_os_wait_stats" });
    await checkFirst(page, server);
    await page.getByRole("button", { name: "Attach and check" }).click();
    const dialog = page.getByRole("dialog", { name: /^Attach and check/u });
    await expect(dialog).toContainText("It isn't sent anywhere");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Check every statement" }).click();
    const first = dialog.getByRole("row").nth(1);
    await expect(first).toContainText("Waits");
    await expect(first).toContainText("error 1205, state 1, severity 13");
    const text = dialog.getByLabel("Text file");
    await expect(text).toContainText("AG Lens first contact 1");
    await expect(text).not.toContainText(server.host);
    await expectAccessible(page);
    const saving = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Save text file" }).click();
    expect((await saving).suggestedFilename()).toBe("ag-lens-first-contact.txt");
    expect(server.sessions()).toEqual([]);
  } finally {
    await group.close();
  }
});
