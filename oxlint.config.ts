import { readdirSync } from "node:fs";
import { defineConfig, type OxlintOverride } from "oxlint";

/** Modules that all others of the API may import. */
const GROUND = ["kernel", "settings"];
/** Modules that the API's routes import. */
const UNDER_HTTP = [
  "access",
  "captures",
  "dataset",
  "fleet",
  "live",
  "notes",
  "store",
  "uploads",
  "sql",
  "status",
  "unfurl",
  "watch",
];

/**
 * The modules of each source folder, from the lowest up, with the modules that each one may import. A module that is
 * not listed may import nothing, so that a new one has to be added here. Between packages, the `exports` and
 * `dependencies` of their package.json are the boundaries; circles are refused everywhere (`import/no-cycle`, and
 * behind `import()` `fixtures/documents/circles.ts`).
 */
const HOUSES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "packages/xel-parser/src": { format: [], writer: [], "text-events": ["format", "writer"] },
  "packages/evidence/src": {
    recognition: ["health", "samples"],
    messages: [],
    errorlog: ["messages"],
    health: ["messages", "samples"],
    samples: [],
    happened: [],
    facts: ["messages", "errorlog", "happened", "health", "recognition", "samples"],
    agreement: ["samples"],
    folder: ["recognition", "facts"],
  },
  "packages/ag-model/src": {
    numbers: [],
    events: ["numbers"],
    replication: ["numbers", "events"],
    grouping: ["events", "replication", "words"],
    words: ["replication"],
    columns: ["numbers", "replication"],
    lanes: ["replication", "columns"],
    replay: ["numbers", "replication", "columns", "diagnosis"],
    check: ["events", "replication", "words"],
    diagnosis: ["numbers", "replication", "columns", "words", "check"],
    query: ["numbers", "events", "replication", "columns", "diagnosis", "check"],
    fleet: ["numbers", "words"],
    minimap: ["columns", "diagnosis", "lanes", "query"],
    live: ["numbers", "events", "replication", "columns", "lanes", "diagnosis", "query"],
    tables: ["numbers", "events", "replication", "columns", "diagnosis"],
    trace: ["numbers", "replication", "columns", "lanes", "query", "tables"],
    evidence: ["numbers", "replication", "columns"],
    watch: ["numbers", "words"],
  },
  "packages/ag-model/src/replication": {
    clocks: [],
    shapes: ["clocks"],
    prepare: ["clocks", "shapes"],
    join: ["clocks", "shapes", "prepare"],
    "event-index": ["clocks", "shapes", "prepare", "join"],
    alignment: ["clocks", "shapes", "prepare", "join", "event-index"],
    measure: ["clocks", "shapes", "prepare", "join", "event-index", "alignment"],
  },
  "packages/engine/src": {
    problems: [],
    files: ["problems", "evidence"],
    notes: ["problems"],
    evidence: [],
    answers: ["problems", "files", "evidence"],
    analysis: ["files", "evidence", "answers"],
    "aglens-file": ["problems", "notes", "files", "analysis"],
  },
  "apps/api/src": {
    kernel: [],
    settings: ["kernel"],
    threads: ["kernel"],
    sql: [...GROUND, "threads"],
    store: GROUND,
    captures: [...GROUND, "store", "threads"],
    dataset: [...GROUND, "store", "threads", "captures"],
    maintenance: [...GROUND, "store", "captures", "dataset"],
    live: [...GROUND, "threads", "captures"],
    notes: [...GROUND, "captures", "store"],
    access: [...GROUND, "store"],
    uploads: [...GROUND, "access", "captures", "store"],
    status: [...GROUND, "store", "threads", "captures", "dataset", "live", "watch"],
    unfurl: [],
    fleet: [...GROUND, "captures"],
    mcp: [...GROUND, "captures", "dataset", "sql"],
    watch: [...GROUND, "access", "captures", "live", "store", "unfurl"],
    http: [...GROUND, ...UNDER_HTTP],
    service: [...GROUND, ...UNDER_HTTP, "threads", "http"],
  },
  "apps/api/src/captures": {
    jobs: [],
    kept: [],
    derived: ["kept"],
    records: ["derived", "kept"],
    work: ["records"],
    reading: ["jobs", "kept"],
    analysis: ["jobs", "derived", "kept", "reading"],
    intake: ["jobs", "kept", "records", "work", "reading", "analysis"],
    life: ["jobs", "derived", "kept", "records", "work", "analysis", "intake"],
    answers: ["derived", "kept"],
  },
  "apps/web/src": {
    messages: [],
    ui: ["messages"],
    state: [],
    data: [],
    local: ["data"],
    lanes: ["messages", "ui"],
    filter: ["messages", "ui"],
    charts: ["lanes", "ui", "messages"],
    frame: ["messages", "state", "ui"],
    notes: ["messages", "frame", "data", "state", "ui"],
    screens: ["notes", "frame", "charts", "filter", "lanes", "data", "state", "ui", "messages"],
    pages: ["messages", "screens", "notes", "filter", "frame", "charts", "lanes", "data", "state", "ui"],
  },
};

/** Screens do not import each other; common parts of two screens have a module below them. */
const SCREENS = [
  "access",
  "captures",
  "overview",
  "timeline",
  "sequence",
  "distribution",
  "export",
  "share",
  "live",
  "status",
  "waiting",
  "compare",
  "fleet",
  "help",
  "names",
  "what-if",
  "how-read",
  "raw",
  "sql",
  "watches",
];

