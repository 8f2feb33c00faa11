import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { helpText, settingsRows } from "./settings.ts";

const GIB = 1024 ** 3;

test("without any variable the defaults are those of a machine of one's own", () => {
  expect(readConfig({}, "/aglens")).toEqual({
    host: "127.0.0.1",
    port: 4700,
    hosts: [],
    dataDirectory: "/aglens/.data",
    catalogue: null,
    cataloguePasswordFile: null,
    blobs: null,
    cacheBytes: null,
    serverName: hostname(),
    maxUploadBytes: 8 * GIB,
    uploadKeepHours: 24,
    maxFiles: 500,
    keepDays: 90,
    keepBytes: null,
    connections: 5_000,
    writesPerMinute: 600,
    analyses: null,
    analysisMemoryBytes: null,
    drainSeconds: 10,
    leaveSeconds: null,
    webDirectory: "/aglens/apps/web/dist",
    samplesDirectory: "/aglens/fixtures/captures",
    logLevel: "warn",
    liveHosts: undefined,
    liveKeepBytes: 8 * GIB,
    liveMemoryBytes: 64 * 1024 ** 2,
    keepFreeBytes: null,
    tokenFile: null,
    oidcIssuer: null,
    oidcClient: null,
    oidcSecretFile: null,
    oidcName: null,
    oidcGroupsClaim: "groups",
    oidcPersonClaim: "sub",
    oidcScopes: "openid profile email",
    oidcConfirmMinutes: 5,
    userHeader: null,
    groupsHeader: null,
    trustedProxies: [],
    viewers: [],
    contributors: [],
    admins: [],
    people: { viewer: [], contributor: [], admin: [] },
    sessionHours: 12,
    keepsTables: true,
    sqlSeconds: 10,
    sqlRows: 100_000,
    sqlMemoryBytes: 1_000_000_000,
    publicUrl: null,
    tlsCertificate: null,
    tlsKey: null,
    quotaBytes: 0,
    quotaBytesPerPerson: 0,
    analysesPerPerson: 0,
    liveRunsPerPerson: 2,
    watchFile: null,
    readsPerMinute: 0,
  });
});

