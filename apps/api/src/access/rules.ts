/** Permissions that a route can require (each route names its own), and the check whether a person has them. */
import type { Person, Role } from "@aglens/contract";

/**
 * `anyone`: also without a sign-in. `see`: the capture is the person's own or shared, or the person is an admin.
 * `change`: it is the person's own and the role may upload, or the person is an admin. A role needs that role or a
 * higher one.
 */
export type Need = "anyone" | Role | "see" | "change";

const RANK: Readonly<Record<Role, number>> = { viewer: 0, contributor: 1, admin: 2 };

/** Whether a person's role is that one or a higher one. */
export function hasRole({ role }: Person, least: Role): boolean {
  return role !== null && RANK[role] >= RANK[least];
}

/** The owner of a capture; absent when it was created without a sign-in. */
export interface Owned {
  readonly owner?: { readonly id: string } | undefined;
  readonly shared?: boolean | undefined;
}

export function maySee(person: Person, { owner, shared }: Owned): boolean {
  if (!hasRole(person, "viewer")) return false;
  return hasRole(person, "admin") || shared === true || owner?.id === person.id;
}

export function mayChange(person: Person, { owner }: Owned): boolean {
  return hasRole(person, "admin") || (hasRole(person, "contributor") && owner?.id === person.id);
}
