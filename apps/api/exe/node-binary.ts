/** Node for a platform, from the npm package of that platform, in the version that runs this. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const EXE_PLATFORMS = ["linux-x64", "win-x64"] as const;
export type ExePlatform = (typeof EXE_PLATFORMS)[number];

/** @param folder with files that were fetched earlier @returns the path of the binary */
export function nodeOf(platform: ExePlatform, folder: string): string {
  if (platform === ownPlatform()) return process.execPath;
  const name = `node-${platform}-${process.versions.node}`;
  const place = join(folder, name);
  const binary = join(place, "package/bin", platform === "win-x64" ? "node.exe" : "node");
  if (existsSync(binary)) return binary;
  mkdirSync(place, { recursive: true });
  // npm verifies fetched files with the registry's digest. `npm` is a script of the shell on Windows.
  const shell = process.platform === "win32";
  run("npm", ["pack", "--silent", `node-${platform}@${process.versions.node}`], place, shell);
  run("tar", ["-xzf", `${name}.tgz`], place, false);
  return binary;
}

/** The licenses of Node and of its parts, from the package of the Node that runs this. */
export const nodeLicense = (): string =>
  readFileSync(join(process.execPath, `../../node_modules/node-${ownPlatform()}/LICENSE`), "utf8");

const ownPlatform = (): string =>
  `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

function run(command: string, args: string[], cwd: string, shell: boolean): void {
  const { status } = spawnSync(command, args, { cwd, shell, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed.`);
}