test("each variable changes its setting", () => {
  const environment = {
    HOST: "0.0.0.0",
    PORT: "80",
    AGLENS_HOSTS: "AGLens.corp, ::1,10.0.0.1,",
    AGLENS_DATA: "/data",
    AGLENS_CATALOGUE: "postgres://aglens@db/aglens",
    AGLENS_CATALOGUE_PASSWORD_FILE: "/password",
    AGLENS_BLOBS: "s3://aglens/captures",
    AGLENS_CACHE_BYTES: "5000",
    AGLENS_SERVER_NAME: "north",
    AGLENS_MAX_UPLOAD_BYTES: "1000",
    AGLENS_MAX_FILES: "7",
    AGLENS_UPLOAD_KEEP_HOURS: "48",
    AGLENS_KEEP_DAYS: "3",
    AGLENS_KEEP_BYTES: "9000",
    AGLENS_WRITES_PER_MINUTE: "5",
    AGLENS_CONNECTIONS: "50",
    AGLENS_ANALYSES: "4",
    AGLENS_ANALYSIS_MEMORY_BYTES: "5000",
    AGLENS_DRAIN_SECONDS: "6",
    AGLENS_LEAVE_SECONDS: "3",
    AGLENS_WEB: "/web",
    AGLENS_SAMPLES: "/samples",
    AGLENS_LOG: "info",
    AGLENS_LIVE_HOSTS: "sql1",
    AGLENS_LIVE_KEEP_BYTES: "2000",
    AGLENS_LIVE_MEMORY_BYTES: "100000000",
    AGLENS_KEEP_FREE_BYTES: "3000",
    AGLENS_TOKEN_FILE: "/token",
    AGLENS_OIDC_ISSUER: "https://login.example/tenant",
    AGLENS_OIDC_CLIENT: "client",
    AGLENS_OIDC_SECRET_FILE: "/secret",
    AGLENS_OIDC_NAME: "Entra ID",
    AGLENS_OIDC_GROUPS_CLAIM: "roles",
    AGLENS_OIDC_PERSON_CLAIM: "oid",
    AGLENS_OIDC_SCOPES: "openid  offline_access",
    AGLENS_OIDC_CONFIRM_MINUTES: "3",
    AGLENS_USER_HEADER: "X-User",
    AGLENS_GROUPS_HEADER: "X-Groups",
    AGLENS_TRUSTED_PROXIES: "10.4.0.10, 10.5.0.0/16,fd00::/8",
    AGLENS_VIEWERS: "*",
    AGLENS_CONTRIBUTORS: "dba, storage team",
    AGLENS_ADMINS: "lead",
    AGLENS_PEOPLE: "admin:o-1, viewer: o:2,admin:o-3",
    AGLENS_SESSION_HOURS: "8",
    AGLENS_PUBLIC_URL: "https://tools.corp/aglens/",
    AGLENS_TLS_CERTIFICATE: "/cert.pem",
    AGLENS_TLS_KEY: "/key.pem",
    AGLENS_QUOTA_BYTES: "4000",
    AGLENS_QUOTA_BYTES_PER_PERSON: "400",
    AGLENS_ANALYSES_PER_PERSON: "2",
    AGLENS_LIVE_RUNS_PER_PERSON: "3",
    AGLENS_WATCH_FILE: "/watch.json",
    AGLENS_READS_PER_MINUTE: "6000",
    AGLENS_TABLES: "off",
    AGLENS_SQL_SECONDS: "20",
    AGLENS_SQL_ROWS: "500",
    AGLENS_SQL_MEMORY_BYTES: "100000000",
  };
  expect(readConfig(environment, "/aglens")).toEqual({
    host: "0.0.0.0",
    port: 80,
    hosts: ["aglens.corp", "::1", "10.0.0.1"],
    dataDirectory: "/data",
    catalogue: "postgres://aglens@db/aglens",
    cataloguePasswordFile: "/password",
    blobs: "s3://aglens/captures",
    cacheBytes: 5_000,
    serverName: "north",
    maxUploadBytes: 1000,
    maxFiles: 7,
    uploadKeepHours: 48,
    keepDays: 3,
    keepBytes: 9000,
    writesPerMinute: 5,
    connections: 50,
    analyses: 4,
    analysisMemoryBytes: 5000,
    drainSeconds: 6,
    leaveSeconds: 3,
    webDirectory: "/web",
    samplesDirectory: "/samples",
    logLevel: "info",
    liveHosts: "sql1",
    liveKeepBytes: 2000,
    liveMemoryBytes: 100_000_000,
    keepFreeBytes: 3000,
    tokenFile: "/token",
    oidcIssuer: "https://login.example/tenant",
    oidcClient: "client",
    oidcSecretFile: "/secret",
    oidcName: "Entra ID",
    oidcGroupsClaim: "roles",
    oidcPersonClaim: "oid",
    oidcScopes: "openid offline_access",
    oidcConfirmMinutes: 3,
    userHeader: "x-user",
    groupsHeader: "x-groups",
    trustedProxies: ["10.4.0.10", "10.5.0.0/16", "fd00::/8"],
    viewers: ["*"],
    contributors: ["dba", "storage team"],
    admins: ["lead"],
    people: { viewer: ["o:2"], contributor: [], admin: ["o-1", "o-3"] },
    sessionHours: 8,
    publicUrl: "https://tools.corp/aglens",
    tlsCertificate: "/cert.pem",
    tlsKey: "/key.pem",
    quotaBytes: 4000,
    quotaBytesPerPerson: 400,
    analysesPerPerson: 2,
    liveRunsPerPerson: 3,
    watchFile: "/watch.json",
    readsPerMinute: 6000,
    keepsTables: false,
    sqlSeconds: 20,
    sqlRows: 500,
    sqlMemoryBytes: 100_000_000,
  });
});

test("0 days keep captures for good, an empty variable is none", () => {
  expect(readConfig({ AGLENS_KEEP_DAYS: "0" }, "").keepDays).toBeNull();
  expect(readConfig({ AGLENS_KEEP_DAYS: "1" }, "").keepDays).toBe(1);
  expect(readConfig({ PORT: "" }, "").port).toBe(4700);
  expect(readConfig({ PORT: "0" }, "").port).toBe(0);
  // An empty host is every interface, as Node has it: the start is then refused without access control.
  expect(readConfig({ HOST: "" }, "").host).toBe("");
  // An empty directory would be the working directory.
  expect(readConfig({ AGLENS_DATA: "" }, "/aglens").dataDirectory).toBe("/aglens/.data");
});

/** The error of a start with these variables. */
function refusal(environment: Record<string, string>): string {
  try {
    readConfig(environment, "");
    return "taken";
  } catch (error) {
    expect(error).toMatchObject({ code: "bad-setting", exitCode: 78 });
    return (error as Error).message;
  }
}

test.each(["-1", "1.5", "many", "1e400", "1e3", "0x10", " "])("%j is no number of files", (text) => {
  expect(refusal({ AGLENS_MAX_FILES: text })).toBe(
    `AGLENS_MAX_FILES must be a whole number from 1 to 10000, it is "${text}".`,
  );
});

