/** Payload of `sp_server_diagnostics`: counts of a component of SQL Server over the last interval. */
import { elementsNamed, readXml, type XmlNode } from "./xml-tree.ts";

/** A request to a file that was waiting when the component reported. */
export interface LongIo {
  /** Path of the file; null where the server gives none. */
  readonly path: string | null;
  readonly durationMs: number;
}

interface IoSubsystem {
  readonly component: "io_subsystem";
  readonly ioLatchTimeouts: number;
  /** Requests over 15 s since the last report, and since SQL Server started. */
  readonly intervalLongIos: number;
  readonly totalLongIos: number;
  /** Longest first. */
  readonly pending: readonly LongIo[];
}

interface QueryProcessing {
  readonly component: "query_processing";
  readonly maxWorkers: number;
  readonly workersCreated: number;
  readonly workersIdle: number;
  readonly tasksCompleted: number;
  readonly pendingTasks: number;
  /** In the unit of the server; assumed to be ms. */
  readonly oldestPendingTaskMs: number;
  readonly hasUnresolvableDeadlock: boolean;
  readonly hasDeadlockedSchedulers: boolean;
  readonly hasNonYieldingScheduler: boolean;
  /** Reports of blocking; their statements aren't read. */
  readonly blockedTasks: number;
}

interface Resource {
  readonly component: "resource";
  /** For example RESOURCE_MEMPHYSICAL_LOW. */
  readonly lastNotification: string | null;
  readonly outOfMemoryExceptions: number;
  readonly isAnyPoolOutOfMemory: boolean;
  readonly availablePhysicalBytes: number | null;
}

/** Counts of a component; NaN for one that the payload does not have. */
export type ComponentReport = IoSubsystem | QueryProcessing | Resource;

/** Payloads are some kB; blocking reports make them longer. */
const LONGEST = 4 * 1024 * 1024;

/**
 * Reads the payload of a component.
 * @param name of the component in any case: `IO_SUBSYSTEM`, `io_subsystem`
 * @returns null for another component, and for XML without its element
 */
export function readComponent(name: string, xml: string): ComponentReport | null {
  if (xml.length > LONGEST) return null;
  const { roots } = readXml(xml);
  switch (name.toLowerCase()) {
    case "io_subsystem":
      return ioSubsystem(elementsNamed(roots, "ioSubsystem")[0]);
    case "query_processing":
      return queryProcessing(elementsNamed(roots, "queryProcessing")[0]);
    case "resource":
      return resource(elementsNamed(roots, "resource")[0]);
    default:
      return null;
  }
}

function ioSubsystem(node: XmlNode | undefined): IoSubsystem | null {
  if (node === undefined) return null;
  const pending = elementsNamed(node.children, "pendingRequest")
    .map((request): LongIo => {
      const path = request.attributes["filePath"] ?? "";
      return { path: path === "" ? null : path, durationMs: count(request, "duration") };
    })
    .sort((a, b) => b.durationMs - a.durationMs);
  return {
    component: "io_subsystem",
    ioLatchTimeouts: count(node, "ioLatchTimeouts"),
    intervalLongIos: count(node, "intervalLongIos"),
    totalLongIos: count(node, "totalLongIos"),
    pending,
  };
}

function queryProcessing(node: XmlNode | undefined): QueryProcessing | null {
  if (node === undefined) return null;
  const scheduler = node.attributes["trackingNonYieldingScheduler"] ?? "";
  return {
    component: "query_processing",
    maxWorkers: count(node, "maxWorkers"),
    workersCreated: count(node, "workersCreated"),
    workersIdle: count(node, "workersIdle"),
    tasksCompleted: count(node, "tasksCompletedWithinInterval"),
    pendingTasks: count(node, "pendingTasks"),
    oldestPendingTaskMs: count(node, "oldestPendingTaskWaitingTime"),
    hasUnresolvableDeadlock: isSet(node, "hasUnresolvableDeadlockOccurred"),
    hasDeadlockedSchedulers: isSet(node, "hasDeadlockedSchedulersOccurred"),
    // The address of a scheduler, 0x0 without one.
    hasNonYieldingScheduler: /[1-9a-f]/iu.test(scheduler.replace(/^0x/iu, "")),
    blockedTasks: elementsNamed(node.children, "blocked-process-report").length,
  };
}

function resource(node: XmlNode | undefined): Resource | null {
  if (node === undefined) return null;
  const available = elementsNamed(node.children, "entry").find(
    ({ attributes }) => attributes["description"] === "Available Physical Memory",
  );
  const bytes = available === undefined ? Number.NaN : count(available, "value");
  return {
    component: "resource",
    lastNotification: node.attributes["lastNotification"] ?? null,
    outOfMemoryExceptions: count(node, "outOfMemoryExceptions"),
    isAnyPoolOutOfMemory: isSet(node, "isAnyPoolOutOfMemory"),
    availablePhysicalBytes: Number.isNaN(bytes) ? null : bytes,
  };
}

/** A count without a sign; NaN for everything else. */
function count({ attributes }: XmlNode, name: string): number {
  const text = attributes[name] ?? "";
  return /^\d{1,16}$/u.test(text) ? Number(text) : Number.NaN;
}

const isSet = ({ attributes }: XmlNode, name: string): boolean =>
  attributes[name] === "1" || attributes[name]?.toLowerCase() === "true";
