import type { Catalog } from "./catalog.ts";

export type Facts = Pick<Catalog, "fact" | "saveFact">;

/**
 * Facts of one server alone, such as about its disk or the sessions that its runs left. @param server null where the
 * server is alone on its catalog
 */
export function factsOfServer(facts: Facts, server: string | null): Facts {
  const named = (name: string): string => (server === null ? name : `${name}, server ${server}`);
  return {
    fact: (name) => facts.fact(named(name)),
    saveFact: (name, value) => facts.saveFact(named(name), value),
  };
}
