import type { Catalog } from "./catalog.ts";

export type Facts = Pick<Catalog, "fact" | "saveFact">;

/** Facts about what is one server's alone, such as its disk or the sessions that its runs left. @param server null where it has its catalogue for itself */
export function factsOfServer(facts: Facts, server: string | null): Facts {
  const named = (name: string): string => (server === null ? name : `${name}, server ${server}`);
  return {
    fact: (name) => facts.fact(named(name)),
    saveFact: (name, value) => facts.saveFact(named(name), value),
  };
}
