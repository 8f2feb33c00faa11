/** Bounds of client input: the last value that is accepted, and the first one that is refused. */
import { describe, expect, test } from "vitest";
import { TokenSignIn } from "./shapes/access.ts";
import { CaptureChange, NewCapture } from "./shapes/captures.ts";
import { FileCorrection, FileIdentity } from "./shapes/files.ts";
import { BlockCondition, Comparison } from "./block-filter.ts";
import { FirstContactRequest } from "./shapes/first-contact.ts";
import { LinkRenewal, NewLink, Passphrase } from "./shapes/links.ts";
import { LiveFollow, LiveKeepLast, LiveStopAfter, NewLiveMark } from "./shapes/live-control.ts";
import { LeftoverRemoval, LiveLogin, LiveServer, NewLiveReplica, NewLiveRun } from "./shapes/live-servers.ts";
import { NewNote } from "./shapes/notes.ts";
import { SqlRequest } from "./shapes/sql.ts";
import { NewTag } from "./shapes/tags.ts";
import type { z } from "./zod.ts";

const x = (count: number): string => "x".repeat(count);
const list = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

const server = { host: "sql1" };
const login = { kind: "sql", user: "sa", password: "" };
const replica = { server, login };
const link = { captureId: x(16), path: "/", view: "", title: "t" };
const note = { fromTicks: "5", toTicks: "5", lsn: null, text: "t" };

type Case = readonly [what: string, schema: z.ZodType, taken: unknown, refused: unknown];

