import type { EvidenceEvent } from "../shapes.ts";

type Facts = Pick<EvidenceEvent, "kind" | "text"> & Partial<Pick<EvidenceEvent, "states">>;

/** Messages of the cluster's resource of a group that show why it acted, and their meaning. */
const MESSAGES: readonly (readonly [text: RegExp, kind: EvidenceEvent["kind"], meaning: string])[] = [
  [/Lease renewal failed/iu, "lease", "The lease was not renewed in time"],
  [/lease is no longer valid|lease (?:has )?expired/iu, "lease", "The lease is no longer valid"],
  [
    /diagnostics heartbeat is lost/iu,
    "health",
    "SQL Server sent no diagnostics within the health check timeout",
  ],
  [
    /is not healthy with given HealthCheckTimeout/iu,
    "health",
    "The group is not healthy by its health check",
  ],
  [
    /Failure detected, the state of (\w+) component is error/iu,
    "health",
    "A component of SQL Server reported an error",
  ],
  [/SQL server service is not alive|process id 0/iu, "restart", "The service of SQL Server does not run"],
  [/Resource Alive result 0/iu, "health", "The cluster's check of the group failed"],
];

/** Steps of the resource that lead to or follow the messages above, and report nothing of their own. */
const STEPS =
  /worker (?:is |was |thread|started)|lease thread|diagnostics is|diagnostics results|connect(?:ion)? |disconnect from|SQLMoreResults|ODBC Error|Cancel SQL request|Resource Alive result 1|QueryServiceStatusEx/iu;

const COMPONENT = /component '(\w+)' health state has been changed from '(\w*)' to '(\w+)'/u;

/**
 * The facts of an information message of the cluster.
 * @param on the server in words, with a space before it
 * @returns null for a step without a meaning of its own, undefined for a message that no rule knows
 */
export function factsOfClusterInfo(message: string, on: string): Facts | null | undefined {
  for (const [text, kind, meaning] of MESSAGES)
    if (text.test(message)) return { kind, text: `${meaning}${on}.` };
  const component = COMPONENT.exec(message);
  if (component !== null) {
    const [, name, before, after] = component;
    // The first result after a connection isn't a change.
    if (before === "") return null;
    return {
      kind: "health",
      states: [before!.toUpperCase(), after!.toUpperCase()],
      text: `Component ${name} changed from ${before} to ${after}${on}.`,
    };
  }
  return STEPS.test(message) ? null : undefined;
}
