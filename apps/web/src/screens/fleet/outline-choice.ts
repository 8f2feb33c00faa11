/** Choices for the outline over the filled group: another group, or another replica or tag of the same group. */
import type { Fleet } from "@aglens/contract";
import { fleetTexts as texts } from "../../messages/fleet.ts";
import { type FleetAddress, NO_OUTLINE } from "./fleet-address.ts";

/** A choice as the value of a select; "" for no outline. */
export type Outline = "" | `${"b" | "bReplica" | "bTag"} ${string}`;

interface OutlineGroup {
  readonly title: string;
  readonly choices: readonly {
    readonly value: Outline;
    readonly name: string;
    readonly captures: number | null;
  }[];
}

/** The outline that the answer shows. */
export function outlineOf({ a, b }: Fleet): Outline {
  if (b === null) return "";
  if (b.group !== a?.group) return `b ${b.group}`;
  return b.tag === a.tag ? `bReplica ${b.replica ?? ""}` : `bTag ${b.tag ?? ""}`;
}

/** All choices, without the filled one. */
export function outlineOptions({ groups, tags, a }: Fleet): OutlineGroup[] {
  if (a === null) return [];
  const others = groups.filter(({ group }) => group !== a.group);
  const replicas = a.replicas.length < 2 ? [] : a.replicas.filter((name) => name !== a.replica);
  const all: OutlineGroup[] = [
    {
      title: texts.group,
      choices: others.map(({ group, groupName, captures }) => ({
        name: groupName,
        captures,
        value: `b ${group}`,
      })),
    },
    {
      title: texts.replicaOf(a.groupName),
      choices: replicas.map((name) => ({ name, captures: null, value: `bReplica ${name}` })),
    },
    {
      title: texts.tagOf(a.groupName),
      choices: tags
        .filter(({ name }) => name !== a.tag)
        .map((each) => ({ ...each, value: `bTag ${each.name}` })),
    },
  ];
  return all.filter(({ choices }) => choices.length > 0);
}

/**
 * Changes of the address for a choice. A replica is compared with the chosen one, or else with the first of the others.
 */
export function outlineChange(
  { a }: Fleet,
  { aReplica }: FleetAddress,
  chosen: Outline,
): Partial<FleetAddress> {
  if (chosen === "") return NO_OUTLINE;
  const space = chosen.indexOf(" ");
  const [part, name] = [chosen.slice(0, space), chosen.slice(space + 1)];
  const change = { ...NO_OUTLINE, [part]: name };
  if (part !== "bReplica") return change;
  return { ...change, aReplica: aReplica ?? a?.replicas.find((each) => each !== name) ?? null };
}
