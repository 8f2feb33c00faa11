/** Statements of docs/deploy about this repository and the service: names that exist, settings that can be read. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { COUNTED_STAGES } from "@aglens/ag-model/live";
import { stageDefinition } from "@aglens/ag-model/replication";
import { stageInTables } from "@aglens/ag-model/tables";
import { WATCH_RULES, WATCH_STATES } from "@aglens/contract";
import { VERSION as S3_SERVER_VERSION } from "@aglens/fixtures/s3-server";
import { expect, test } from "vitest";
import { ROOT } from "../../test/service.ts";
import { sampleMetrics } from "../../test/sample-metrics.ts";
import { accessSettings } from "../access/access-settings.ts";
import { readConfig } from "../settings/config.ts";
import { newOwnId } from "../live/own-id.ts";
import { systemClock } from "../kernel/clock.ts";
import { networkReach } from "../settings/network-reach.ts";

const deployed = (name: string): string => readFileSync(join(ROOT, "docs/deploy", name), "utf8");
const packageJson = (folder: string) =>
  JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  };
const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, first = ""]) => first);

/** Made by the build. */
const BUILT = /^(?:node_modules|apps\/(?:api|web)\/dist)$/u;

test("the image copies what is there, and runs what `npm run serve` runs on the same Node", () => {
  const dockerfile = deployed("Dockerfile");
  const copied = found(dockerfile, /^COPY --from=build \/aglens\/(\S+)/gmu);
  expect(copied.length).toBeGreaterThan(3);
  for (const path of copied)
    expect([path, BUILT.test(path) || existsSync(join(ROOT, path))]).toEqual([path, true]);
  // Messages of the server name documents.
  expect(copied).toContain("docs");
  const images = found(dockerfile, /^FROM node:([\d.]+)-/gmu);
  expect(new Set(images)).toEqual(new Set([packageJson(".").devDependencies["node"]]));
  const entry = JSON.parse(found(dockerfile, /^ENTRYPOINT (.*)$/gmu)[0] ?? "") as string[];
  expect(entry.join(" ").replace("apps/api/", "")).toBe(packageJson("apps/api").scripts["serve"]);
});

test("the executable has the documents that messages name", () => {
  const build = readFileSync(join(ROOT, "apps/api/exe/build.ts"), "utf8");
  expect(build).toContain('...filesOf(join(ROOT, "docs"), "docs", "**/*.md")');
});

test("the unit runs it too, and waits longer for its end than the answers under way have", () => {
  const unit = deployed("aglens.service");
  const [command = ""] = found(unit, /^ExecStart=\S+\/node (.*)$/gmu);
  expect(`node ${command.replace("apps/api/", "")}`).toBe(packageJson("apps/api").scripts["serve"]);
  const [most] = found(unit, /^TimeoutStopSec=(\d+)$/gmu);
  const [drain] = found(unit, /^Environment=AGLENS_DRAIN_SECONDS=(\d+)$/gmu);
  expect(Number(most)).toBeGreaterThan(Number(drain));
});

test.each([
  ["Dockerfile", /(?:^ENV |(?<=\S) )([A-Z_]+)=(\S+)/gmu, 3],
  ["compose.yaml", /^ {6}([A-Z_]+): "?([^"\n]+)"?$/gmu, 5],
  ["compose.servers.yaml", /^ {4,6}(AGLENS_\w+): "?([^"\n]+)"?$/gmu, 10],
  ["compose.postgres.yaml", /^ {6}(AGLENS_\w+): "?([^"\n]+)"?$/gmu, 2],
  ["aglens.service", /^Environment=([A-Z_]+)=(\S+)$/gmu, 3],
])("%s sets only what can be set", (name, pattern, count) => {
  const settings = [...deployed(name).matchAll(pattern)].map(([, key = "", value = ""]) => [key, value]);
  expect(settings).toHaveLength(count);
  expect(() => readConfig(Object.fromEntries(settings) as Record<string, string>, ROOT)).not.toThrow();
});

test("the unit has lines for watches: files next to each other, whose folder the setting names", () => {
  const lines = deployed("aglens.service")
    .split("\n")
    .filter((line) => /^#(?:LoadCredential|Environment)=/u.test(line))
    .map((line) => line.slice(1));
  const files = found(lines.join("\n"), /^LoadCredential=(\S+):\/etc\/aglens\/\1$/gmu);
  expect(files).toEqual(["watch.json", "sales-password"]);
  const [, watchFile = ""] = /^Environment=AGLENS_WATCH_FILE=(\S+)$/mu.exec(lines.join("\n")) ?? [];
  const folder = "/run/credentials/aglens.service";
  const config = readConfig({ AGLENS_WATCH_FILE: watchFile.replace("%d", folder) }, ROOT);
  expect(config.watchFile).toBe(`${folder}/watch.json`);
});

test("unit and image keep what they store of their own account alone", () => {
  const unit = deployed("aglens.service");
  expect(unit).toContain("\nUMask=0077\n");
  expect(unit).toContain("\nStateDirectoryMode=0700\n");
  expect(deployed("Dockerfile")).toMatch(/^RUN install --directory .*--mode=0700 \/data$/mu);
});

/** `Environment=` lines, `ENV` and `environment:` alike. */
const settingsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/\b((?:AGLENS_[A-Z_]+|HOST))(?:=|: )"?([^"\s]+)"?/gu)].map(
      ([, key = "", value = ""]) => [key, value],
    ),
  );

