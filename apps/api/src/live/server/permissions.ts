/** Permissions of the login, and the missing ones to request (docs/contribute/live-protocol.md 2.3). */
import type { MissingPermission } from "@aglens/contract";
import type { z } from "zod";
import type { Row } from "./connection.ts";
import { grant, hasGranularPermissions } from "./sql.ts";

type Missing = z.infer<typeof MissingPermission>;

/** A permission that one of several columns of the WHO statement grants. */
interface Need {
  readonly grantedBy: readonly string[];
  readonly permission: string;
  readonly consequence: string;
  /** Its purpose in a few words; a comment after its GRANT. */
  readonly purpose: string;
  readonly blocking: boolean;
}

const SESSION = "AG Lens can't create, start and drop its event session.";
const STATE = "events, waits, queues, replica states";
const VIEWS = "AG Lens can't read the event stream, waits, queues and log files.";
/**
 * Grantee for a permission: the login itself where it is a principal of the server, else its Windows or Entra group.
 *
 * @param principals rows of PRINCIPALS
 */
export function granteeOf(principals: readonly Row[], login: string): string {
  const isOwn = (row: Row): boolean => String(row["name"]).toLowerCase() === login.toLowerCase();
  const isGroup = (row: Row): boolean => String(row["type"]).endsWith("GROUP");
  const own = principals.find((row) => !isGroup(row) && isOwn(row));
  const group = own === undefined ? principals.find(isGroup) : undefined;
  return group === undefined ? login : String(group["name"]);
}

const DEFINITIONS: Need = {
  grantedBy: ["view_def"],
  permission: "VIEW ANY DEFINITION",
  purpose: "names and commit modes of the group",
  consequence: "Availability modes of the replicas stay unknown. Names of databases may stay unknown too.",
  blocking: false,
};

const BEFORE_2022: readonly Need[] = [
  {
    grantedBy: ["xe_all"],
    permission: "ALTER ANY EVENT SESSION",
    purpose: "creates and drops the session of this run",
    consequence: SESSION,
    blocking: true,
  },
  {
    grantedBy: ["view_state"],
    permission: "VIEW SERVER STATE",
    purpose: STATE,
    consequence: VIEWS,
    blocking: true,
  },
  DEFINITIONS,
];

const FROM_2022: readonly Need[] = [
  part(
    "xe_create",
    "CREATE ANY EVENT SESSION",
    "creates the session of this run",
    "AG Lens can't create its event session.",
  ),
  part(
    "xe_start",
    "ALTER ANY EVENT SESSION ENABLE",
    "starts it",
    "AG Lens could create the event session, and not start it.",
  ),
  part("xe_stop", "ALTER ANY EVENT SESSION DISABLE", "stops it", "AG Lens can't stop the event session."),
  part("xe_drop", "DROP ANY EVENT SESSION", "drops it", "AG Lens can't drop the event session."),
  {
    grantedBy: ["view_state", "view_perf"],
    permission: "VIEW SERVER PERFORMANCE STATE",
    purpose: STATE,
    consequence: VIEWS,
    blocking: true,
  },
  DEFINITIONS,
];

function part(column: string, permission: string, purpose: string, consequence: string): Need {
  return { grantedBy: ["xe_all", column], permission, purpose, consequence, blocking: true };
}

/**
 * The permissions that are missing in the answer to WHO, each with its GRANT. NULL is not granted: the version has no
 * such name.
 * @param ownSession false when an existing session is read: then none is created, started or dropped
 */
export function missingPermissions(who: Row, ownSession = true): Missing[] {
  if (who["is_sysadmin"] === 1) return [];
  const needs = hasGranularPermissions(Number(who["major_version"])) ? FROM_2022 : BEFORE_2022;
  return needs
    .filter(({ grantedBy }) => ownSession || !grantedBy.includes("xe_all"))
    .filter(({ grantedBy }) => !grantedBy.some((column) => who[column] === 1))
    .map(({ permission, purpose, consequence, blocking }) => ({
      permission,
      purpose,
      consequence,
      blocking,
      grant: grant(permission, String(who["grantee"] ?? who["login_name"])),
    }));
}
