import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { faultsIn, nodesOf, parse } from "./script.ts";

const PROGRAM = fileURLToPath(import.meta.resolve("../../cli/bin/xel.ts"));

test("the script of xel completion powershell is PowerShell, and registers the command", async () => {
  const { stdout } = spawnSync(process.execPath, [PROGRAM, "completion", "powershell"], { encoding: "utf8" });
  const root = await parse({ text: stdout });
  expect(faultsIn(root)).toEqual([]);
  expect(nodesOf(root, "command_name").map(({ text }) => text)).toContain("Register-ArgumentCompleter");
});
