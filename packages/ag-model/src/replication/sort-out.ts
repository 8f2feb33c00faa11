/** Which replica each input is, and whether the inputs fit together (docs/model.md 2.2). */
import { recognise } from "../events/index.ts";
import { ModelError } from "./model-error.ts";
import type { ReplicaInput } from "./replica-input.ts";
import { contradictedRole } from "./roles.ts";

export const givenName = ({ name, role }: ReplicaInput): string => name ?? `The ${role} given`;

/** @throws ModelError when the events are of the other role only */
export function refuseWrongRole(input: ReplicaInput): void {
  const other = contradictedRole(input.columns, input.role);
  if (other === null) return;
  throw new ModelError(
    "model.wrongRole",
    `${givenName(input)} is analysed as the ${input.role}, but its files hold events of a ${other} only: change its role.`,
  );
}

export interface Sorted {
  readonly primary: ReplicaInput | undefined;
  /** Secondaries with a file, in the order of `ids.secondaries`, which lists those without a file after them. */
  readonly secondaries: readonly ReplicaInput[];
  readonly ids: { readonly primary: string; readonly secondaries: readonly string[] };
}

/** @throws ModelError when there is no input, or more than one for a replica */
export function sortOut(inputs: readonly ReplicaInput[]): Sorted {
  const primaries = inputs.filter((i) => i.role === "primary");
  const secondaries = inputs.filter((i) => i.role === "secondary");
  if (inputs.length === 0) throw new ModelError("model.noCapture", "There is no file to analyse.");
  if (primaries.length > 1) {
    throw new ModelError(
      "model.twoPrimaries",
      "The files name more than one primary: analyse each availability group's capture alone.",
    );
  }
  const primary = primaries[0];
  const found = primary ? recognise(primary.columns) : undefined;
  const own = secondaries.map((s) => recognise(s.columns));
  const known = own.map((r, s) => r.replicaId ?? secondaries[s].id ?? "");
  if (new Set(known.filter((id) => id !== "")).size < known.filter((id) => id !== "").length) {
    throw new ModelError(
      "model.duplicateReplica",
      "Two secondaries have the same replica id: give the files of one replica together.",
    );
  }
  const partners = (found?.partnerIds ?? []).filter((id) => id !== found?.replicaId);
  // One secondary that does not name itself is the only partner nobody else claims.
  const unclaimed = partners.filter((id) => !known.includes(id));
  const named = known.map((id) => (id === "" && unclaimed.length > 0 ? unclaimed.shift()! : id));
  return {
    primary,
    secondaries,
    ids: {
      primary: found?.replicaId ?? primary?.id ?? own[0]?.partnerIds[0] ?? "",
      secondaries: [...named, ...partners.filter((id) => !named.includes(id))],
    },
  };
}