describe.each<Case>([
  ["a token has 1 to 400 characters", TokenSignIn, { token: x(400) }, { token: x(401) }],
  ["an empty token is none", TokenSignIn, { token: " x " }, { token: "  " }],
  ["a capture's name has 120 characters", NewCapture, { name: x(120) }, { name: x(121) }],
  ["a renamed capture's too", CaptureChange, { name: x(120) }, { name: x(121) }],
  ["a change has one part", CaptureChange, { kept: false }, {}],
  ["a capture has 20 tags", NewCapture, { tags: list(20, "t") }, { tags: list(21, "t") }],
  ["a tag has 40 characters", NewTag, { tag: x(40) }, { tag: x(41) }],
  ["a tag has no comma", NewTag, { tag: "a b" }, { tag: "a,b" }],
  ["a tag has no quote", NewTag, { tag: "a'b" }, { tag: 'a"b' }],
  // An identifier of SQL Server has 128 characters.
  ["a server's name has 128 characters", FileCorrection, { replica: x(128) }, { replica: x(129) }],
  ["times are whole numbers", FileIdentity.shape.fromTicks, "-15", "1.5"],
  ["a time has a digit", FileIdentity.shape.fromTicks, "0", "-"],
  // RFC 1035: a name in the DNS has 253 characters.
  ["a host has 253 characters", LiveServer, { host: x(253) }, { host: x(254) }],
  ["a host is there", LiveServer, { host: "s" }, { host: " " }],
  ["a host has no instance", LiveServer, { host: "SQL_1.a-b" }, { host: "sql1\\a" }],
  ["a host may be an IPv6 address", LiveServer, { host: "fe80::1" }, { host: "tcp://sql1" }],
  ["a port begins at 1", LiveServer, { ...server, port: 1 }, { ...server, port: 0 }],
  ["a port ends at 65535", LiveServer, { ...server, port: 65_535 }, { ...server, port: 65_536 }],
  ["a port is whole", LiveServer, { ...server, port: 1433 }, { ...server, port: 1433.5 }],
  [
    "an instance has 64 characters",
    LiveServer,
    { ...server, instance: x(64) },
    { ...server, instance: x(65) },
  ],
  ["an instance has no space", LiveServer, { ...server, instance: "A$_#1" }, { ...server, instance: "A B" }],
  ["an instance is there", LiveServer, { ...server, instance: "A" }, { ...server, instance: "" }],
  [
    "encryption is of three kinds",
    LiveServer,
    { ...server, encryption: "strict" },
    { ...server, encryption: "on" },
  ],
  [
    "an old certificate is named by its SHA-256",
    LiveServer,
    { ...server, oldCertificate: "0f".repeat(32) },
    { ...server, oldCertificate: "0F".repeat(32) },
  ],
  [
    "and by all of it",
    LiveServer,
    { ...server, oldCertificate: "0".repeat(64) },
    { ...server, oldCertificate: "0".repeat(63) },
  ],
  [
    "a certificate's name is a host's",
    LiveServer,
    { ...server, certificateName: x(253) },
    { ...server, certificateName: x(254) },
  ],
  [
    "a certificate authority has 64 KiB",
    LiveServer,
    { ...server, certificateAuthority: x(65_536) },
    { ...server, certificateAuthority: x(65_537) },
  ],
  ["a login has 128 characters", LiveLogin, { ...login, user: x(128) }, { ...login, user: x(129) }],
  ["a login is there", LiveLogin, { ...login, user: "s" }, { ...login, user: " " }],
  ["a password has 256", LiveLogin, { ...login, password: x(256) }, { ...login, password: x(257) }],
  [
    "a Windows password has 256",
    LiveLogin,
    { kind: "ntlm", domain: "d", user: "u", password: x(256) },
    { kind: "ntlm", domain: "d", user: "u", password: x(257) },
  ],
  [
    "a Windows login has a domain",
    LiveLogin,
    { kind: "ntlm", domain: "d", user: "u", password: "" },
    { kind: "ntlm", user: "u", password: "" },
  ],
  ["an Entra token is there", LiveLogin, { kind: "entra", token: "t" }, { kind: "entra", token: "" }],
  [
    "an Entra token has 16 KiB",
    LiveLogin,
    { kind: "entra", token: x(16_384) },
    { kind: "entra", token: x(16_385) },
  ],
  [
    "a session's name has 128 characters",
    NewLiveReplica,
    { ...replica, session: x(128) },
    { ...replica, session: x(129) },
  ],
  [
    "a server calls itself by 256",
    NewLiveReplica,
    { ...replica, serverName: x(256) },
    { ...replica, serverName: x(257) },
  ],
  // A primary and eight secondaries: an availability group has no more.
  ["a run has 9 replicas", NewLiveRun, { replicas: list(9, replica) }, { replicas: list(10, replica) }],
  ["a run has a replica", NewLiveRun, { replicas: [replica] }, { replicas: [] }],
  [
    "a run's title has 120 characters",
    NewLiveRun,
    { replicas: [replica], title: x(120) },
    { replicas: [replica], title: x(121) },
  ],
  [
    "a run stops after a day",
    NewLiveRun,
    { replicas: [replica], stopAfterMinutes: 1440 },
    { replicas: [replica], stopAfterMinutes: 1441 },
  ],
  [
    "and after a minute at least",
    NewLiveRun,
    { replicas: [replica], stopAfterMinutes: 1 },
    { replicas: [replica], stopAfterMinutes: 0.9 },
  ],
  ["sessions are removed by name", LeftoverRemoval, { ...replica, names: ["s"] }, { ...replica, names: [] }],
  [
    "100 at once",
    LeftoverRemoval,
    { ...replica, names: list(100, "s") },
    { ...replica, names: list(101, "s") },
  ],
  ["a database is followed by its name", LiveFollow, { db: x(128) }, { db: x(129) }],
  ["which is there", LiveFollow, {}, { db: "" }],
  ["a mark has 80 characters", NewLiveMark, { label: x(80) }, { label: x(81) }],
  ["an hour is kept", LiveKeepLast, { minutes: 60 }, { minutes: 61 }],
  ["a minute at least", LiveKeepLast, { minutes: 1 }, { minutes: 0 }],
  ["a run that goes on stops within a day", LiveStopAfter, { minutes: 1440 }, { minutes: 1441 }],
  ["or in a minute", LiveStopAfter, { minutes: 1 }, { minutes: 0 }],
  ["or when somebody stops it", LiveStopAfter, { minutes: null }, {}],
  ["a capture's id has 16 characters", NewLink, link, { ...link, captureId: x(15) }],
  ["and 40 at most", NewLink, { ...link, captureId: x(40) }, { ...link, captureId: x(41) }],
  ["a path begins with a slash", NewLink, { ...link, path: "/how-read/1" }, { ...link, path: "how-read" }],
  ["a path has 60 characters more", NewLink, { ...link, path: `/${x(60)}` }, { ...link, path: `/${x(61)}` }],
  ["a path has no dot", NewLink, { ...link, path: "/a" }, { ...link, path: "/../a" }],
  ["a view has 12,000 characters", NewLink, { ...link, view: x(12_000) }, { ...link, view: x(12_001) }],
  ["a link's title has 200", NewLink, { ...link, title: x(200) }, { ...link, title: x(201) }],
  ["a link is for two audiences", NewLink, { ...link, audience: "signed-in" }, { ...link, audience: "all" }],
  ["a passphrase has 8 characters", Passphrase, "12345678", "1234567"],
  ["without those around it", Passphrase, " 12345678 ", " 1234567 "],
  ["a passphrase has 200 at most", Passphrase, x(200), x(201)],
  ["a note has 140 characters", NewNote, { ...note, text: x(140) }, { ...note, text: x(141) }],
  ["a note does not end before it begins", NewNote, note, { ...note, toTicks: "4" }],
  [
    "whatever the digits",
    NewNote,
    { ...note, fromTicks: "9", toTicks: "10" },
    { ...note, fromTicks: "10", toTicks: "9" },
  ],
  [
    "an instant has 19 digits",
    NewNote,
    { ...note, toTicks: "9".repeat(19) },
    { ...note, toTicks: "9".repeat(20) },
  ],
  ["an LSN is of two parts", NewNote, { ...note, lsn: "0000002f:000001ab" }, { ...note, lsn: "2f:1ab" }],
  ["a query has 20,000 characters", SqlRequest, { sql: x(20_000) }, { sql: x(20_001) }],
  ["a query is there", SqlRequest, { sql: "x" }, { sql: "" }],
  ["an amount is up to 1e15", Comparison, { sign: ">", amount: 1e15 }, { sign: ">", amount: 1.1e15 }],
  ["and from -1e15 on", Comparison, { sign: "<=", amount: -1e15 }, { sign: "<=", amount: -1.1e15 }],
  [
    "a database has an index of 16 bits",
    BlockCondition,
    { kind: "database", database: 65_535 },
    { kind: "database", database: 65_536 },
  ],
  ["from 0 on", BlockCondition, { kind: "database", database: 0 }, { kind: "database", database: -1 }],
  [
    "a secondary is one of 16",
    BlockCondition,
    { kind: "gate", secondary: 15 },
    { kind: "gate", secondary: 16 },
  ],
  ["the first one is 0", BlockCondition, { kind: "gate", secondary: 0 }, { kind: "gate", secondary: -1 }],
  [
    "a log write is of the primary or of one of 16 secondaries",
    BlockCondition,
    { kind: "class", writeClass: "bad", replica: 16 },
    { kind: "class", writeClass: "bad", replica: 17 },
  ],
])("%s", (_, schema, taken, refused) => {
  test("is taken", () => expect(schema.safeParse(taken).error).toBeUndefined());
  test("is refused beyond", () => expect(schema.safeParse(refused).success).toBe(false));
});

