/** The captures of an upload's files: each with its servers, their roles, and the unused files. */
import type { Capture, CaptureFile, CaptureGroup, GroupServer } from "@aglens/contract";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { capitalised, durationText } from "../../ui/words.ts";
import { replicaFiles, type ReplicaFiles, unixMs } from "./replica-files.ts";

export type Role = GroupServer["role"];

/** A period in which a server had one role; Unix ms. */
export interface RoleTime {
  readonly role: Role;
  readonly from: number;
  readonly to: number;
}

/** A server with its files and its roles. */
export interface ServerFiles extends ReplicaFiles {
  /** The roles to show: one after the other, or each with its databases where the server had both at once. */
  readonly roleSteps: readonly RoleStep[];
  /** In order of time; empty while the server has one role throughout. */
  readonly roleTimes: readonly RoleTime[];
  readonly nameFrom: GroupServer["nameFrom"];
}

export interface RoleStep {
  readonly role: Role;
  /** Databases of the role, where the server had another role for other databases at the same time. */
  readonly of: string | null;
}

/** One capture of an upload. */
export interface GroupFiles {
  readonly group: CaptureGroup;
  readonly servers: readonly ServerFiles[];
}

/** The captures of an upload, newest first. */
export function groupsOf({ groups, files }: Pick<Capture, "groups" | "files">): GroupFiles[] {
  const byId = new Map(files.map((file) => [file.id, file]));
  return groups.map((group) => ({
    group,
    servers: group.servers.map((server) => {
      const members = server.files.flatMap((id) => byId.get(id) ?? []);
      return {
        ...replicaFiles(members, { name: server.name, id: server.ids[0] ?? null, role: server.role }),
        roleSteps: roleSteps(server, members),
        roleTimes: roleTimes(server, members),
        nameFrom: server.nameFrom,
      };
    }),
  }));
}

const isGiven = (files: readonly CaptureFile[]): boolean =>
  files.some(({ given }) => given.role !== undefined);

function roleSteps({ role, roles }: GroupServer, files: readonly CaptureFile[]): RoleStep[] {
  if (isGiven(files) || roles.length === 0) return [{ role, of: null }];
  const perDatabase = Map.groupBy(roles, ({ database }) => database);
  const sequences = new Set([...perDatabase.values()].map((steps) => steps.map((step) => step.role).join()));
  const [first = []] = perDatabase.values();
  if (sequences.size === 1) return first.map((step) => ({ role: step.role, of: null }));
  const each = (["primary", "secondary"] as const).map((role) => {
    const names = [...perDatabase].flatMap(([name, steps]) =>
      steps.some((s) => s.role === role) ? [name] : [],
    );
    return { role, of: names.join(", ") };
  });
  return each.filter(({ of }) => of !== "");
}

/** One picture is only possible where all databases changed together. */
function roleTimes(server: GroupServer, files: readonly CaptureFile[]): RoleTime[] {
  const steps = roleSteps(server, files);
  if (steps.length < 2 || steps.some(({ of }) => of !== null)) return [];
  const [first] = server.roles;
  return server.roles
    .filter(({ database }) => database === first?.database)
    .flatMap(({ role, from, to }) => {
      const [begin, end] = [unixMs(from), unixMs(to)];
      return begin === null || end === null ? [] : [{ role, from: begin, to: end }];
    });
}

/** `Failover at 16:16:59.6, 6.35 s without a primary.` for each change; empty when the primary stayed. */
export function failoverText(servers: readonly ServerFiles[]): string[] {
  const primaries = servers
    .flatMap(({ name, roleTimes }) => roleTimes.map((time) => ({ name, ...time })))
    .filter(({ role }) => role === "primary")
    .sort((a, b) => a.from - b.from);
  return primaries.slice(1).flatMap((next, i) => {
    const before = primaries[i];
    if (before === undefined || before.name === next.name) return [];
    const at = new Date(before.to).toISOString().slice(11, 21);
    const without =
      next.from > before.to ? texts.withoutAPrimary(durationText((next.from - before.to) * 1000)) : "";
    return [texts.failoverAtFromTo(at, before.name, next.name, without)];
  });
}

/**
 * Files that don't contribute events: unreadable files, excluded files, duplicates, and files that only provide names.
 */
export const restOf = ({ files }: Pick<Capture, "files">): CaptureFile[] =>
  files.filter((file) => file.kind !== "xel" || file.role === "ignored");

/** `3 captures in 11 files`; null while there is no file. */
export function uploadTitle({ groups, files }: Pick<Capture, "groups" | "files">): string | null {
  if (files.length === 0) return null;
  if (groups.length === 0) {
    const these = texts.theseFiles(files.length);
    const isUnreadable = files.every(({ kind }) => kind === "unreadable");
    return isUnreadable ? texts.cannotBeRead(capitalised(these)) : texts.noLogTransportIn(these);
  }
  return `${texts.capture(groups.length)} in ${texts.file(files.length)}`;
}

/** Number of used files, and the kinds of the others. */
export function uploadLead(capture: Pick<Capture, "files" | "unused">): string {
  const used = capture.files.filter(({ kind, role }) => kind === "xel" && role !== "ignored").length;
  const names = capture.files.filter(({ kind }) => kind === "topology").length;
  const broken = capture.files.filter(({ kind }) => kind === "unreadable").length;
  const out = capture.files.length - used - names - broken;
  const parts = [
    names === 0 ? null : texts.giveNames(names),
    broken === 0 ? null : texts.cannotBeReadPart(broken),
    out === 0 ? null : texts.areSkipped(out),
  ].filter((part) => part !== null);
  if (used === 0) return texts.noFileIsUsed(parts.join(", "));
  const all = [texts.filesAreUsed(used), ...parts].join(", ");
  return texts.namesAndRoles(capitalised(all));
}
