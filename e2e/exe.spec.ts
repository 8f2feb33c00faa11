import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "@playwright/test";

const EXE = join(import.meta.dirname, "../apps/api/exe");

test.skip(
  process.platform !== "linux" || process.arch !== "x64",
  "The executable that is started here is that of Linux on x64.",
);

test("the single executable unpacks itself, serves the app and analyses the sample", async ({ page }) => {
  execFileSync(process.execPath, [join(EXE, "build.ts"), "linux-x64"]);
  const home = mkdtempSync(join(tmpdir(), "aglens-exe-home-"));
  const server = spawn(join(EXE, "dist/ag-lens"), ["--no-open"], {
    // Runs without npm, Node and the repository: only with the contents of the executable.
    cwd: home,
    env: { HOME: home, PORT: "0", AGLENS_LOG: "warn" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = (await once(createInterface(server.stdout), "line")) as [string];
    // Messages of the server name documents.
    expect(globSync("**/docs/operate/access.md", { cwd: join(home, ".local/share/ag-lens") })).toHaveLength(
      1,
    );
    await page.goto(line.replace("AG Lens: ", ""));
    await page.getByRole("button", { name: /^Open the sample/u }).click();
    await expect(page.getByRole("region", { name: "Verdict" })).toContainText("SQL");
  } finally {
    const ended = once(server, "exit");
    server.kill("SIGTERM");
    await ended;
    rmSync(home, { recursive: true });
  }
});