test.each(["aglens.service", "Dockerfile", "compose.yaml", "compose.servers.yaml"])(
  "%s as it is lets nobody in from the network without signing in",
  (name) => {
    const image = name.startsWith("compose") ? deployed("Dockerfile") : "";
    const text = `${image}\n${deployed(name)}`.replaceAll(/#.*$/gmu, "");
    const config = readConfig(settingsOf(text), ROOT);
    const isStarted = networkReach(config) === null || accessSettings(config) !== null;
    // The image alone is refused at its start, by its HOST.
    expect(isStarted).toBe(name !== "Dockerfile");
  },
);

test("the proxy of several servers sends what is of one server's live runs to it", () => {
  const proxy = deployed("Caddyfile");
  const names = found(deployed("compose.servers.yaml"), /^ {6}AGLENS_SERVER_NAME: (\S+)$/gmu);
  expect(names).toEqual(["north", "south"]);
  for (const name of names) {
    // Without the random part of an id.
    const begin = newOwnId(name).slice(0, name.length + 1);
    expect(proxy).toContain(
      `@${name} path /api/v1/live/runs/${begin}* /api/v1/live/leftovers/${begin}*\n\thandle @${name} {\n\t\treverse_proxy ${name}:4700 {`,
    );
  }
});

test("the store of several servers is the version that the tests run; no image is whatever is newest", () => {
  expect(deployed("compose.servers.yaml")).toContain(`image: versity/versitygw:v${S3_SERVER_VERSION}\n`);
  for (const name of ["compose.yaml", "compose.postgres.yaml", "compose.servers.yaml"])
    for (const image of found(deployed(name), /^ {4}image: (\S+)$/gmu)) {
      expect([image, /:(?!latest)\S+$/u.test(image)]).toEqual([image, true]);
    }
});

test.each(["compose.yaml", "compose.servers.yaml"])(
  "%s believes what a proxy of its own network says of who asks",
  (name) => {
    const compose = deployed(name);
    const trusted = found(compose, /^ {4,6}AGLENS_TRUSTED_PROXIES: (\S+)$/gmu);
    expect(trusted).toHaveLength(1);
    expect(found(compose, /^ {8}- subnet: (\S+)$/gmu)).toEqual(trusted);
  },
);

test.each([
  ["grafana-dashboard.json", 9],
  ["grafana-watches.json", 14],
  ["alert-rules.yaml", 10],
])("%s asks for metrics and states that there are", async (name, fewest) => {
  const { metrics, count } = sampleMetrics(systemClock);
  count(1);
  const text = await metrics.text();
  metrics.registry.clear();
  const file = deployed(name);
  const asked = new Set(found(file, /\b((?:aglens|nodejs|process)_[a-z_\d]+)/gu));
  expect(asked.size).toBeGreaterThanOrEqual(fewest);
  const shown = new Set(found(text, /^(\w+)[ {]/gmu));
  expect([...asked].filter((metric) => !shown.has(metric))).toEqual([]);
  const states = found(file, /state=~?\\?"([\w|]+)\\?"/gu).flatMap((each) => each.split("|"));
  expect(states.filter((state) => !(WATCH_STATES as readonly string[]).includes(state))).toEqual([]);
});

test("the dashboard of groups offers the stages that are counted, by their names", () => {
  const { templating } = JSON.parse(deployed("grafana-watches.json")) as {
    readonly templating: { readonly list: { readonly name: string; readonly query: string }[] };
  };
  const offered = templating.list.find(({ name }) => name === "stage")?.query.split(", ");
  const counted = COUNTED_STAGES.map((id) => `${stageDefinition(id).label} : ${stageInTables(id)}`);
  expect(new Set(offered)).toEqual(new Set(counted));
});

test("the pages about metrics have all of AG Lens, with states and rules", async () => {
  const { metrics } = sampleMetrics(systemClock);
  const text = await metrics.text();
  metrics.registry.clear();
  const page = ["monitoring.md", "metrics.md"]
    .map((name) => readFileSync(join(ROOT, "docs/operate", name), "utf8"))
    .join("\n");
  const missing = [...found(text, /^# TYPE (aglens_\w+) /gmu), ...WATCH_STATES, ...WATCH_RULES].filter(
    (name) => !page.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});
