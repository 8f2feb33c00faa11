// Installs what a fresh clone lacks, so that `npm start` and `npm test` are the only commands a newcomer needs.
// Runs on the machine's own Node: no dependency, nothing newer than Node 20.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";

const lock = () => createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");
const stamp = "node_modules/.aglens-lock";

/** On Windows npm and npx are scripts, which only a shell starts. */
const needsShell = (command) => process.platform === "win32" && /^np[mx]$/u.test(command);

/** Runs a command with its output shown; returns whether it succeeded. */
function run(command, args, options = {}) {
  const how = { stdio: "inherit", ...options };
  const { status } = needsShell(command)
    ? spawnSync([command, ...args].join(" "), { ...how, shell: true })
    : spawnSync(command, args, how);
  return status === 0;
}

function installPackages() {
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock()) return;
  console.log("Installing packages (first run, or package-lock.json changed)");
  if (!run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"])) process.exit(1);
  writeFileSync(stamp, lock());
}

const shell = "/usr/bin/chromium-headless-shell";
const browsers = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const hasBrowser = () =>
  browsers.some((path) => path && existsSync(path)) || existsSync("node_modules/.aglens-browser");

/** Debian's shell without windows when root, else an installed Chromium, else Playwright's own download, else Debian's package. */
function installBrowser() {
  const root = process.getuid?.() === 0;
  const debian = root && existsSync("/usr/bin/apt-get");
  if (existsSync(shell) || (debian && installShell()) || hasBrowser()) return;
  if (run("npx", ["playwright", "install", "chromium"], { timeout: 120_000 })) {
    writeFileSync("node_modules/.aglens-browser", "playwright");
    return;
  }
  if (debian && run("apt-get", ["update", "-qq"]) && run("apt-get", ["install", "-y", "-qq", "chromium"]))
    return;
  console.error("No Chromium: install one and set CHROMIUM_PATH to its executable.");
  process.exit(1);
}

/** @returns whether the package could be installed */
function installShell() {
  const quiet = { timeout: 180_000, stdio: "ignore" };
  return (
    run("apt-get", ["update", "-qq"], quiet) &&
    run("apt-get", ["install", "-y", "-qq", "chromium-headless-shell"], quiet)
  );
}

/** Debian's packages of programs that some tests run, and whether each is there. */
const PROGRAMS = [
  ["freetds-bin", () => spawnSync("tsql", ["-C"]).status === 0],
  ["postgresql", () => existsSync("/usr/lib/postgresql")],
  ["caddy", () => spawnSync("caddy", ["version"]).status === 0],
  ["prometheus", () => spawnSync("promtool", ["--version"]).status === 0],
];

/**
 * FreeTDS, a second opinion on the stand-in's TDS; in CI also PostgreSQL, Caddy, Prometheus and the S3 server, which Go builds.
 * Tests of a program that is missing are skipped, in CI they fail, except those of Prometheus.
 */
function installPrograms() {
  const ci = Boolean(process.env.CI);
  const missing = PROGRAMS.slice(0, ci ? PROGRAMS.length : 1)
    .filter(([, isThere]) => !isThere())
    .map(([name]) => name);
  const debian = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  const quiet = { timeout: 300_000, stdio: "ignore" };
  if (debian && missing.length > 0) run("apt-get", ["update", "-qq"], quiet);
  // One that a mirror lacks must not prevent the others.
  const install = (name) =>
    debian && run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], quiet);
  const failed = missing.filter((name) => !install(name));
  if (failed.length > 0)
    console.log(`Could not install ${failed.join(", ")}: their tests are skipped, in CI they fail.`);
  if (ci && !run("npm", ["run", "-s", "s3-server"])) console.log("Could not build the S3 server.");
}

installPackages();
if (process.argv.includes("--browser")) {
  installBrowser();
  installPrograms();
}
