import { useRef, useState } from "react";
import { checkRights } from "../../../data/watch-form-client.ts";
import { sentenceOf } from "../../../data/problem.ts";
import type { WatchCheck } from "@aglens/contract";
import { watchEditTexts as texts } from "../../../messages/watch-edit.ts";
import { serverOf } from "../../server-form/server-address.ts";
import {
  lastRights,
  type ReplicaForm,
  rightsAt,
  rightsOfCheck,
  type RightsOf,
  type RightsState,
  rightsUnknown,
} from "./replica-forms.ts";

/** Rights on the replicas of a form, and how they are asked. */
export interface RightsChecks {
  readonly rights: RightsOf;
  /** Asks one server. @returns its answer; null where the request failed, or a later one was sent for the replica */
  readonly check: (replica: ReplicaForm, login: string) => Promise<WatchCheck | null>;
  /** Forgets an answer that is of another address or login. */
  readonly forget: (keys: readonly string[]) => void;
  /** Sets the answer of another request. */
  readonly set: (key: string, state: RightsState) => void;
}

/** @param initial rights that are known of a watch that exists */
export function useRights(initial: RightsOf): RightsChecks {
  const [rights, setRights] = useState(initial);
  // An answer that arrives after another request for its replica is not of the form as it is.
  const asked = useRef<Record<string, object>>({});
  const set = (key: string, state: RightsState): void => setRights((now) => ({ ...now, [key]: state }));
  const check = async (replica: ReplicaForm, login: string): Promise<WatchCheck | null> => {
    const { key, address, serverName } = replica;
    const request = {};
    asked.current[key] = request;
    const server = serverOf(address);
    if (server === null) {
      set(key, { is: "known", rights: rightsUnknown(texts.enterTheAddress(serverName)) });
      return null;
    }
    setRights((now) => ({ ...now, [key]: { is: "asking", before: lastRights(rightsAt(now, replica)) } }));
    const found = await checkRights({ server, login }).then(
      (answer) => ({ answer, rights: rightsOfCheck(answer) }),
      (error: unknown) => ({ answer: null, rights: rightsUnknown(sentenceOf(error)) }),
    );
    if (asked.current[key] !== request) return null;
    set(key, { is: "known", rights: found.rights });
    return found.answer;
  };
  const forget = (keys: readonly string[]): void => {
    for (const key of keys) delete asked.current[key];
    setRights((now) => Object.fromEntries(Object.entries(now).filter(([key]) => !keys.includes(key))));
  };
  return { rights, check, forget, set };
}