test.each<readonly [what: string, schema: z.ZodType, sent: unknown, read: unknown]>([
  ["a capture has no tags, and is no draft", NewCapture, {}, { tags: [], draft: false }],
  [
    "a server's connection is encrypted, and its certificate checked",
    LiveServer,
    { host: " sql1 " },
    { host: "sql1", encryption: "required", trustCertificate: false },
  ],
  [
    "a replica records the databases of one group",
    NewLiveReplica.omit({ server: true, login: true }),
    {},
    { everyDatabase: false, serverName: "" },
  ],
  [
    "a run is called Live, has commits and does not stop by itself",
    NewLiveRun.omit({ replicas: true }),
    {},
    { title: "Live", withoutCommits: false, stopAfterMinutes: null },
  ],
  [
    "a first contact creates nothing",
    FirstContactRequest.pick({ readsStream: true }),
    {},
    { readsStream: false },
  ],
  ["a mark is a person's", NewLiveMark, { label: " a " }, { label: "a", byRule: false }],
  [
    "a link lasts 90 days and shows names",
    NewLink,
    link,
    { ...link, expiresInDays: 90, replacesNames: false },
  ],
  ["a query's rows are JSON", SqlRequest, { sql: "FROM blocks" }, { sql: "FROM blocks", format: "json" }],
  ["a tag is in lower case, composed", NewTag, { tag: " Na\u0308chte " }, { tag: "nächte" }],
  [
    "capitals, spaces and hyphens of a passphrase are alike",
    Passphrase,
    " Two  Words-And - more",
    "two-words-and-more",
  ],
  [
    "hidden characters are no part of a name",
    NewCapture,
    { name: "a\u202eb\u0000" },
    { name: "ab", tags: [], draft: false },
  ],
])("where nothing else is said, %s", (_, schema, sent, read) => {
  expect(schema.parse(sent)).toEqual(read);
});

test.each([1, 7, 30, 90, null])("a link lasts %s days", (expiresInDays) => {
  expect(LinkRenewal.parse({ expiresInDays })).toEqual({ expiresInDays });
});

test.each([0, 2, 91, "90", undefined])("and not %s", (expiresInDays) => {
  expect(LinkRenewal.safeParse({ expiresInDays }).success).toBe(false);
});
