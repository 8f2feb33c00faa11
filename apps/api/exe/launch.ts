/**
 * The script of the single executable. It unpacks the program inside the executable and starts the server, which opens
 * the browser. All environment variables work here too; `--no-open` does not open the browser. `mcp` answers an
 * assistant and `xel` runs a command instead of starting the server.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { getAsset, getRawAsset } from "node:sea";
import { ownFolder } from "./places.ts";
import { PROGRAM, VERSION } from "./assets.ts";
import { keepUsed, unpackOnce } from "./unpack.ts";

const own = ownFolder(process.platform, process.env, homedir());

const [, , command] = process.argv;
const script = command === "mcp" || command === "xel" ? command : "main";

// A window that was opened by a double click closes with the program, and the reason why it ended with it.
if (script === "main" && process.platform === "win32" && process.stdout.isTTY)
  process.on("exit", (code) => {
    if (code !== 0) spawnSync("cmd", ["/c", "pause"], { stdio: "inherit" });
  });

const folder = unpackOnce(
  () => new Uint8Array(getRawAsset(PROGRAM)),
  join(own, "program"),
  getAsset(VERSION, "utf8"),
);
keepUsed(folder);
if (script === "main") {
  process.env["AGLENS_DATA"] ||= join(own, "data");
  if (!process.argv.includes("--no-open")) process.argv.push("--open");
}
// Its own arguments follow.
if (script === "xel") process.argv.splice(2, 1);
createRequire(join(folder, "package.json"))(`./apps/api/dist/${script}.js`);