test.each([
  ["PORT", "65535", "65536"],
  ["AGLENS_KEEP_DAYS", "36500", "36501"],
  ["AGLENS_WRITES_PER_MINUTE", "1", "0"],
  ["AGLENS_MAX_FILES", "1", "0"],
  ["AGLENS_MAX_UPLOAD_BYTES", "1", "0"],
  ["AGLENS_LOG", "silent", "chatty"],
  ["HOST", "::1", "a b"],
  ["AGLENS_SERVER_NAME", "north-1.corp_2", "north~1"],
  ["AGLENS_SERVER_NAME", "n".repeat(63), "n".repeat(64)],
  ["HOST", "web-1.corp.example", "http://web-1"],
  ["AGLENS_SESSION_HOURS", "720", "721"],
  ["AGLENS_LIVE_RUNS_PER_PERSON", "3", "4"],
  ["AGLENS_USER_HEADER", "X-User", "X User"],
  ["AGLENS_OIDC_ISSUER", "https://login.example", "http://login.example"],
  ["AGLENS_PUBLIC_URL", "http://aglens.example", "aglens.example"],
  ["AGLENS_PUBLIC_URL", "https://aglens.example/a", "https://aglens.example/#a"],
])("%s may be %s, not %s", (name, right, wrong) => {
  expect(refusal({ [name]: right })).toBe("taken");
  expect(refusal({ [name]: wrong })).toMatch(new RegExp(`^${name} must be .*it is "${wrong}"\\.$`, "u"));
});

test.each(["http://aglens.corp", "aglens.corp:4700", "*", "a b"])("%s is no name of a host", (text) => {
  expect(refusal({ AGLENS_HOSTS: text })).toContain(`"${text}" is not a name`);
});

test.each(["proxy.example", "10.0.0.0/33", "fd00::/129", "*", "10.0.0.1/"])("%s is no network", (text) => {
  expect(refusal({ AGLENS_TRUSTED_PROXIES: text })).toContain(`"${text}" isn't valid`);
});

test("everything that is wrong is named at once, unknown names too", () => {
  const lines = refusal({ AGLENS_KEEPDAYS: "3", PORT: "x", AGLENS_LOG: "chatty", OTHER: "1" }).split("\n");
  expect(lines).toEqual([
    "AGLENS_KEEPDAYS is not a setting. --help lists them.",
    'PORT must be a whole number from 0 to 65535, it is "x".',
    'AGLENS_LOG must be one of trace, debug, info, warn, error, fatal, silent, it is "chatty".',
  ]);
  expect(refusal({ AGLENS_E2E_PORT: "4790" })).toBe("taken");
});

describe("a file of settings", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "aglens-config-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const fileOf = (content: string): string => {
    const path = join(folder, "aglens.json");
    writeFileSync(path, content);
    return path;
  };

  test("has the same names; a variable is used before it, an empty one is not", () => {
    const AGLENS_CONFIG = fileOf(
      '{ "PORT": 80, "AGLENS_HOSTS": ["a.example", "b"], "AGLENS_LOG": "info", "AGLENS_KEEP_DAYS": 0 }',
    );
    expect(readConfig({ AGLENS_CONFIG, AGLENS_LOG: "error", PORT: "" }, "")).toMatchObject({
      port: 80,
      hosts: ["a.example", "b"],
      logLevel: "error",
      keepDays: null,
    });
  });

  test.each([
    [
      '{ "AGLENS_PORT": 80 }',
      "AGLENS_PORT in the file of AGLENS_CONFIG is not a setting. --help lists them.",
    ],
    ['{ "PORT": "http" }', 'PORT must be a whole number from 0 to 65535, it is "http".'],
    ['{ "PORT": null }', "PORT must be a text, a number or a list of texts."],
    ["[]", "it is no JSON object."],
    ["PORT=80", "cannot be read:"],
  ])("%s is refused", (content, sentence) => {
    expect(refusal({ AGLENS_CONFIG: fileOf(content) })).toContain(sentence);
  });

  test("that is not there is named", () => {
    expect(refusal({ AGLENS_CONFIG: join(folder, "none.json") })).toContain(
      "none.json cannot be read: ENOENT",
    );
  });
});

test("the help and docs/operate/settings.md list every setting", () => {
  const rows = settingsRows();
  const document = readFileSync(join(import.meta.dirname, "../../../../docs/operate/settings.md"), "utf8");
  expect(document.split("\n").filter((line) => /^\| `(?:HOST|PORT|AGLENS_)/u.test(line))).toEqual(rows);
  for (const row of rows) expect(helpText()).toContain(`  ${/`(\w+)`/u.exec(row)?.[1]}\n`);
});
