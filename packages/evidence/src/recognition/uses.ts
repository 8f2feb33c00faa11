import type { FileKind, RecognizedFile } from "../shapes.ts";

/** Facts that a file's content shows; those that are missing are the usual ones of its kind. */
export interface FoundFile {
  readonly kind: FileKind;
  readonly server?: string | null;
  readonly utcOffsetMinutes?: number | null;
  readonly use?: string;
  readonly state?: RecognizedFile["state"];
}

/** The use of a file of each kind, as people read it. */
export const USES: Readonly<Record<FileKind, Pick<RecognizedFile, "use" | "state">>> = {
  movement: { state: "used", use: "Data-movement events: the path of each log block." },
  alwaysOnHealth: {
    state: "used",
    use: "AlwaysOn_health: roles, lease, DDL, connections, and names of replicas.",
  },
  clusterDiagnostics: {
    state: "used",
    use: "Diagnostics of the cluster (SQLDIAG): states of the availability group and health checks.",
  },
  systemHealth: { state: "used", use: "system_health: health of the server, errors and long waits." },
  otherEvents: { state: "notUsed", use: "Extended Events of another session. AG Lens doesn't use them." },
  errorlog: { state: "used", use: "ERRORLOG: role changes, slow I/O, errors and restarts." },
  rowsets: { state: "used", use: "Output of SQL LogScout: waits and file statistics." },
  counters: { state: "used", use: "Performance counters: disk latency and availability group counters." },
  counterLog: {
    state: "convert",
    use: "Binary performance counters. Run at the command prompt of Windows:",
  },
  waits: { state: "used", use: "Wait statistics of the server." },
  diskspd: { state: "used", use: "Diskspd result: reference for the log write." },
  schedulers: { state: "used", use: "Schedulers: runnable tasks of each." },
  topology: { state: "used", use: "Topology: names of replicas, databases and groups." },
  clusterLog: { state: "notUsed", use: "cluster.log. AG Lens doesn't read it yet." },
  windowsEvents: { state: "notUsed", use: "Events of Windows. AG Lens doesn't read them yet." },
  scriptOutput: { state: "notUsed", use: "Output of a script. AG Lens doesn't use it." },
  unknown: { state: "notUsed", use: "AG Lens doesn't know this kind of file." },
};
