/** Servers of a live run: the check before it, and its start. Passwords and tokens only go in, never out. */
import { shownText } from "../shown-text.ts";
import { CommitMode } from "../units.ts";
import { z } from "../zod.ts";

const name = z.string().trim().min(1).max(128);

/** Address of a replica; one of port and instance, or neither for 1433. */
export const LiveServer = z.object({
  host: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .regex(/^[A-Za-z0-9_.:-]+$/u, "A host name or address, without protocol and instance."),
  port: z.number().int().min(1).max(65535).optional(),
  instance: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9_$#]{1,64}$/u)
    .optional(),
  /** "required" = TLS 1.2 inside TDS 7; "strict" = TDS 8; "off" sends the password readable by anyone on the way. */
  encryption: z.enum(["required", "strict", "off"]).default("required"),
  /** Trusts any server certificate, also a self-signed one. */
  trustCertificate: z.boolean().default(false),
  /**
   * SHA-256 fingerprint of the one certificate that is accepted though it is signed with SHA-1 or its key is short, as SQL
   * Server 2016 and older make them for themselves; 64 hexadecimal digits. For this server and run, never kept.
   */
  oldCertificate: z
    .string()
    .regex(/^[0-9a-f]{64}$/u)
    .optional(),
  /** Name in the certificate when it is not the host's. */
  certificateName: z.string().trim().max(253).optional(),
  /** PEM of the authority that signed the server's certificate. */
  certificateAuthority: z.string().max(65_536).optional(),
});
export type LiveServer = z.infer<typeof LiveServer>;

export const LiveLogin = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("sql"), user: name, password: z.string().max(256) }),
  z.object({ kind: z.literal("ntlm"), domain: name, user: name, password: z.string().max(256) }),
  z.object({ kind: z.literal("entra"), token: z.string().min(1).max(16_384) }),
]);
export type LiveLogin = z.infer<typeof LiveLogin>;

export const LiveCheckRequest = z.object({ server: LiveServer, login: LiveLogin });
export type LiveCheckRequest = z.infer<typeof LiveCheckRequest>;

/** A permission the login lacks, and the statement that grants it. */
export const MissingPermission = z.object({
  permission: z.string(),
  /** Purpose of the permission, in a few words. */
  purpose: z.string().default(""),
  /** Feature that does not work without it. */
  consequence: z.string(),
  /** True when the replica cannot be attached without it. */
  blocking: z.boolean(),
  /** To be run in master. */
  grant: z.string(),
});
export type MissingPermission = z.infer<typeof MissingPermission>;

/** A replica that the topology names. */
export const LiveReplicaProposal = z.object({
  /** availability_replica_id, lower case. */
  replicaId: z.string(),
  /** replica_server_name: HOST or HOST\INSTANCE. */
  serverName: z.string(),
  group: z.string(),
  role: z.enum(["primary", "secondary", "unknown"]),
  commitMode: CommitMode,
  /** True for the server that was checked. */
  isThisServer: z.boolean(),
  connected: z.boolean().nullable(),
});
export type LiveReplicaProposal = z.infer<typeof LiveReplicaProposal>;

/** A session of AG Lens that an earlier run did not drop. */
export const LeftoverSession = z.object({
  name: z.string(),
  running: z.boolean(),
  /** UTC of its last start, null when it is stopped. */
  startedAt: z.string().nullable(),
  /** Host that created it, according to its name. */
  host: z.string(),
  ofThisHost: z.boolean(),
  /**
   * Reader of the session at the moment, "session 71 from JUMP02": such a session is in use and never removed. Null: it
   * is not read.
   */
  readBy: z.string().nullable().default(null),
});
export type LeftoverSession = z.infer<typeof LeftoverSession>;

/** Answers of a server before anything was created on it. */
export const LiveCheck = z.object({
  serverName: z.string(),
  productVersion: z.string(),
  edition: z.string(),
  login: z.string(),
  /** Grantee of the permissions: the login, or the Windows group by which it signs in. */
  grantee: z.string().default(""),
  hadrEnabled: z.boolean(),
  missing: z.array(MissingPermission),
  replicas: z.array(LiveReplicaProposal),
  databases: z.array(
    z.object({
      id: z.string(),
      databaseId: z.number(),
      name: z.string(),
      group: z.string(),
      /** Whether it is the master or msdb of a contained availability group. */
      isContainedSystem: z.boolean().default(false),
    }),
  ),
  /** Events that this version lacks in its catalog: results that need them cannot be shown. */
  missingEvents: z.array(z.string()),
  /** Event sessions that run here and could be attached to instead of a new one. */
  sessions: z.array(z.string()),
  leftovers: z.array(LeftoverSession),
  /** Sentences: distributed AG, no start_timestamp, no AG here, ... */
  warnings: z.array(z.string()),
});
export type LiveCheck = z.infer<typeof LiveCheck>;

export const LeftoverRemoval = LiveCheckRequest.extend({ names: z.array(name).min(1).max(100) });

export const LeftoverRemovalResult = z.object({ removed: z.array(z.string()) });

/** A session that a run could not drop; the API retries while it runs, and remembers the session after a restart. */
export const LiveLeftSession = z.object({
  id: z.string(),
  /** The server as it calls itself. */
  server: z.string(),
  session: z.string(),
  /** Reason why the session is still there, as a sentence. */
  problem: z.string(),
  tries: z.number(),
  /** Seconds until the next try; null while it is tried and when it is not tried again. */
  retryIn: z.number().nullable(),
  isTriedAgain: z.boolean(),
  /** Statement that drops the session by hand. */
  sql: z.string(),
  /**
   * Whether the user may remove it from the list: the user who left it, an admin, and any user on a server without
   * sign-in.
   */
  mayForget: z.boolean(),
});

export const LiveLeftSessions = z.object({ sessions: z.array(LiveLeftSession) });

/** A replica to attach to, at the beginning of a run or later. */
export const NewLiveReplica = z.object({
  server: LiveServer,
  login: LiveLogin,
  /** An existing, started session to read from; when absent, a new one is created (and dropped at the end). */
  session: name.optional(),
  /** Records the log of every user database, including databases in no group; otherwise only availability databases. */
  everyDatabase: z.boolean().default(false),
  /** replica_server_name, where the replica was chosen by it: its name until its server answers. */
  serverName: z.string().trim().max(256).default(""),
});
export type NewLiveReplica = z.infer<typeof NewLiveReplica>;

export const NewLiveRun = z.object({
  title: shownText(120).default("Live"),
  replicas: z.array(NewLiveReplica).min(1).max(9),
  /** Skips the events that fire once per commit. */
  withoutCommits: z.boolean().default(false),
  /** Minutes after which it stops and is kept; null: only when a user stops it. */
  stopAfterMinutes: z.number().min(1).max(1440).nullable().default(null),
});
export type NewLiveRun = z.infer<typeof NewLiveRun>;

/**
 * `id` opens the view read-only for anyone who has it; `control` is needed to stop, mark and keep the run alive, and is
 * sent once.
 */
export const LiveRunCreated = z.object({ id: z.string(), control: z.string() });
export type LiveRunCreated = z.infer<typeof LiveRunCreated>;
