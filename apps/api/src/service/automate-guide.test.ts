/** Scripts of docs/guide/automate.md, as the page has them. */
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT, testService, type TestService } from "../../test/service.ts";

const PAGE = readFileSync(join(ROOT, "docs/guide/automate.md"), "utf8");
const CAPTURE = join(ROOT, "fixtures/captures/slow-network");

/** The programs that the scripts call, apart from xel. */
const hasPrograms = ["curl", "jq", "sh"].every((name) => spawnSync(name, ["--version"]).error === undefined);
if (!hasPrograms) console.warn("Skipped: curl, jq or sh is not installed.");

/** The script of a section. */
function scriptOf(section: string): string {
  const [, text = ""] = PAGE.split(`\n## ${section}\n`);
  const script = /^[^#]*?```sh\n(?<script>.*?)```/su.exec(text)?.groups?.["script"];
  if (script === undefined) throw new Error(`No script in ${section}`);
  return script;
}

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

// In CI a missing program is a failure, so a green run there proves that these ran.
describe.skipIf(!hasPrograms && !process.env["CI"])("docs/guide/automate.md", () => {
  const folder = mkdtempSync(join(tmpdir(), "aglens-automate-"));
  let service: TestService;
  let server: Server;

  beforeAll(async () => {
    const shim = join(folder, "xel");
    writeFileSync(
      shim,
      `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, "packages/cli/bin/xel.ts")}" "$@"\n`,
    );
    chmodSync(shim, 0o755);
    for (const role of ["primary", "secondary"])
      cpSync(join(CAPTURE, role), join(folder, "captures", role), { recursive: true });
    const files = ["primary", "secondary"].flatMap((role) =>
      readdirSync(join(CAPTURE, role)).map((name) => [
        `${role}/${name}`,
        new Uint8Array(readFileSync(join(CAPTURE, role, name))),
      ]),
    );
    writeFileSync(join(folder, "night.zip"), zipSync(Object.fromEntries(files), { level: 1 }));
    service = await testService();
    server = createServer(service.app).listen(0, "127.0.0.1");
  });
  afterAll(async () => {
    server.close();
    await service.end();
    rmSync(folder, { recursive: true });
  });

  const run = (script: string): Promise<Ended> =>
    new Promise((resolve) => {
      const env = { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}` };
      execFile("sh", ["-c", script], { cwd: folder, env, timeout: 120_000 }, (error, output, errors) =>
        resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
      );
    });

  test("the script of CI fails because commits are slow", async () => {
    // The fixture's commits take 176 ms at p95.
    expect(await run(scriptOf("CI"))).toEqual({ code: 1, output: "false\n", errors: "" });
    const patient = scriptOf("CI").replace("20000", "200000");
    expect(await run(patient)).toEqual({ code: 0, output: "true\n", errors: "" });
  });

  test("the script of CI fails if no commit was measured", async () => {
    const script = scriptOf("CI").replace("analyze captures", "analyze captures/secondary");
    expect(await run(script)).toMatchObject({ code: 1, output: "false\n" });
  });

  test("the script of CI names skipped files, and ends without a result for no files", async () => {
    const script = scriptOf("CI").replace("20000", "200000");
    const partly = await run(script.replace("analyze captures", "analyze captures none.xel"));
    expect(partly).toMatchObject({ code: 0, output: "Some files were damaged or skipped.\ntrue\n" });
    expect(partly.errors).toContain("none.xel");
    expect(await run(script.replace("analyze captures", "analyze none.xel"))).toMatchObject({
      code: 4,
      output: "",
    });
  });

  test("the script of the HTTP API prints the verdict of a zip", async () => {
    const address = `http://localhost:${(server.address() as AddressInfo).port}`;
    const ended = await run(scriptOf("HTTP API").replace("http://localhost:4700", address));
    expect(ended).toEqual({
      code: 0,
      output: expect.stringMatching(/^ready\nslow\nThe network to .* takes 72\s% of remote harden time\./u),
      errors: "",
    });
    const capture = JSON.parse(readFileSync(join(folder, "capture.json"), "utf8"));
    expect(capture).toMatchObject({ name: "Night", tags: ["nightly"] });
    expect(capture.files).toHaveLength(4);
  });

  test("the script of the HTTP API fails if AG Lens doesn't answer", async () => {
    const script = scriptOf("HTTP API").replace("http://localhost:4700", "http://localhost:1");
    // The code of curl for a refused connection.
    expect(await run(script)).toMatchObject({ code: 7, output: "" });
  });

  test("the table has the exit codes of xel", () => {
    const codes = Array.from(PAGE.matchAll(/^\| (\d) \| /gmu), ([, code]) => Number(code));
    expect(codes).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
