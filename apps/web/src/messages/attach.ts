import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of the dialog that attaches to servers. */
export const attachTexts = {
  // Attach
  nameTheServerHost: "Name the server: HOST, HOST\\INSTANCE or HOST,PORT.",
  fillInTheLogin: "Fill in the login.",
  notAskedYet: "not asked yet",
  tryingAgainInS: (seconds: number): string => `trying again in ${seconds} s`,
  needsAChoice: "needs a choice",
  rightsMissing: (lacks: number): string => plural(lacks, "# right missing", "# rights missing"),
  readyWithALimit: "ready, with a limit",
  thisServerIsGive: (serverName: string, name: string): string =>
    `This server is ${serverName}. Give the address of ${name}.`,
  attachTo: (formCount: number): string => `Attach to ${plural(formCount, "# replica")}`,
  ready: (ready: number): string => `${ready} ready`,
  notReadyYet: (waiting: number): string => `${waiting} not ready yet`,
  you: (need: number): string => `${plural(need, "# needs", "# need")} you`,
  of: (title: string, group: string): string => `${title} of ${group}`,
  runMayBegin: (parts: string, isReady: boolean): string =>
    `${parts}.${isReady ? " The run may begin with what is ready." : ""}`,

  // Attach more
  attachByAnotherAddress: (name: string): string => `Attach ${name} by another address or login`,
  attach: (name: string): string => `Attach ${name}`,
  otherAddressOrLogin: "Other address or login",
  attachLabel: "Attach",
  attachToThisRun: (name: string): string => `Attach ${name} to this run`,

  // Attach screen
  attachLive: "Attach live",
  attachingIsNotPossible: "Attaching is not possible now.",
  thisServerDoesNot: "This server does not attach to SQL Servers.",
  loginsStayInMemory: "Logins stay in memory until the sessions are dropped: never in files, links or logs",
  nameThePrimary:
    "Name the primary, its listener or any replica. AG Lens finds the other replicas and creates one event session on each. Within two seconds it shows where commits wait. When you stop, it drops the sessions.",
  attachToReplicasWhile: "Attach to replicas while the load runs",
  run: "The run",
  actionsOnTheServers: "Actions on the servers",
  addAServer: "Add a server by name",
  otherReplicas: "Other replicas",
  availabilityGroupHasMore: "The availability group has more replicas.",
  oneThatIsNot: "One that is not attached is drawn as one bar: its network and its disk cannot be separated.",
  roleUnknown: "role unknown",
  notConnected: (value: string, isSameConnected: boolean): string =>
    `${value}${isSameConnected ? ", not connected to the primary" : ""}`,
  add: (serverName: string): string => `Add ${serverName}`,
  addLabel: "Add",
  addAll: "Add all",
  name: "Name",
  loadTestRun3: "Load test, run 3",
  withTheEvents: "with the events of each commit",
  withoutThemABusy: "Without them a busy server has less to send, and commits waiting cannot be shown.",
  stopAndKeepAutomatically: "Stop and keep automatically",
  never: "never",
  afterMin: (minutes: number): string => `after ${minutes} min`,
  attaching: "Attaching…",
  joinTheRunWhen: (late: string, lateCount: number): string =>
    `${late} ${plural(lateCount, "joins", "join")} the run when ${plural(lateCount, "it answers", "they answer")}.`,
  serversStayOut: (out: number): string =>
    `${plural(out, "One server stays", "# servers stay")} out of this run. A replica that is not attached is drawn as one bar, as far as the primary knows it.`,
  attachToReplicas: (all: number): string => `Attach to ${all} replicas`,
  attachToOfReplicas: (ready: number, all: number): string => `Attach to ${ready} of ${all} replicas`,
  answersOfTheServers: "Answers of the servers",
  noNameYet: "no name yet",
  oneEventSessionPer: "One event session per replica, without a target: nothing is written to disk there.",
  twoConnectionsPerReplica:
    "Two connections per replica: one reads the events, one asks for waits and queues once a second.",
  underPressureSqlServer:
    "Under pressure SQL Server drops events and doesn't wait for the reader. Dropped events are counted and drawn as a gap.",
  checkingCreatesNothing: "Checking creates nothing. A session with a reader is never proposed for removal.",
  stopDropsTheSessions:
    "Stop drops the sessions and checks that they are gone. So does closing this page, after 60\u00a0s.",

  // Check result
  loginMayNotAttach: (login: string): string => `Login ${login} may not attach here yet.`,
  loginMayAttachHere: (login: string): string => `Login ${login} may attach here.`,
  eventsAreUnknown: (missingEventCount: number): string =>
    plural(
      missingEventCount,
      "# event is unknown to this version; what it records cannot be shown",
      "# events are unknown to this version; what they record cannot be shown",
    ),
  eventSession: "Event session",
  newOneDropped: "A new one, dropped at the end",
  readWhichStays: (name: string): string => `Read ${name}, which stays as it is`,
  attachAndCheck: "Attach and check…",
  forTheFirstServer: "For the first server of a version: tries every statement once.",
  rightsThatAreMissing: "Rights that are missing",
  isMissing: (permission: ReactNode, consequence: string): ReactNode =>
    sentence`${permission} is missing. ${consequence}`,
  comes: (login: string, grantee: ReactNode): ReactNode =>
    sentence`${login} comes in by the Windows group ${grantee} and has no principal of its own here. Grant to the group, or create a login for the user first.`,
  grantStatements: "GRANT statements",
  checkAgain: "Check again",
  database: (databaseId: number): string => `database ${databaseId}`,
  recordedEvents: "Recorded events",
  recordedIsTheLog: (names: string): string =>
    `Recorded is the log of ${names}: in the group by sys.dm_hadr_database_replica_states.`,
  thisServerNamesNo: (needsEveryDatabase: boolean): string =>
    `This server names no availability database. Only a session that records the log of every user database is possible. It has as many more events as these databases write log blocks.${needsEveryDatabase ? " Nothing is created unless you choose that." : ""}`,
  recordEveryUserDatabase:
    "record every user database, also those in no group: more events, the more these databases write",
  sessionsOfAgLens: "Sessions of AG Lens on this server",
  sessionOfAgLens: (leftoverCount: number): string =>
    `${plural(leftoverCount, "A session of AG Lens is on this server.", "# sessions of AG Lens are on this server.")} One that is read is in use by another AG Lens and stays.`,
  runningSince: (startedAt: string): string => `running since ${startedAt}`,
  stopped: "stopped",
  withoutAReader: "without a reader",
  readByInUse: (readBy: string): string => `read by ${readBy}: in use, not removed`,
  madeHereMade: (ofThisHost: boolean, host: string, running: string, readBy: string): string =>
    `${ofThisHost ? "made here" : `made on ${host}`}, ${running}, ${readBy}`,
  removeSessions: (nameCount: number): string => plural(nameCount, "Remove # session", "Remove # sessions"),
  unknownTime: "an unknown time",

  // Counter choice
  counters: "Counters",
  ofAreLanes: (gaugeCount: number, otherGaugeCount: number): string =>
    `${gaugeCount} of ${otherGaugeCount} are lanes`,

  // First contact dialog
  attachAndCheckLabel: (server: string): string => `Attach and check ${server}`,
  readTheEventStream: "Read the event stream for 20 s: creates an event session, and drops it at the end",
  saveTextFile: "Save text file",
  stop: "Stop",
  checkEveryStatement: "Check every statement",
  agLensSendsEach:
    "AG Lens sends each statement of live mode once, and compares the answers with Microsoft's documentation. Unless the box is checked, nothing is created on the server.",
  resultIsAText:
    "The result is a text that you see before you save it. It isn't sent anywhere. It has no name, address, id or text of the server. It has the version, the edition, the kind of operating system, and whether the collation is case-sensitive.",
  statementsTried: "Statements tried",
  connecting: "Connecting…",
  ofPart: (done: number, of: number, statement: string): string => `${done} of ${of}: ${statement}`,
  notTried: "not tried",
  asExpected: "as expected",
  allOtherLines: "All other lines",
  allLines: "All lines",
  textFile: "Text file",
  liveProtocolMd: (section: string): string => `live-protocol.md ${section}`,
  lines: (lineCount: number, parts: string): string => `${lineCount} lines: ${parts}.`,

  // Old certificate
  oldCertificateOf: (server: string): string => `The old certificate of ${server}`,
  leaveOutUntil: (server: string): string => `Leave ${server} out until it has a SHA-256 certificate`,
  sqlServerConfiguration:
    "SQL Server Configuration Manager, Protocols, Certificate. Needs a restart of the instance. It is drawn as one bar meanwhile.",
  acceptTheOldCertificate: (server: string): string => `Accept the old certificate of ${server} in this run`,
  loginIsEncryptedBut:
    "The login is encrypted, but anyone who forges a SHA-1 certificate on the way can read it and change answers. Only this certificate, only for this server, not remembered.",
  sha256: (name: string, inPairs: ReactNode): ReactNode => sentence`${name}SHA-256 ${inPairs}`,
  compareTheFingerprint: "Compare the fingerprint on the server before you accept it.",
  checkWithIt: "Check with it",

  // Run options
  alarmAndEnd: "Alarm and end",
  soundAndNotifyWhen: "Sound and notify when commit p95 is over the limit for 5\u2009s",
  limitMs: "Limit, ms",
  at: (zone: string): string => `at ${zone}`,
  inMin: (minutes: number): string => `in ${minutes} min`,

  // Server card
  sqlLogin: "SQL login",
  windowsNtlm: "Windows (NTLM)",
  entraToken: "Entra token",
  requiredTls: "Required (TLS)",
  strictTds8: "Strict (TDS 8)",
  off: "Off",
  editReplica: (position: number): string => `Edit replica ${position}`,
  edit: "Edit",
  replica: (position: number): string => `Replica ${position}`,
  server: "Server",
  sql1Sql1Instance: "SQL1, SQL1\\INSTANCE or SQL1,1433",
  hostInstanceOrHost: "HOST\\INSTANCE or HOST,PORT",
  encryption: "Encryption",
  sameLogin: "same login as the first server",
  withoutEncryption: "Without encryption the password can be read by anyone on the way.",
  asking: "Asking…",
  check: "Check",
  nothingIsCreated: "Nothing is created on the server by this.",
  leaveOut: "Leave out",
  primaryListenerOrAny: "Primary, listener or any replica",
  replicaLabel: "Replica",
  primary: "Primary",
  secondary: (commitMode: string): string => `Secondary, ${commitMode}`,
  roleUnknownLabel: "Role unknown",
  sameLoginPart: (productVersion: string, form: string, isSameLogin: boolean): string =>
    `${productVersion}, ${form}${isSameLogin ? ", same login" : ""}`,
  sqlServer: (year: string, version: string): string => `SQL Server ${year}, ${version}`,
  notEncrypted: "not encrypted",
  tlsOldCertificateAccepted: "TLS, old certificate accepted",
  anyCertificate: ", any certificate",
  login: "Login",
  domain: "Domain",
  accessToken: "Access token",
  azAccountGetAccess: "az account get-access-token --resource https://database.windows.net",
  user: "User",
  password: "Password",
  certificateAnyIsAccepted: (trustCertificate: boolean): string =>
    `Certificate${trustCertificate ? ": any is accepted" : ": must be trusted"}`,
  trustServerCertificateAlso: (isStrict: boolean): string =>
    `trust server certificate, also a self-signed one: another computer could take the place of the server and read the login${isStrict ? " (not with strict encryption: give the authority)" : ""}`,
  nameInTheCertificate: "Name in the certificate, when it is not the server's",
  authorityThatSigned: "Authority that signed it (PEM)",
  beginCertificate: "-----BEGIN CERTIFICATE-----",

  // Waiting for server
  triesInS: (tryCount: number, seconds: number): string => `${tryCount} tries in ${seconds} s`,
  nextAtS: (count: string, seconds: number): string => `${count}, next at +${seconds} s.`,
  firstTry: "first try",
  sThenOnce: (shownS: number): string => `+${shownS} s, then once a minute`,
} as const;