/** Parts that several screens show; they do not import any screen. */
const SHARED_PARTS = ["capture-view", "lane-view", "server-form", "slowest", "tags", "watch-strip"];

/** Sources that run in a browser worker as well as in Node. */
const PURE = [
  "packages/xel-parser/src",
  "packages/evidence/src",
  "packages/ag-model/src",
  "packages/ag-model/src/replication",
  "packages/contract/src",
  "packages/engine/src",
  "apps/web/src",
];

/** Imports that leave a package by its path instead of its name. */
const BY_PATH = {
  regex: String.raw`^(\.\./)+(apps|packages|fixtures)/`,
  message: "Import another package by its name.",
};
const NODE = { regex: "^node:", message: "This code runs in browsers too." };

interface Pattern {
  readonly regex: string;
  readonly message: string;
}

const only = (files: string[], patterns: Pattern[]): OxlintOverride => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns }] },
});

function patternsOf(folder: string, room: string): Pattern[] {
  const house = HOUSES[folder];
  const closed = Object.keys(house).filter((other) => other !== room && !house[room].includes(other));
  const wall = {
    regex: String.raw`^(\.\./)+(${closed.join("|")})/`,
    message: `${room} may enter ${house[room].join(", ") || "no other room"} only (oxlint.config.ts).`,
  };
  return [BY_PATH, ...(PURE.includes(folder) ? [NODE] : []), ...(closed.length > 0 ? [wall] : [])];
}

function refuseUnlisted(folder: string, listed: readonly string[]): void {
  const entries = readdirSync(folder, { withFileTypes: true });
  // A folder that git left empty is not a module.
  const found = entries.filter((e) => e.isDirectory() && readdirSync(`${folder}/${e.name}`).length > 0);
  const missing = found.filter(({ name }) => !listed.includes(name)).map(({ name }) => `${folder}/${name}`);
  if (missing.length > 0) throw new Error(`oxlint.config.ts has no walls for ${missing.join(", ")}.`);
}

for (const [folder, house] of Object.entries(HOUSES)) refuseUnlisted(folder, Object.keys(house));
refuseUnlisted("apps/web/src/screens", [...SCREENS, ...SHARED_PARTS]);

/** The walls of a room, and where it is a room's own house those of that room too. */
function wallsOf(folder: string, room: string): Pattern[] {
  const [, outer = "", inside = ""] = /^(.*)\/([^/]+)$/u.exec(folder) ?? [];
  return [...(outer in HOUSES ? patternsOf(outer, inside) : []), ...patternsOf(folder, room)];
}

const rooms = Object.entries(HOUSES).flatMap(([folder, house]) =>
  Object.keys(house).map((room) => only([`${folder}/${room}/**`], wallsOf(folder, room))),
);

const screens = [...SCREENS, ...SHARED_PARTS].map((screen) => {
  const others = SCREENS.filter((other) => other !== screen).join("|");
  const apart = {
    regex: String.raw`^(\.\./)+(${others})/`,
    message: "A screen imports nothing of another screen.",
  };
  return only([`apps/web/src/screens/${screen}/**`], [...patternsOf("apps/web/src", "screens"), apart]);
});

const LONG_STORES = [
  "store/blobs",
  "store/bucket/bucket",
  "store/bucket/bucket-blobs",
  "store/postgres/postgres-work",
  "uploads/bucket-upload-files",
];

export default defineConfig({
  plugins: ["typescript", "react", "unicorn", "import", "jsx-a11y"],
  categories: { correctness: "error", suspicious: "warn" },
  ignorePatterns: ["**/dist"],
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    // Cells of a table's columns are called, not mounted.
    "react/no-unstable-nested-components": ["error", { propNamePattern: "cell*" }],
    "no-restricted-imports": ["error", { patterns: [BY_PATH] }],
    "no-restricted-properties": [
      "error",
      ...["waitFor", "waitUntil"].map((property) => ({
        object: "vi",
        property,
        message:
          "It gives up after a second, which a busy machine takes: use until, expect.poll or the library's waitFor.",
      })),
    ],
    "no-console": "off",
    "react/react-in-jsx-scope": "off",
    "import/no-unassigned-import": "off",
    "unicorn/no-array-sort": "off",
    "typescript/no-unsafe-type-assertion": "off",
    "unicorn/consistent-function-scoping": "off",
    "no-shadow": "off",
    "jsx-a11y/control-has-associated-label": "off",
    "typescript/consistent-return": "off",
    // A promise that is not awaited may fail, which ends the process.
    "typescript/no-misused-promises": "error",
    "import/no-named-as-default-member": "off",
    "no-unmodified-loop-condition": "off",
  },
  overrides: [
    {
      files: ["{packages,apps}/*/{src,bin}/**/*.{ts,tsx}"],
      rules: {
        "max-params": ["error", { max: 5 }],
        "max-lines-per-function": ["error", { max: 100 }],
      },
    },
    // Closures that are to become classes on one object store.
    {
      files: LONG_STORES.map((path) => `apps/api/src/${path}.ts`),
      rules: { "max-lines-per-function": "off" },
    },
    only(["packages/contract/src/**", "apps/web/src/*"], [BY_PATH, NODE]),
    ...rooms,
    ...screens,
    {
      files: ["**/*.test.{ts,tsx}", "e2e/**", "fixtures/**"],
      rules: { "no-restricted-imports": "off", "max-lines-per-function": "off", "max-params": "off" },
    },
  ],
});
