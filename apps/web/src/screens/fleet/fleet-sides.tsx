import type { ReactNode } from "react";
import type { Fleet, FleetSide } from "@aglens/contract";
import { TextButton } from "../../frame/app-bar.tsx";
import { fleetTexts as texts } from "../../messages/fleet.ts";
import { formatCount } from "../../ui/words.ts";
import { type FleetAddress, NO_OUTLINE } from "./fleet-address.ts";
import { type Outline, outlineChange, outlineOf, outlineOptions } from "./outline-choice.ts";

interface Props {
  readonly address: FleetAddress;
  readonly fleet: Fleet;
  readonly onChange: (change: Partial<FleetAddress>) => void;
}

/** Choice of the filled side: a group, or one of its secondaries alone. */
export function FilledSide({ fleet: { groups, a }, onChange }: Props): ReactNode {
  const anew = { aReplica: null, ...NO_OUTLINE, at: null, view: null };
  return (
    <>
      <label>
        <b>A</b>
        <select
          aria-label={texts.groupAFilled}
          value={a?.group ?? ""}
          onChange={({ target }) => onChange({ a: target.value, ...anew })}
        >
          {a === null || groups.some(({ group }) => group === a.group) ? null : (
            <option value={a.group}>{a.groupName}</option>
          )}
          {groups.map(({ group, groupName, captures }) => (
            <Named key={group} value={group} name={groupName} captures={captures} />
          ))}
        </select>
      </label>
      {a === null || (a.replicas.length < 2 && a.replica === null) ? null : (
        <select
          aria-label={texts.replicaOfA}
          value={a.replica ?? ""}
          onChange={({ target }) => onChange({ aReplica: target.value === "" ? null : target.value })}
        >
          <option value="">{texts.allReplicas}</option>
          {replicasOf(a).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </>
  );
}

const replicasOf = ({ replicas, replica }: FleetSide): readonly string[] =>
  replica === null || replicas.includes(replica) ? replicas : [...replicas, replica];

/** Choice of the outline over it: another group, or another replica or tag of the same one. */
export function OutlinedSide({ address, fleet, onChange }: Props): ReactNode {
  const { a, b } = fleet;
  const options = outlineOptions(fleet);
  if (a === null || (options.length === 0 && b === null)) return null;
  const chosen = outlineOf(fleet);
  const isListed = options.some(({ choices }) => choices.some(({ value }) => value === chosen));
  return (
    <>
      <label>
        <b>B</b>
        <select
          aria-label={texts.bOutline}
          value={chosen}
          onChange={({ target }) => onChange(outlineChange(fleet, address, target.value as Outline))}
        >
          <option value="">{texts.none}</option>
          {isListed || b === null ? null : (
            <option value={chosen}>{b.tag ?? b.replica ?? b.groupName}</option>
          )}
          {options.map(({ title, choices }) => (
            <optgroup key={title} label={title}>
              {choices.map(({ value, name, captures }) => (
                <Named key={value} value={value} name={name} captures={captures} />
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      {b === null ? null : <TextButton onClick={() => onChange(NO_OUTLINE)}>{texts.clear}</TextButton>}
    </>
  );
}

/** Choice of captures by their tag. */
export function TagChoice({ address: { tag, bTag }, fleet, onChange }: Props): ReactNode {
  const { tags } = fleet;
  if (tags.length === 0 && tag === null) return null;
  return (
    <select
      aria-label={texts.tagOfTheCaptures}
      value={tag ?? ""}
      onChange={({ target }) => {
        const chosen = target.value === "" ? null : target.value;
        onChange({ tag: chosen, ...(chosen === bTag ? { bTag: null } : {}), at: null, view: null });
      }}
    >
      <option value="">{texts.allCaptures}</option>
      {tag === null || tags.some(({ name }) => name === tag) ? null : <option>{tag}</option>}
      {tags.map((each) => (
        <Named key={each.name} {...each} />
      ))}
    </select>
  );
}

interface NamedProps {
  /** Value of the choice; its name where this is absent. */
  readonly value?: string;
  readonly name: string;
  /** Null where they are not counted. */
  readonly captures: number | null;
}

function Named({ name, captures, value = name }: NamedProps): ReactNode {
  return (
    <option value={value}>
      {name}
      {captures === null ? "" : ` (${formatCount(captures)})`}
    </option>
  );
}
