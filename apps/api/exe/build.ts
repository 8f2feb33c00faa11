/**
 * `npm run build:exe`: the server, the web app, the samples and Node in one file, for Windows and Linux on x64. It uses
 * Node's own single-executable applications (nodejs.org/api/single-executable-applications.html) with the Node version
 * that this repository pins. Arguments: the platforms, all without; `notices` writes only the licenses of the contents.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { Notices, NOTICES } from "@aglens/fixtures/notices";
import { zipSync, type Zippable } from "fflate";
import { build } from "rolldown";
import { COMMAND_SCRIPTS } from "../bundle.ts";
import { NODE_ARGUMENTS } from "../node-arguments.ts";
import { PROGRAM, VERSION } from "./assets.ts";
import { nodeLicense, nodeOf, type ExePlatform, EXE_PLATFORMS } from "./node-binary.ts";

const HERE = import.meta.dirname;
const API = join(HERE, "..");
const ROOT = join(API, "../..");
const OUT = join(HERE, "dist");
/** The mark that Node looks for in its own executable to find the added program (Node's documentation names it). */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/**
 * The server with all its packages, because the executable has no node_modules. Without the picture library, links have
 * no picture.
 */
async function bundleServer(folder: string): Promise<void> {
  const scripts = ["src/main.ts", "src/worker.ts", "src/sql/sql-worker.ts"];
  await build({
    cwd: API,
    platform: "node",
    input: {
      ...Object.fromEntries(scripts.map((path) => [basename(path, ".ts"), join(API, path)])),
      ...COMMAND_SCRIPTS,
    },
    plugins: [new Notices(API).outer()],
    external: /^(?:@duckdb\/node-api|@napi-rs\/canvas)$/u,
    output: {
      dir: folder,
      format: "esm",
      minify: true,
      entryFileNames: "[name].js",
      chunkFileNames: "shared-[name].js",
    },
  });
}

/** The licenses of Node, the server and the web app in one file, to be passed on with the executable. */
function writeNotices(server: string): void {
  const texts = [server, join(ROOT, "apps/web/dist")].map((folder) =>
    readFileSync(join(folder, NOTICES), "utf8"),
  );
  writeFileSync(
    join(OUT, NOTICES),
    [`Node.js ${process.versions.node}\n\n${nodeLicense()}`, ...texts].join("\n"),
  );
}

/** Everything that is unpacked, by its path. */
function programFiles(server: string): Zippable {
  return {
    "package.json": Buffer.from('{"type":"module"}'),
    [NOTICES]: readFileSync(join(OUT, NOTICES)),
    ...filesOf(server, "apps/api/dist"),
    ...filesOf(join(ROOT, "apps/web/dist"), "apps/web/dist"),
    ...filesOf(join(ROOT, "fixtures/captures"), "fixtures/captures"),
    // Messages of the server name documents.
    ...filesOf(join(ROOT, "docs"), "docs", "**/*.md"),
  };
}

function filesOf(folder: string, place: string, pattern = "**/*"): Zippable {
  const files = globSync(pattern, { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = path
        .slice(folder.length + 1)
        .split(sep)
        .join("/");
      return [`${place}/${name}`, readFileSync(path)];
    }),
  );
}

/** The script of the executable and its assets, in Node's form. */
async function writeBlob(server: string): Promise<string> {
  const program = zipSync(programFiles(server), { level: 9 });
  writeFileSync(join(OUT, PROGRAM), program);
  writeFileSync(join(OUT, VERSION), createHash("sha256").update(program).digest("hex").slice(0, 16));
  await build({
    cwd: HERE,
    platform: "node",
    input: join(HERE, "launch.ts"),
    output: { file: join(OUT, "launch.cjs"), format: "cjs" },
  });
  const config = {
    main: join(OUT, "launch.cjs"),
    output: join(OUT, "blob"),
    disableExperimentalSEAWarning: true,
    execArgv: NODE_ARGUMENTS,
    assets: { [PROGRAM]: join(OUT, PROGRAM), [VERSION]: join(OUT, VERSION) },
  };
  writeFileSync(join(OUT, "sea.json"), JSON.stringify(config));
  run(process.execPath, ["--experimental-sea-config", join(OUT, "sea.json")]);
  return config.output;
}

function writeExecutable(platform: ExePlatform, blob: string): string {
  const path = join(OUT, platform === "win-x64" ? "ag-lens.exe" : "ag-lens");
  copyFileSync(nodeOf(platform, join(OUT, "node")), path);
  chmodSync(path, 0o755);
  const injector = join(ROOT, "node_modules/postject/dist/cli.js");
  run(process.execPath, [injector, path, "NODE_SEA_BLOB", blob, "--sentinel-fuse", FUSE]);
  return path;
}

function run(command: string, args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${stderr}`);
}

const wanted = process.argv.slice(2);
const platforms = EXE_PLATFORMS.filter((platform) => wanted.length === 0 || wanted.includes(platform));
mkdirSync(OUT, { recursive: true });
const server = join(OUT, "server");
rmSync(server, { recursive: true, force: true });
await bundleServer(server);
writeNotices(server);
const blob = platforms.length === 0 ? null : await writeBlob(server);
for (const platform of platforms) if (blob !== null) console.log(writeExecutable(platform, blob));
